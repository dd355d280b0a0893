"""Optional packages that a bare installation leaves out, and the error that names them.

The bare library reads and writes maps, and compares them by the bundled encoders or the caller's. Code calls
:func:`require` before it imports an optional package.
"""

import importlib.util
import sys
from typing import NamedTuple

from tted_core.errors import MissingExtraError


class Extra(NamedTuple):
    """A feature that needs further packages.

    Attributes:
        purpose: as in "BERTScore needs ...".
        packages: their import names.
        install: argument of ``pip install``.
    """

    purpose: str
    packages: tuple[str, ...]
    install: str = '".[app]" in a copy of the repository'


_BATCH = ("filelock", "joblib", "pandas", "pyarrow")
_FIGURES = ("typst", "vl_convert")
_FONT = ("fontTools", "matplotlib")
_PAGES = ("networkx", "pyvis", "starlette", "streamlit")

_MODELS = ("sentence_transformers", "torch", "transformers", "huggingface_hub")
_CPU_BUILDS = "--extra-index-url https://download.pytorch.org/whl/cpu"
_MODELS_INSTALL = f'{_CPU_BUILDS} ".[models]" in a copy of the repository'

EXTRAS = {
    "encoder": Extra("a model that isn't bundled", _MODELS, _MODELS_INSTALL),
    "bertscore": Extra("BERTScore", (*_MODELS, "bert_score"), _MODELS_INSTALL),
    "batch": Extra("a batch", _BATCH),
    "cluster": Extra("a batch on Dask", ("distributed",), "distributed"),
    "figures": Extra("drawing a figure or a sheet", _FIGURES),
    "grammar": Extra("the grammar score", ("language_tool_python",), "language_tool_python"),
    "app": Extra("the application", (*_BATCH, *_FIGURES, *_FONT, *_PAGES)),
}


def require(extra: str, what: str | None = None, instead: str = "") -> None:
    """Raise ``MissingExtraError`` if a package of an extra is missing; imports nothing.

    Args:
        extra: a name of ``EXTRAS``.
        what: the feature, if it is not the whole extra.
        instead: another way out, ending with "or ".
    """
    purpose, packages, install = EXTRAS[extra]
    for package in packages:
        if not _find_installed(package):
            raise MissingExtraError(
                f"{what or purpose} needs the package {package}, which isn't installed; {instead}install it with: "
                f"pip install {install}"
            )


def _find_installed(package: str) -> bool:
    if package in sys.modules:
        return sys.modules[package] is not None  # Python marks a module that can't be imported by None
    return importlib.util.find_spec(package) is not None
