"""Try the release that could be made of this tree: build it, and install it into fresh environments.

    make release-check               # Python 3.11, 3.12 and 3.13, as far as they are here or uv can fetch them

In a copy of the tracked files whose version says that it is the release: builds the source archive, and the wheel
from it; installs the wheel without extras for each Python; compares two samples that the wheel carries. Nothing
here is changed. Exit status 1 if a step fails or a Python is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = (sys.executable, str(ROOT / "tools" / "with_uv.py"))
PYTHONS = ("3.11", "3.12", "3.13")


def copied(folder: Path) -> str:
    """Copy the tracked files, as they are, with RELEASED = True, and return the version."""
    listed = ["git", "ls-files", "-z"]
    tracked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    version = folder / "tted_core" / "version.py"
    text = version.read_text(encoding="utf-8")
    version.write_text(
        re.sub(r"^RELEASED = .*$", "RELEASED = True", text, flags=re.MULTILINE), encoding="utf-8"
    )
    found = re.search(r'^RELEASE = "(.*)"$', text, re.MULTILINE)
    assert found
    return found[1]


def interpreter(version: str) -> str | None:
    """The program of this Python: on the path, of pyenv, or what uv finds or fetches."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for program in (shutil.which(f"python{version}"), *map(str, pyenv.glob(f"{version}.*/bin/python"))):
        if program and f"Python {version}." in run(program, "--version", check=False):
            return program
    run(*UV, "python", "install", version, check=False)
    return run(*UV, "python", "find", "--managed-python", version, check=False).strip() or None


def run(*command: str | Path, cwd: Path | None = None, check: bool = True) -> str:
    """What the command prints; nothing if it fails and needn't succeed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode and check:
        sys.exit(f"release-check: {' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return "" if done.returncode else done.stdout


def tried(wheel: Path, python: str, folder: Path) -> str:
    """Install the wheel into a fresh environment and compare two samples there; return the first line."""
    run(python, "-m", "venv", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(str(programs / "python"), "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    maps = run(programs / "tted", "samples", "coral-reefs", cwd=folder).splitlines()[:2]
    command = (programs / "tted", "compare", *maps, "--encoder", "use-multilingual", "--baselines", "none")
    printed = run(*command, cwd=folder).splitlines()
    version = run(programs / "tted", "--version", cwd=folder).strip()
    return f"{version}, {' '.join(printed[0].split())}, {' '.join(printed[1].split())}"


def main() -> int:
    """Build and try; return the exit status."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        begun = time.monotonic()
        version = copied(folder / "source")
        run(*UV, "build", "--out-dir", folder / "dist", folder / "source")
        names = sorted(path.name for path in (folder / "dist").glob("tted-*"))
        print(f"built {' and '.join(names)} in {time.monotonic() - begun:.0f} s", flush=True)
        if len(names) != 2 or any(f"tted-{version}" not in name for name in names):
            sys.exit(f"release-check: not the version {version}")
        missing = 0
        for each in PYTHONS:
            begun = time.monotonic()
            python = interpreter(each)
            if python is None:
                print(f"Python {each}: neither here nor to be fetched", flush=True)
                missing += 1
                continue
            said = tried(next((folder / "dist").glob("*.whl")), python, folder / each)
            print(f"Python {each}: {said}  ({time.monotonic() - begun:.0f} s)", flush=True)
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
