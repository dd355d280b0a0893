"""Run uv with the package sources that pip is configured for, or pip itself where uv can't be had.

    python tools/with_uv.py pip install -r requirements.txt

uv installs the same packages as pip in a third of the time. It is fetched by pip once, in the version below, into
.venv/uv. It doesn't read pip's configuration (``pip config list``), so that is handed over in uv's own environment
variables; one that is set already counts more. ``UV_TORCH_BACKEND`` chooses the build of PyTorch: by default the
one for this machine's graphics card, and the CPU build without one.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

VERSION = "0.13.9"
FOLDER = Path(__file__).resolve().parent.parent / ".venv" / "uv"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
NEEDED_GB = 4
SECONDS = 30
"""For asking where PyTorch can be had; a network that swallows what is sent shall not hold up the installation."""


def main(arguments: list[str]) -> int:
    """Run uv, or install with pip; return the exit status."""
    configured = pip_configuration(_output(*PIP, "config", "list"))
    environment = {**uv_settings(configured), **os.environ}
    uv = _fetched()
    if arguments[:2] == ["pip", "install"]:
        options = (
            ["--no-index"] if configured.get("no-index", "").lower() in {"1", "true", "yes", "on"} else []
        )
        return _install(uv, arguments[2:], options, environment)
    if uv is None:
        _say(
            "uv can't be fetched from here: it needs the network, or a package index that pip is configured for."
        )
        return 1
    return subprocess.run([uv, *arguments], env=environment, check=False).returncode


def pip_configuration(listed: str) -> dict[str, str]:
    """The options of ``pip install`` by name, from what ``pip config list`` prints.

    As in pip, the section [install] counts more than [global], and an environment variable more than both.
    """
    found: dict[tuple[int, str], str] = {}
    for section, name, value in re.findall(r"^(global|install|:env:)\.([\w-]+)=(.*)$", listed, re.MULTILINE):
        rank = ("global", "install", ":env:").index(section)
        found[rank, name] = str(ast.literal_eval(value))
    return {name: value for (_, name), value in sorted(found.items())}


def uv_settings(configured: Mapping[str, str]) -> dict[str, str]:
    """Translate these options of pip into environment variables of uv."""
    settings = {
        "UV_DEFAULT_INDEX": configured.get("index-url"),
        "UV_INDEX": " ".join(configured.get("extra-index-url", "").split()),
        "UV_FIND_LINKS": ",".join(
            place if "://" in place else str(Path(place).expanduser())
            for place in configured.get("find-links", "").split()
        ),
        "UV_INSECURE_HOST": " ".join(configured.get("trusted-host", "").split()),
        "SSL_CERT_FILE": configured.get("cert"),
        "ALL_PROXY": configured.get("proxy"),
    }
    if settings["UV_INDEX"]:  # like pip: all places count the same, the best version wins
        settings["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    if os.environ.get(
        "PYTHONDONTWRITEBYTECODE"
    ):  # no start would keep what it compiles: do it once, as pip does
        settings["UV_COMPILE_BYTECODE"] = "1"
    return {name: value for name, value in settings.items() if value}


def what_to_do(free_gb: float) -> str:
    """The way out for somebody whose packages could not be installed."""
    if free_gb < NEEDED_GB:
        return (
            f"Only {free_gb:.1f} GB of disk are free, {NEEDED_GB} are needed: make room, and run make again."
        )
    return (
        "The packages could not be installed: check that this machine reaches a package index (behind a proxy or "
        "with an index of its own: pip config set global.proxy ..., global.index-url ...), and run make again."
    )


def _install(uv: Path | None, packages: list[str], options: list[str], environment: dict[str, str]) -> int:
    backend = environment.pop("UV_TORCH_BACKEND", None)
    if uv is not None:
        torch = _torch_option(uv, packages, options, environment, backend)
        command = [str(uv), "pip", "install", "--python", sys.executable, *options, *torch, *packages]
        if subprocess.run(command, env=environment, check=False).returncode == 0:
            return 0
    _say("uv can't install from here; pip does it, in about three minutes.")
    status = subprocess.run([*PIP, "install", *packages], check=False).returncode
    if status:
        _say(what_to_do(shutil.disk_usage(FOLDER.parent).free / 1e9))
    return status


def _torch_option(
    uv: Path, packages: list[str], options: list[str], environment: dict[str, str], backend: str | None
) -> list[str]:
    """The option that has PyTorch taken from its own index, if that is needed and can be reached."""
    files = [Path(value) for option, value in pairwise(packages) if option == "-r"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    pin = re.search(r"^torch==([\w.]+)", text, re.MULTILINE)
    if pin is None:
        return []
    version = pin[1]
    backend = backend or (
        "cpu" if "--require-hashes" in packages else "auto"
    )  # the locks have the CPU build's hash

    def is_there(version: str, *more: str) -> bool:
        command: list[str] = [str(uv), "pip", "compile", "--quiet", "--no-deps", *options, *more, "-"]
        impatient = {**environment, "UV_HTTP_RETRIES": "0"}
        try:
            asked = subprocess.run(
                command,
                input=f"torch=={version}",
                env=impatient,
                timeout=SECONDS,
                capture_output=True,
                text=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return asked.returncode == 0

    if backend in {"auto", "cpu"} and is_there(f"{version}+cpu"):
        return []  # somebody has put the CPU build where pip looks
    option = ["--torch-backend", backend]
    if is_there(version, *option):
        return option
    _say(
        "PyTorch's own index can't be reached, so its build is the one that the package index has; on Linux it "
        "brings several GB for graphics cards."
    )
    return []


def _fetched() -> Path | None:
    """The program uv, fetched by pip if this version isn't there yet."""
    program = FOLDER / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if f"uv {VERSION}" not in _output(program, "--version"):
        shutil.rmtree(FOLDER, ignore_errors=True)
        _output(*PIP, "install", "--quiet", "--target", FOLDER, f"uv=={VERSION}")
    return program if program.is_file() else None


def _output(*command: str | Path) -> str:
    """What the command prints; nothing if it can't be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
