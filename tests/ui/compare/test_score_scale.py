"""The scale of the normalized distance: bands by hand, the shipped ones again, and where a value lies on them."""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of

import tted_core
from tted_core import Comparison, MindMap, load_encoder, read_map
from tted_core.compare import compare_maps
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.explain.scale import Band, replaced_for
from tted_core.lab.edits import DOSES, edited
from tted_core.lab.samples import Sample, other_texts, read_samples
from tted_core.method import PRESETS, Method
from ui import samples
from ui.compare import score_scale
from ui.compare.score_scale import (
    RELATIONS,
    REPLACED,
    SHIPPED,
    detected_in_words,
    gauge,
    nothing_kept,
    scale_html,
    settings,
    typical_in_words,
)

MapPairs: TypeAlias = Mapping[str, Sequence[tuple[MindMap, MindMap]]]
"""Kind of difference -> pairs of maps that differ so."""


def bands(pairs: MapPairs, compare: Callable[[MindMap, MindMap], Comparison]) -> dict[str, Band]:
    """For each kind the normalized distances of its pairs."""
    return {
        kind: Band(tuple(compare(left, right).normalized for left, right in examples))
        for kind, examples in pairs.items()
    }


def sample_pairs(*, english: bool) -> MapPairs:
    """Each topic's map with its variants, and the maps of each two topics; optionally in English only."""
    topics = [topic for topic in samples.topics() if not (english and topic in samples.LANGUAGES)]
    pairs: dict[str, list[tuple[MindMap, MindMap]]] = {
        kind: [
            (_read(topic, "base"), _read(topic, f"{kind}_{number}"))
            for topic in topics
            for number in (1, 2, 3)
        ]
        for kind in list(RELATIONS)[:-1]
    }
    pairs["unrelated"] = [
        (_read(one, "base"), _read(other, "base")) for one, other in itertools.combinations(topics, 2)
    ]
    read = [sample for sample in read_samples(samples.FOLDER) if sample.name in topics]
    for count in DOSES.values():
        made = [pair for sample in read for pair in _replaced(sample, other_texts(sample, read), count)]
        share = sum(count(len(left.tree)) / len(left.tree) for left, _ in made) / len(made)
        pairs[f"{REPLACED}{share:.4f}"] = made
    return pairs


def _replaced(
    sample: Sample, texts: Sequence[str], count: Callable[[int], int]
) -> Iterator[tuple[MindMap, MindMap]]:
    """A map with each of its paraphrases, in which sentences are replaced by those of other topics."""
    for number, paraphrase in enumerate(sample.paraphrase):
        times = count(len(paraphrase))
        made = edited(paraphrase, "meaning", times, seed=f"{sample.name}/{number}", texts=texts)
        yield MindMap(sample.base, "tree"), MindMap(made.tree, "tree")


def _read(topic: str, name: str) -> MindMap:
    return read_map(samples.FOLDER / topic / f"{name}.json")


CHOICES = [Method.of(name, encoder=encoder) for encoder in ("minilm", "use-multilingual") for name in PRESETS]
SCALE = {
    "paraphrase": Band((0.1, 0.2, 0.3)),
    "unrelated": Band((0.8, 0.6, 0.7)),
    f"{REPLACED}0.1000": Band((0.3, 0.4, 0.5)),
    f"{REPLACED}0.5000": Band((0.5, 0.6, 0.7)),
}


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


@pytest.mark.thorough
def test_the_shipped_bands_can_be_reproduced(minilm, update_golden):
    encoders = {"minilm": minilm, "use-multilingual": encoding_once(load_encoder("use-multilingual"))}

    def compared(choice):
        return partial(compare_maps, method=choice, models=Models(encoders[choice.encoder]))

    if update_golden:
        scales = {
            settings(choice): bands(sample_pairs(english=choice.encoder == "minilm"), compared(choice))
            for choice in CHOICES
        }
        content = {
            key: {kind: [round(value, 6) for value in band.values] for kind, band in scale.items()}
            for key, scale in scales.items()
        }
        SHIPPED.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    shipped = json.loads(SHIPPED.read_text(encoding="utf-8"))
    assert list(shipped) == [settings(choice) for choice in CHOICES]
    some = slice(15, 18)  # of the shortest maps
    for choice in CHOICES:
        scale = shipped[settings(choice)]
        pairs = sample_pairs(english=choice.encoder == "minilm")
        assert {kind: len(values) for kind, values in scale.items()} == {
            kind: len(examples) for kind, examples in pairs.items()
        }
        few = {kind: examples[some] for kind, examples in pairs.items() if kind != "unrelated"}
        again = bands(few, compared(choice))
        for kind, band in again.items():
            assert list(band.values) == pytest.approx(scale[kind][some], abs=1e-4)


@pytest.mark.thorough
def test_all_kinds_have_pairs_and_english_encoders_get_english_maps():
    every, english = sample_pairs(english=False), sample_pairs(english=True)
    assert list(every)[:4] == list(english)[:4] == list(RELATIONS)
    doses = [float(kind.removeprefix(REPLACED)) for kind in list(english)[4:]]
    assert doses == sorted(doses)
    assert 0 < doses[0] < 0.1 < doses[-1] == pytest.approx(0.5, abs=0.02)
    assert all(len(examples) == 24 for kind, examples in english.items() if kind.startswith(REPLACED))
    assert len(every["paraphrase"]) == 51
    assert len(every["unrelated"]) == 136
    assert len(english["paraphrase"]) == 24
    assert len(english["unrelated"]) == 28


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.2, "typical of maps that are paraphrased."),
        (0.05, "below the typical range of all"),
        (0.9, "above the typical range of all"),
        (0.45, "above the typical range of maps that are paraphrased, and below that of the others"),
    ],
)
def test_a_value_is_described_by_its_band(value, words):
    assert words in typical_in_words(SCALE, value)
    assert f"{value:.3f}" in scale_html(SCALE, value, nodes=20, end=0.9)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.2, "with 0 of 20 sentences replaced by those of another topic (0 to 1)"),
        (0.4, "with 2 of 20 sentences replaced by those of another topic (1 to 5)"),
        (0.5, "with 6 of 20 sentences replaced by those of another topic (3 to 9)"),
        (
            0.7,
            "with more than 10 of 20 sentences replaced by those of another topic.",
        ),
    ],
)
def test_a_value_is_given_in_replaced_sentences(value, words):
    assert words in detected_in_words(SCALE, value, 20)
    assert words in scale_html(SCALE, value, nodes=20, end=0.9)


def test_the_dose_is_read_off_the_curves_of_median_and_tenths():
    curves = {0.0: Band((0.0, 1.0, 2.0)), 0.5: Band((2.0, 3.0, 4.0))}
    found = replaced_for(2.0, curves)
    assert found.about == pytest.approx(0.25)
    assert found.least == pytest.approx(0.5 * (2.0 - 1.8) / 2)
    assert found.most == pytest.approx(0.5 * (2.0 - 0.2) / 2)
    assert replaced_for(9.0, curves).about == float("inf")
    assert replaced_for(-1.0, curves).most == 0.0


def test_the_gauge_ends_where_no_sentence_is_kept(monkeypatch):
    left, right = (MindMap(tree_of(text), "tree") for text in ("r(a b)", "x(y z(w))"))
    result = compare(left, right, encoder=hashed)
    most = nothing_kept(result)
    assert result.normalized <= most <= 1
    uncalibrated = gauge(result)
    assert f"{most:.2f} no sentence kept" in uncalibrated
    assert "Typical" not in uncalibrated
    scale = SCALE | {"structure": Band((0.4, 0.5, 0.6))}
    monkeypatch.setattr(score_scale, "known", lambda: {settings(result.method): scale})
    calibrated = gauge(result)
    assert f"{most:.2f} no sentence kept" in calibrated
    assert "paraphrased 0.20 · restructured 0.50 · unrelated 0.70" in calibrated


def test_with_a_power_no_sentence_kept_comes_to_less_than_one():
    one, other = (MindMap(tree_of(text), "tree") for text in ("r(a b c)", "x(y z w)"))
    result = tted_core.compare(one, other, encoder=hashed, **PRESETS["proofreading"])
    most = nothing_kept(result)
    assert most == pytest.approx(2 * 2 ** (1 / 8) / (2 + 2 ** (1 / 8)))
    assert result.normalized <= most


def test_maps_of_different_sizes_are_not_held_against_sample_pairs(monkeypatch):
    left, right = (MindMap(tree_of(text), "tree") for text in ("r(a b)", "r(a b c d)"))
    result = compare(left, right, encoder=hashed)
    monkeypatch.setattr(
        score_scale, "known", lambda: {settings(result.method): SCALE | {"structure": Band((0.4, 0.5, 0.6))}}
    )
    assert "Typical" not in gauge(result)
