"""The NDD of an edit word by word: how much each word that stays adds to it."""

from tted_core.distances.ndd import Ndd
from tted_core.figures.style import COLOURS, SCHEMA, UNNUMBERED, Spec, numbered


def ndd_words(ndd: Ndd) -> Spec:
    """A bar for each unedited word in the order of the sentence."""
    rows = [
        {
            "place": place,
            "word": word.text,
            "contribution": word.contribution,
            "divergence": word.divergence,
            "weight": word.weight,
        }
        for place, word in zip(numbered([word.text for word in ndd.words]), ndd.words, strict=True)
    ]
    return {
        "$schema": SCHEMA,
        "description": f"What each unedited word adds to the NDD of {ndd.total:.3f}. Edited: {edited_words(ndd)}.",
        "data": {"values": rows},
        "height": 220,
        "mark": {"type": "bar", "color": COLOURS[0], "minBandSize": 6},
        "encoding": {
            "x": {
                "field": "place",
                "type": "ordinal",
                "title": None,
                "axis": {"labelExpr": UNNUMBERED, "labelAngle": -40, "labelLimit": 120},
            },
            "y": {"field": "contribution", "type": "quantitative", "title": "weight × divergence"},
            "tooltip": [
                {"field": "word", "type": "nominal"},
                {"field": "divergence", "type": "quantitative", "format": ".4f"},
                {"field": "weight", "type": "quantitative", "format": ".4f"},
                {"field": "contribution", "type": "quantitative", "format": ".4f"},
            ],
        },
    }


def edited_words(ndd: Ndd) -> str:
    """The edited spans in words: cold → hot."""
    return "; ".join(
        " → ".join(
            " ".join(word.text for word in sentence.words[slice(*span)]) or "(nothing)"
            for sentence, span in ((ndd.before, each.before), (ndd.after, each.after))
        )
        for each in ndd.spans
    )
