"""The scale of the normalized distance: bands by hand, the shipped ones again, and where a value lies on them."""

import json
from functools import partial

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of

from tted_core import Interrupted, MindMap
from tted_core.explain.scale import Band, bands
from tted_core.presets import PRESETS, preset
from ui import cache
from ui.compare.score_scale import (
    RELATIONS,
    SHIPPED,
    computed,
    place_in_words,
    sample_pairs,
    scale_html,
    settings,
)
from ui.options import Options

CHOICES = [
    Options(encoder="minilm", depth=None, time_limit=None, masked_model="", **preset(name))
    for name in PRESETS
]
SCALE = {"paraphrase": Band((0.1, 0.2, 0.3)), "unrelated": Band((0.8, 0.6, 0.7))}


def test_bands_by_hand():
    maps = [MindMap(tree_of(text), "tree") for text in ("r(a b)", "r(a c)", "x(y)")]
    made = {}

    def remembered(left, right):
        made[left.tree, right.tree] = result = compare(left, right, encoder=hashed)
        return result

    found = bands(
        {"some": [(maps[0], maps[1]), (maps[0], maps[2])], "same": [(maps[0], maps[0])]}, remembered
    )
    one, two, _ = (result.normalized for result in made.values())
    low, high = sorted((one, two))
    assert found["same"] == Band((0.0,))
    assert found["some"].values == (one, two)
    assert found["some"].median == pytest.approx((low + high) / 2)
    assert found["some"].low == pytest.approx(low + 0.1 * (high - low))
    assert found["some"].high == pytest.approx(high - 0.1 * (high - low))


def test_it_can_be_stopped():
    tree = MindMap(tree_of("r"), "tree")
    with pytest.raises(Interrupted):
        bands({"some": [(tree, tree)]}, compare, should_stop=lambda: True)


def test_the_shipped_bands_come_out_again(minilm, update_golden, monkeypatch):
    monkeypatch.setattr(cache, "encoder", lambda _name: minilm)
    if update_golden:
        scales = {settings(choice): computed(choice, lambda *_: None, lambda: False) for choice in CHOICES}
        content = {
            key: {kind: [round(value, 6) for value in band.values] for kind, band in scale.items()}
            for key, scale in scales.items()
        }
        SHIPPED.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    shipped = json.loads(SHIPPED.read_text(encoding="utf-8"))
    assert list(shipped) == [settings(choice) for choice in CHOICES]
    pairs = sample_pairs(english=True)
    for scale in shipped.values():
        assert {kind: len(values) for kind, values in scale.items()} == {
            kind: len(examples) for kind, examples in pairs.items()
        }
    some = slice(15, 18)  # of the shortest maps
    few = {kind: examples[some] for kind, examples in pairs.items() if kind != "unrelated"}
    for choice in CHOICES:
        options = {name: getattr(choice, name) for name in preset("published")}
        again = bands(few, partial(compare, encoder=minilm, **options))
        for kind, band in again.items():
            assert list(band.values) == pytest.approx(shipped[settings(choice)][kind][some], abs=1e-4)


def test_all_kinds_have_pairs_and_english_encoders_get_english_maps():
    every, english = sample_pairs(english=False), sample_pairs(english=True)
    assert list(every) == list(english) == list(RELATIONS)
    assert len(every["paraphrase"]) == 36
    assert len(every["unrelated"]) == 66
    assert len(english["paraphrase"]) == 24
    assert len(english["unrelated"]) == 28


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.2, "usual for maps that are paraphrased."),
        (0.05, "less than any"),
        (0.9, "more than any"),
        (0.45, "more than is usual for maps that are paraphrased, and less than for the others"),
    ],
)
def test_a_value_is_placed_in_words(value, words):
    assert words in place_in_words(SCALE, value)
    assert f"{value:.3f}" in scale_html(SCALE, value)
