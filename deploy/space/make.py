"""Write the folder of a public Hugging Face Space: the image's files, its Dockerfile with limits, and its README.

python deploy/space/make.py build/space

A Space is a git repository: make one with the SDK "Docker" on the hub, clone it, write into the clone, and push.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def copied(dockerfile: str) -> list[str]:
    """The files and folders of the repository that the Dockerfile copies into the image."""
    lines = re.findall(r"^COPY (?!--)(.*) \S+$", dockerfile, re.MULTILINE)
    return [name for line in lines for name in line.split()]


def main(arguments: list[str]) -> int:
    """Write the folder; return the exit status."""
    if len(arguments) != 1:
        print("usage: python deploy/space/make.py FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    listed = ["git", "ls-files", "-z", "--", *copied(dockerfile)]
    tracked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [name for name in tracked.split("\0") if name]
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    limits = (HERE / "limits.dockerfile").read_text(encoding="utf-8")
    (folder / "Dockerfile").write_text(f"{dockerfile}\n{limits}", encoding="utf-8")
    shutil.copyfile(ROOT / ".dockerignore", folder / ".dockerignore")
    shutil.copyfile(HERE / "README.md", folder / "README.md")
    print(f"{len(files)} files in {folder}; commit and push them to the Space's repository")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
