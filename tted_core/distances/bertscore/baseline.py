"""BERTScore on a scale that is easier to read: 0 for unrelated texts (Zhang et al. 2020, "Rescaling").

The package ships baselines: what texts that have nothing to do with each other score on average, for some
languages, models and each of their layers. A score x with the baseline b becomes (x - b) / (1 - b). It changes
no ranking.
"""

from pathlib import Path

import numpy as np

from tted_core.distances.bertscore.matching import BERTScores
from tted_core.distances.bertscore.scorer import BERTScorer
from tted_core.errors import OptionsError


def baseline_languages(scorer: BERTScorer) -> tuple[str, ...]:
    """The languages for which the package ships a baseline of this model."""
    files = (folder / f"{scorer.published}.tsv" for folder in _folder().iterdir())
    return tuple(sorted(file.relative_to(_folder()).parts[0] for file in files if file.is_file()))


def rescaled(scores: BERTScores, scorer: BERTScorer, language: str) -> BERTScores:
    """The scores on the scale of a language, such as "en".

    Raises:
        OptionsError: the package ships no baseline of this model for that language.
    """
    known = baseline_languages(scorer)
    if language not in known:
        ways = f"take one of {', '.join(known)}, or leave it out" if known else "leave it out for this model"
        raise OptionsError(
            f"bert-score ships no baseline of {scorer.name} for the language {language!r}; {ways}"
        )
    table = np.loadtxt(_folder() / language / f"{scorer.published}.tsv", delimiter=",", skiprows=1)
    of_p, of_r, of_f = table[scorer.layer, 1:]
    return BERTScores(
        *((x - b) / (1 - b) for x, b in ((scores.precision, of_p), (scores.recall, of_r), (scores.f1, of_f)))
    )


def _folder() -> Path:
    import bert_score

    return Path(bert_score.__file__).parent / "rescale_baseline"
