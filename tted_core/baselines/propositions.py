"""Strict proposition match of concept maps, as UKPLab/emnlp2017-cmapsum-corpus computes it.

Falke and Gurevych, "Bringing Structure into Summaries", EMNLP 2017. A proposition is a concept, a relation and a
concept as one text. A mind map's edges have no relation, so it is the parent's sentence and the child's, as in the
authors' unlabelled variant. Two match if they are equal after lower-casing, dropping of determiners and stemming
(Snowball, English). The authors' code means to drop punctuation too, but a slip keeps it, and so does this. Their
other variant scores pairs by METEOR 1.5, whose tables of paraphrases could not be had.
"""

from functools import cache
from typing import Any

from tted_core.baselines.kernel import F1Score, f1_score
from tted_core.tree import TextTree

DETERMINERS = frozenset(
    ["a", "an", "all", "any", "the", "there", "there's", "these", "this", "that", "those", "many", "most"]
)
"""The authors' list of words that don't count."""


def concept_map_match(left: TextTree, right: TextTree) -> F1Score:
    """How many propositions, an edge's two sentences each, the other map has too, by stems of words."""
    wanted, predicted = propositions(left), propositions(right)
    known, found = set(wanted.values()), set(predicted.values())
    return f1_score(
        sum(bool(stems) and stems in known for stems in predicted.values()),
        len(predicted),
        len(wanted),
        found_wanted=sum(bool(stems) and stems in found for stems in wanted.values()),
    )


def propositions(tree: TextTree) -> dict[str, str]:
    """Each distinct proposition, in lower case, and its stems."""
    edges = zip(tree.labels[1:], tree.parents[1:], strict=True)
    texts = (f"{tree.labels[parent].lower()} {label.lower()}" for label, parent in edges)
    return {text: " ".join(_stem(word) for word in text.split() if word not in DETERMINERS) for text in texts}


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    import snowballstemmer  # not nltk, which takes a second to import

    return snowballstemmer.stemmer("english")
