"""The files of the page's components."""

from pathlib import Path

HERE = Path(__file__).parent


def source(*names: str) -> str:
    """Several of this folder's files as one."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)
