"""Figures of a generated corpus: numbers with intervals, the curve of Unique(n), meaning and wording."""

from tted_core.figures.style import COLOURS, SCHEMA, Spec, series
from tted_core.measures.corpus import CorpusProperties, GeneratedSentence
from tted_core.measures.sentence_sets import plane_density


def corpus_numbers(properties: CorpusProperties) -> Spec:
    """The paper's table as a figure: a panel per number, with each set's value and 95 % interval."""
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
    """Unique(n) of the first n generated sentences; it falls if a generator repeats itself."""
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


def similarity_plane(properties: CorpusProperties) -> Spec:
    """Zwerdling et al., figures 1 and 2: similarity of meaning on x, share of changed words on y."""
    points = [(each.semantic[0], each.edit_share[0]) for each in properties.sentences]
    x, y, density = plane_density(points)
    half_x, half_y = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    cells = [
        {
            "x": round(float(a - half_x), 4),
            "x2": round(float(a + half_x), 4),
            "y": round(float(b - half_y), 4),
            "y2": round(float(b + half_y), 4),
            "density": round(float(density[row, column]), 3),
        }
        for row, b in enumerate(y)
        for column, a in enumerate(x)
        if density[row, column] >= 0.01
    ]
    here: dict[tuple[float, float], list[GeneratedSentence]] = {}
    for each in properties.sentences:
        here.setdefault((round(each.semantic[0], 4), round(each.edit_share[0], 4)), []).append(each)
    spots = [
        {
            "similarity": similarity,
            "changed": changed,
            "sentences": len(some),
            "sentence": some[0].text,
            "nearest in meaning": some[0].semantic[1],
            "nearest in wording": some[0].edit_share[1],
        }
        for (similarity, changed), some in here.items()
    ]
    across = {
        "field": "similarity",
        "type": "quantitative",
        "title": "similarity of meaning to the nearest reference sentence",
        "scale": {"domain": [round(float(x[0] - half_x), 4), 1.02], "nice": False},
    }
    upwards = {
        "field": "changed",
        "type": "quantitative",
        "title": "share of words changed",
        "scale": {"domain": [-0.03, 1.03], "nice": False},
    }
    tooltip = ["sentence", "nearest in meaning", "similarity", "nearest in wording", "changed", "sentences"]
    return {
        "$schema": SCHEMA,
        "description": f"{len(points)} generated sentences by similarity of meaning (across) and share of words "
        "changed from the nearest reference sentence (upwards).",
        "height": 380,
        "layer": [
            {
                "data": {"values": cells},
                "mark": {"type": "rect", "color": COLOURS[0], "clip": True},
                "encoding": {
                    "x": {**across, "field": "x"},
                    "x2": {"field": "x2"},
                    "y": {**upwards, "field": "y"},
                    "y2": {"field": "y2"},
                    "opacity": {
                        "field": "density",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": [0, 0.75]},
                        "legend": None,
                    },
                },
            },
            {
                "data": {"values": spots},
                "mark": {
                    "type": "point",
                    "filled": True,
                    "color": COLOURS[1],
                    "stroke": "white",
                    "strokeWidth": 0.8,
                    "opacity": 0.95,
                },
                "encoding": {
                    "x": across,
                    "y": upwards,
                    "size": {
                        "field": "sentences",
                        "type": "quantitative",
                        "scale": {"type": "sqrt", "domain": [1, 20], "range": [45, 260], "clamp": True},
                        "legend": None,
                    },
                    "tooltip": [{"field": name, "type": "nominal"} for name in tooltip],
                },
            },
        ],
    }
