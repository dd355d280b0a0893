"""The numbers of a generated corpus with their intervals, and the curve of Unique(n)."""

from tted_core.figures.style import SCHEMA, Spec, series
from tted_core.measures.corpus import CorpusProperties


def corpus_numbers(properties: CorpusProperties) -> Spec:
    """The table of the paper as a figure: a panel for each number, each set's value with its 95 % interval."""
    rows = [
        {
            "set": name,
            "number": number,
            "value": found.value,
            "low": found.value if found.low is None else found.low,
            "high": found.value if found.high is None else found.high,
        }
        for name, numbers in properties.sets.items()
        for number, found in numbers.items()
    ]
    sets = list(properties.sets)
    colour = series("set", sets, "set")["color"] | {"legend": None}
    y = {"field": "set", "type": "nominal", "sort": sets, "title": None}
    value = {"type": "quantitative", "scale": {"zero": False}, "title": None, "axis": {"tickCount": 4}}
    return {
        "$schema": SCHEMA,
        "description": "Numbers of each set of sentences with 95 % intervals, a panel for each number.",
        "data": {"values": rows},
        "columns": 2,
        "facet": {
            "field": "number",
            "type": "nominal",
            "sort": list(properties.sets.get("generated", {})),
            "title": None,
        },
        "resolve": {"scale": {"x": "independent"}},
        "spec": {
            "width": 230,
            "height": {"step": 22},
            "encoding": {"y": y, "color": colour},
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": {"x": {"field": "low", **value}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                    "encoding": {
                        "x": {"field": "value", **value},
                        "tooltip": [
                            {"field": "set", "type": "nominal"},
                            *(
                                {"field": field, "type": "quantitative", "format": ".4~f"}
                                for field in ("value", "low", "high")
                            ),
                        ],
                    },
                },
            ],
        },
    }


def unique_curve(properties: CorpusProperties) -> Spec:
    """Unique(n) of the first n generated sentences; it falls where a generator repeats itself."""
    rows = [
        {"n": point.n, "unique": point.unique, "new words": point.new_words} for point in properties.curve
    ]
    return {
        "$schema": SCHEMA,
        "description": f"Unique(n) of the first n of {len(properties.sentences)} generated sentences.",
        "height": 200,
        "data": {"values": rows},
        "mark": {"type": "line", "point": True, "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "n",
                "type": "quantitative",
                "title": "first n generated sentences",
                "axis": {"tickMinStep": 1},
            },
            "y": {
                "field": "unique",
                "type": "quantitative",
                "title": "Unique(n)",
                "scale": {"domain": [0, 1]},
                "axis": {"format": ".0%"},
            },
            "tooltip": [
                {"field": "n", "type": "quantitative"},
                {"field": "unique", "type": "quantitative", "format": ".3f"},
                {"field": "new words", "type": "quantitative"},
            ],
        },
    }
