"""Run the steps of a Dockerfile in a folder, without a container engine, and start what they made.

    python tools/dockerfile_steps.py [--context FOLDER] [--into FOLDER] [--build-arg NAME=VALUE]

RUN, COPY, ARG, ENV and WORKDIR are done in a folder that stands for the image's root: absolute paths that the
Dockerfile itself makes begin there. Last, ENTRYPOINT is started and HEALTHCHECK asked until it succeeds. What
needs an engine (base image, user, volume, port) is reported as not done.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MADE = ("/opt/tted", "/src", "/data")
"""What the image's steps make; no other absolute path is rewritten."""

HEALTHY_SECONDS = 180


def instructions(text: str) -> list[tuple[str, str]]:
    """(instruction, arguments) of each step, with continued lines joined and comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


class Image:
    """The folder that stands for an image, and the environment that its steps have made."""

    def __init__(self, root: Path, context: Path, given: dict[str, str]) -> None:
        """``given`` are build arguments, which count more than the Dockerfile's defaults."""
        self.root, self.context, self.given = root, context, given
        self.environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        for name in ("SSL_CERT_FILE", "TMPDIR", *(each for each in os.environ if each.startswith("PIP_"))):
            if name in os.environ:
                self.environment[name] = os.environ[name]
        self.folder = root
        root.mkdir(parents=True, exist_ok=True)

    def here(self, text: str) -> str:
        """The text with the image's paths in its folder."""
        paths = "|".join(map(re.escape, MADE))
        return re.sub(rf"(?<![\w.])(?:{paths})(?=[/:\s\"]|$)", lambda found: f"{self.root}{found[0]}", text)

    def step(self, name: str, rest: str) -> str:
        """Do a step and return what became of it."""
        match name:
            case "ARG":
                key, _, default = rest.partition("=")
                self.environment[key] = self.given.get(key, default)
            case "ENV":
                for key, value in re.findall(r"(\w+)=(\S+)", rest):
                    made = self.here(value)
                    self.environment[key] = re.sub(
                        r"\$(\w+)", lambda found: self.environment.get(found[1], ""), made
                    )
            case "WORKDIR":
                self.folder = Path(self.here(rest))
                self.folder.mkdir(parents=True, exist_ok=True)
            case "COPY":
                return self._copy(rest)
            case "RUN":
                command = re.sub(r"--(owner|group)=\d+", "", self.here(rest))
                subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, check=True)
            case _:
                return "not done: needs a container engine"
        return "done"

    def _copy(self, rest: str) -> str:
        *sources, target = rest.split()
        if sources[0].startswith("--from"):
            return "not done: one folder stands for both stages"
        place = Path(self.here(target))
        for source in sources:
            if (self.context / source).is_dir():
                shutil.copytree(
                    self.context / source,
                    place,
                    ignore=shutil.ignore_patterns("__pycache__"),
                    dirs_exist_ok=True,
                )
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.context / source, place)
        return "done"

    def healthy(self, entrypoint: list[str], check: list[str]) -> str:
        """Start the image's program, and ask until it is well."""
        with subprocess.Popen(
            [self.here(each) for each in entrypoint], cwd=self.folder, env=self.environment
        ) as server:
            end = time.monotonic() + HEALTHY_SECONDS
            try:
                while time.monotonic() < end and server.poll() is None:
                    if (
                        subprocess.run(
                            check, env=self.environment, capture_output=True, check=False
                        ).returncode
                        == 0
                    ):
                        return "done: the application answers"
                    time.sleep(1)
                raise subprocess.CalledProcessError(server.poll() or 1, entrypoint)
            finally:
                server.terminate()


def main() -> int:
    """Do all steps; exit status 1 where one fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--context", type=Path, default=Path(), help="the folder with the Dockerfile")
    parser.add_argument("--into", type=Path, help="default: a temporary folder, deleted at the end")
    parser.add_argument("--build-arg", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    given = dict(each.split("=", 1) for each in options.build_arg)
    steps = instructions((options.context / "Dockerfile").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        image = Image((options.into or Path(temporary)).resolve(), options.context.resolve(), given)
        healthcheck = entrypoint = None
        for number, (name, rest) in enumerate(steps, 1):
            begun = time.monotonic()
            if name == "HEALTHCHECK":
                healthcheck, became = json.loads(rest.partition("CMD ")[2]), "asked at the end"
            elif name == "ENTRYPOINT":
                entrypoint, became = json.loads(rest), "started at the end"
            else:
                try:
                    became = image.step(name, rest)
                except subprocess.CalledProcessError as error:
                    became = f"FAILED with status {error.returncode}"
            print(
                f"{number:>2} {name:<11} {time.monotonic() - begun:6.1f} s  {became}: {rest[:70]}", flush=True
            )
            if became.startswith("FAILED"):
                return 1
        if entrypoint and healthcheck:
            begun = time.monotonic()
            try:
                became = image.healthy(entrypoint, healthcheck)
            except subprocess.CalledProcessError:
                became = "FAILED: it doesn't answer"
            print(f"   HEALTHCHECK {time.monotonic() - begun:6.1f} s  {became}", flush=True)
            return int(became.startswith("FAILED"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
