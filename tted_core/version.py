"""The version of the package, which is part of every signature.

Between two releases it identifies the code, since scores change from commit to commit: ``0.3.0.dev0+5f3a9c1e``.
The part after the plus sign is the beginning of git's id of the folder ``tted_core``, which ``git rev-parse
COMMIT:tted_core`` prints. It is computed from the files, so a clone (with local changes), an exported folder, a
source archive and an installed wheel of the same code have the same version.
"""

import hashlib
from pathlib import Path

RELEASE = "0.3.0"  # this release, or the next one

RELEASED = False  # true in the release's own commit only (CONTRIBUTING.md, "Release")


def git_tree(folder: Path) -> bytes:
    """Git's object id (20 bytes) of a folder of plain files, without files that Python and editors leave there.

    Line endings of Windows are converted in texts, as git does.
    """
    entries: list[tuple[str, bytes, bytes]] = []
    for path in folder.iterdir():
        if path.name.startswith((".", "__pycache__")):
            continue
        if path.is_dir():
            tree = git_tree(path)
            if tree != _object(b"tree", b""):  # git has no empty folders, as a removed package leaves them
                entries.append((f"{path.name}/", b"40000", tree))  # is sorted as if its name ended so
        else:
            content = path.read_bytes()
            if b"\0" not in content[:8000]:  # as git distinguishes texts
                content = content.replace(b"\r\n", b"\n")
            entries.append((path.name, b"100644", _object(b"blob", content)))
    listing = b"".join(
        mode + b" " + name.removesuffix("/").encode() + b"\0" + digest
        for name, mode, digest in sorted(entries)
    )
    return _object(b"tree", listing)


def _object(kind: bytes, content: bytes) -> bytes:
    return hashlib.sha1(b"%b %d\0%b" % (kind, len(content), content), usedforsecurity=False).digest()


VERSION = RELEASE if RELEASED else f"{RELEASE}.dev0+{git_tree(Path(__file__).parent).hex()[:8]}"
