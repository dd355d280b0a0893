"""Pinned numbers for the sample maps; tests/golden/README.md explains how to update them."""

import itertools
import json
from dataclasses import asdict

import pytest
from helpers.encoders import hashed, nearer
from helpers.paths import TESTS
from helpers.trees import sample

from tted_core import compare
from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.embedding import with_memory_cache
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.method import PRESETS
from tted_core.solvers import SOLVERS

GOLDEN = TESTS / "golden"
KINDS = ("match", "replace", "delete", "insert")
POLYNOMIAL = ("ordered", "constrained")

SMALL = [
    f"{topic}/base {topic}/{variant}"
    for topic in ("photosynthesis", "urban-heat", "coral-reefs")
    for variant in ("paraphrase_2", "structure_1", "structure_2", "structure_3", "meaning_1", "meaning_3")
] + ["coral-reefs/base coral-reefs/demo", "photosynthesis/base urban-heat/base"]
LARGE = [
    f"{topic}/base {topic}/{variant}"
    for topic in ("baikal", "how-vaccines-work", "history-of-writing", "solar-system")
    for variant in ("structure_2", "structure_3", "meaning_2")
]
REAL = [
    "photosynthesis/base photosynthesis/structure_2",
    "coral-reefs/base coral-reefs/demo",
    "coral-reefs/base coral-reefs/structure_1",
    "urban-heat/base urban-heat/paraphrase_2",
    "urban-heat/base urban-heat/meaning_3",
    "baikal/base baikal/paraphrase_1",
]

TRANSLATED = ["honigbiene/base honigbiene/meaning_3", "baikal/base photosynthesis/base"]

VECTORS = [name for name, each in DISTANCES.items() if each.reads == "encoder"]

# row: (pair, distance, order, context); an order that takes long is pinned on small maps only
HASHED_ROWS = [
    *itertools.product(SMALL, ["cosine"], SOLVERS, ["none", "ancestors"]),
    *itertools.product(LARGE, ["cosine"], POLYNOMIAL, ["none", "ancestors"]),
    *itertools.product(SMALL[:2], VECTORS, SOLVERS, ["none"]),
    *itertools.product(SMALL[3:6:2], ["euclidean"], SOLVERS, [*CONTEXTS][2:]),
]
MINILM_ROWS = [
    *itertools.product(REAL[:2], ["cosine"], SOLVERS, ["none", "ancestors"]),
    *itertools.product(REAL[2:], ["cosine"], SOLVERS, ["none"]),
    *itertools.product(REAL[1:2], VECTORS, SOLVERS, ["none"]),
]


def trees(pair):
    return [sample(name) for name in pair.split()]


def numbers(row, encoder):
    pair, distance, order, context = row
    return scored(compare(*trees(pair), encoder=encoder, distance=distance, order=order, context=context))


def scored(result):
    scores = {
        "tted": result.tted,
        "normalized": result.normalized,
        "steinhaus": result.steinhaus,
        "avg_tted": result.avg_tted,
        "tted_at": list(result.tted_at),
    }
    return {"operations": {kind: result.script.count(kind) for kind in KINDS}, "scores": scores}


def baseline_numbers(row):
    name, pair = row
    return {"operations": {}, "scores": asdict(BASELINES[name](*trees(pair), nearer))}


def check(file, rows, compute, tolerance, *, update):
    """Compare each row with the file, or write those that are new or differ into it."""
    path = GOLDEN / file
    found = {" ".join(row): compute(row) for row in rows}
    golden = json.loads(path.read_text(encoding="utf-8"))
    if update:
        kept = {
            key: golden[key] for key in found if key in golden and same(found[key], golden[key], tolerance)
        }
        lines = ",\n".join(
            f"{json.dumps(key)}: {json.dumps(kept.get(key, value))}" for key, value in found.items()
        )
        path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        golden = found
    assert list(golden) == list(found), "other rows than in the file; see tests/golden/README.md"
    assert [key for key, value in found.items() if not same(value, golden[key], tolerance)] == []


def same(found, golden, tolerance):
    return found["operations"] == golden["operations"] and all(
        number == pytest.approx(golden["scores"][score], abs=tolerance)
        for score, number in found["scores"].items()
    )


def test_with_the_hashing_encoder(update_golden):
    check("hashed.json", HASHED_ROWS, lambda row: numbers(row, hashed), 1e-9, update=update_golden)


def test_with_the_multilingual_encoder(update_golden):
    encoder = with_memory_cache(load_encoder("use-multilingual"))
    rows = itertools.product([*REAL, *TRANSLATED], ["cosine"], POLYNOMIAL, ["none"])
    check("use-multilingual.json", list(rows), lambda row: numbers(row, encoder), 1e-5, update=update_golden)


def test_with_minilm(minilm, update_golden):
    check("minilm.json", MINILM_ROWS, lambda row: numbers(row, minilm), 1e-5, update=update_golden)


def test_the_proofreading_preset_with_minilm(minilm, update_golden):
    rows = [(pair, order) for pair in REAL for order in SOLVERS]
    options = dict(PRESETS["proofreading"])

    def compute(row):
        return scored(compare(*trees(row[0]), encoder=minilm, **{**options, "order": row[1]}))

    check("proofreading.json", rows, compute, 1e-5, update=update_golden)


def test_baselines(update_golden):
    rows = itertools.product(BASELINES, [*SMALL[:8], *LARGE[:2], *REAL[1:3]])
    check("baselines.json", list(dict.fromkeys(rows)), baseline_numbers, 1e-9, update=update_golden)


def test_the_opening_demo_shows_all_four_operations_with_minilm(minilm):
    """Check the promises of sample_trees/README.md."""
    script = compare(*trees(REAL[1]), encoder=minilm).script
    assert {kind: script.count(kind) for kind in KINDS} == {
        "match": 10,
        "replace": 2,
        "delete": 2,
        "insert": 3,
    }
    assert any("relocated" in note for op in script.ops for note in op.notes)


def test_a_russian_paraphrase_pairs_every_sentence_with_its_own(minilm):
    """An English-only encoder, yet the tree is the same, and so should the mapping be."""
    result = compare(*trees(REAL[5]), encoder=minilm)
    assert {(op.source, op.target) for op in result.script.ops} == {(node, node) for node in range(14)}
    assert "in Russian" in result.notices[0]


@pytest.mark.parametrize("topic", ["photosynthesis", "urban-heat", "coral-reefs"])
@pytest.mark.parametrize("order", POLYNOMIAL)
def test_with_minilm_a_map_on_another_topic_is_farther_than_a_rewording(minilm, topic, order):
    base, near, far = (sample(f"{topic}/{name}") for name in ("base", "paraphrase_1", "meaning_3"))
    there, back = (compare(base, other, encoder=minilm, order=order) for other in (near, far))
    assert there.steinhaus < 0.6 * back.steinhaus
    assert compare(base, base, encoder=minilm, order=order).tted == 0.0
