"""The gauge of the normalized distance: its end by hand, and the shipped distances of sample pairs again."""

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of

import tted_core
from tted_core import MindMap, compare, load_encoder, read_map
from tted_core.compare import compare_maps
from tted_core.distances import Models
from tted_core.encoders.embedding import with_memory_cache
from tted_core.method import PRESETS, Method
from ui import samples, scales
from ui.scales import (
    SHIPPED,
    gauge,
    nothing_kept,
    scale_key,
)

# Kind of difference -> pairs of maps that differ so.
MapPairs: TypeAlias = Mapping[str, Sequence[tuple[MindMap, MindMap]]]

CHOICES = [Method.of(name, encoder=encoder) for encoder in ("minilm", "use-multilingual") for name in PRESETS]


def sample_pairs(*, english: bool) -> MapPairs:
    """Each topic's map with its variants, and the maps of each two topics; optionally in English only."""
    topics = [topic for topic in samples.topics() if not (english and topic in samples.SAMPLE_LANGUAGES)]
    pairs: dict[str, list[tuple[MindMap, MindMap]]] = {
        kind: [
            (_read(topic, "base"), _read(topic, f"{kind}_{number}"))
            for topic in topics
            for number in (1, 2, 3)
        ]
        for kind in ("paraphrase", "structure")
    }
    pairs["unrelated"] = [
        (_read(one, "base"), _read(other, "base")) for one, other in itertools.combinations(topics, 2)
    ]
    return pairs


def _read(topic: str, name: str) -> MindMap:
    return read_map(samples.FOLDER / topic / f"{name}.json")


@pytest.mark.thorough
def test_the_shipped_distances_can_be_reproduced(minilm, update_golden):
    encoders = {"minilm": minilm, "use-multilingual": with_memory_cache(load_encoder("use-multilingual"))}

    def distances(choice, pairs):
        models = Models(encoders[choice.encoder])
        return {
            kind: [compare_maps(*pair, choice, models).normalized for pair in examples]
            for kind, examples in pairs.items()
        }

    if update_golden:
        content = {
            scale_key(choice): {
                kind: [round(value, 6) for value in values]
                for kind, values in distances(
                    choice, sample_pairs(english=choice.encoder == "minilm")
                ).items()
            }
            for choice in CHOICES
        }
        SHIPPED.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    shipped = json.loads(SHIPPED.read_text(encoding="utf-8"))
    assert list(shipped) == [scale_key(choice) for choice in CHOICES]
    some = slice(15, 18)  # of the shortest maps
    for choice in CHOICES:
        scale = shipped[scale_key(choice)]
        pairs = sample_pairs(english=choice.encoder == "minilm")
        assert {kind: len(values) for kind, values in scale.items()} == {
            kind: len(examples) for kind, examples in pairs.items()
        }
        few = {kind: examples[some] for kind, examples in pairs.items() if kind != "unrelated"}
        for kind, values in distances(choice, few).items():
            assert values == pytest.approx(scale[kind][some], abs=1e-4)


def test_the_gauge_ends_where_no_sentence_is_kept(monkeypatch):
    left, right = (MindMap(tree_of(text), "tree") for text in ("r(a b)", "x(y z(w))"))
    result = compare(left, right, encoder=hashed)
    most = nothing_kept(result)
    assert result.normalized <= most <= 1
    uncalibrated = gauge(result)
    assert f"{most:.2f} no sentence kept" in uncalibrated
    assert "Typical" not in uncalibrated
    scale = {"paraphrase": [0.1, 0.2, 0.3], "structure": [0.4, 0.5, 0.6], "unrelated": [0.8, 0.6, 0.7]}
    monkeypatch.setattr(scales, "read_scales", lambda: {scale_key(result.method): scale})
    assert "paraphrased 0.20 · restructured 0.50 · unrelated 0.70" in gauge(result)
    larger = compare(tree_of("r(a b)"), tree_of("r(a b c d)"), encoder=hashed)
    assert "Typical" not in gauge(larger), "sizes differ too much"


def test_with_a_power_no_sentence_kept_comes_to_less_than_one():
    one, other = (MindMap(tree_of(text), "tree") for text in ("r(a b c)", "x(y z w)"))
    result = tted_core.compare(one, other, encoder=hashed, **PRESETS["proofreading"])
    most = nothing_kept(result)
    assert most == pytest.approx(2 * 2 ** (1 / 8) / (2 + 2 ** (1 / 8)))
    assert result.normalized <= most
