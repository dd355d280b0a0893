"""BERTScore on a scale that is easier to read: 0 for unrelated texts (Zhang et al. 2020, "Rescaling").

The package ships baselines: what texts that have nothing to do with each other score on average, for some
languages, models and each of their layers. A score x with the baseline b becomes (x - b) / (1 - b). It changes
no ranking.
"""

import importlib.util
from pathlib import Path

import numpy as np

from tted_core.distances.bertscore.matching import BERTScores
from tted_core.distances.bertscore.scorer import BERTScorer
from tted_core.errors import OptionsError


def baseline_languages(source: str) -> tuple[str, ...]:
    """The languages for which the package ships a baseline of the model with this id or folder; loads nothing."""
    return tuple(sorted(_files(source)))


def rescaled(scores: BERTScores, scorer: BERTScorer, language: str) -> BERTScores:
    """The scores on the scale of a language, such as "en".

    Raises:
        OptionsError: the package ships no baseline of this model for that language.
    """
    missing = missing_baseline(scorer, language)
    if missing:
        raise OptionsError(missing)
    table = np.loadtxt(_files(scorer.source)[language], delimiter=",", skiprows=1)
    of_p, of_r, of_f = table[scorer.layer, 1:]
    return BERTScores(
        *((x - b) / (1 - b) for x, b in ((scores.precision, of_p), (scores.recall, of_r), (scores.f1, of_f)))
    )


def missing_baseline(scorer: BERTScorer, language: str) -> str:
    """Why there is no baseline of this model for a language; empty if there is one."""
    known = baseline_languages(scorer.source)
    if language in known:
        return ""
    ways = f"take one of {', '.join(known)}, or leave it out" if known else "leave it out for this model"
    return f"bert-score ships no baseline of {scorer.name} for the language {language!r}; {ways}"


def _files(source: str) -> dict[str, Path]:
    """Language -> the file of baselines, a row for each layer; its name is the model's, with its owner or not."""
    package = importlib.util.find_spec("bert_score")
    if package is None or package.origin is None:
        return {}
    names = [Path(source).name, *([] if Path(source).is_absolute() else [source])]
    return {
        folder.name: folder / f"{name}.tsv"
        for folder in (Path(package.origin).parent / "rescale_baseline").iterdir()
        for name in names
        if (folder / f"{name}.tsv").is_file()
    }
