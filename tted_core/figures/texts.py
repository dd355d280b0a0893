"""Two texts: the share of each word in an NDD, and the cosines of word pieces that BERTScore matches greedily."""

from tted_core.distances.bertscore import TokenSimilarity
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


SHOWN = 60
"""Word pieces of either text that are drawn; more could not be read."""

LABELS = {"labelExpr": UNNUMBERED, "labelLimit": 120, "labelOverlap": False}


def word_piece_heat_map(similarity: TokenSimilarity) -> Spec:
    """A cell for each two word pieces, the best partner of each with a dot; without the model's own marks."""
    rows = [place for place, mark in enumerate(similarity.candidate_marks) if not mark][:SHOWN]
    columns = [place for place, mark in enumerate(similarity.reference_marks) if not mark][:SHOWN]
    cosines = similarity.cosines
    first, second = numbered(similarity.candidate), numbered(similarity.reference)
    cells = [
        {
            "row": first[row],
            "column": second[column],
            "first": similarity.candidate[row],
            "second": similarity.reference[column],
            "cosine": round(float(cosines[row, column]), 4),
            "best": bool(column == cosines[row].argmax() or row == cosines[:, column].argmax()),
        }
        for row in rows
        for column in columns
    ]
    x = {
        "field": "column",
        "type": "ordinal",
        "title": "second text (reference)",
        "axis": {**LABELS, "labelAngle": -60, "orient": "top"},
    }
    y = {
        "field": "row",
        "type": "ordinal",
        "title": "first text (candidate)",
        "axis": LABELS,
    }
    return {
        "$schema": SCHEMA,
        "description": f"Cosines of {len(rows)} word pieces of the first text with {len(columns)} of the second; "
        "a dot marks the best partner of a word piece. The table below holds the same.",
        "data": {"values": cells},
        "height": {"step": 22},
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "mark": {"type": "rect"},
                "encoding": {
                    "color": {
                        "field": "cosine",
                        "type": "quantitative",
                        "scale": {"scheme": "viridis", "domain": [0, 1], "clamp": True},
                        "legend": {"title": "cosine", "orient": "bottom"},
                    },
                    "tooltip": [
                        {"field": "first", "type": "nominal"},
                        {"field": "second", "type": "nominal"},
                        {"field": "cosine", "type": "quantitative", "format": ".3f"},
                    ],
                },
            },
            {
                "transform": [{"filter": "datum.best"}],
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 40,
                    "color": "#ffffff",
                    "stroke": "#000000",
                    "opacity": 1,
                },
            },
        ],
    }
