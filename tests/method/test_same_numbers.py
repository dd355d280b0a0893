"""One pair of maps has the same scores in one comparison, in many, by commands, in the Lab and in a what-if."""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.thorough import sampled
from helpers.trees import tree_of

from tted_core import TTED, compare
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.explain.what_if import under_choices
from tted_core.lab.grid import Grid
from tted_core.lab.quality import run_grid
from tted_core.lab.samples import Sample
from tted_core.method import PRESETS
from tted_core.solvers import NO_CHOICES, SOLVERS

COMPARED_SCORES = ("tted", "normalized", "steinhaus")
# Equal sentences, and siblings and subtrees that could as well be exchanged: many scripts of one cost.
PAIRS = {
    "ties": ("a(b b(c c) b)", "a(b(c) b(c) c)"),
    "equal": ("a(b(a b) b)", "a(b(a b) b)"),
    "moved": ("a(b(c d) e(f g) h)", "a(e(f b(c d)) g h i)"),
    "single": ("a", "b(a a(a))"),
    "other": ("a(b(c d(e)) f g(h))", "p(q(r) s(t(u) v) w(x))"),
}
MAPS = {name: tuple(map(tree_of, pair)) for name, pair in PAIRS.items()}
MODEL_OF_WORDS = 1e-5  # which sentences are read together changes a word's vector in its seventh digit

# By every distance about as far apart as proofreading makes a missing node cost; exact in single precision.
ENCODER = sentence_encoder(encode=lambda texts: hashed(texts) / 2048, name="minilm")


@dataclass(frozen=True)
class Desk:
    """A function that runs commands in this process, and a folder with folders "left" and "right" of the maps."""

    command: Callable
    folder: Path


@pytest.fixture
def desk(tted, monkeypatch, tmp_path):
    """Commands with the encoder above."""
    monkeypatch.setattr("tted_core.cli.shared.load_encoder", lambda _name, **_options: ENCODER)
    for side, number in (("left", 0), ("right", 1)):
        (tmp_path / side).mkdir()
        for name, pair in MAPS.items():
            nodes = zip(pair[number].labels, levels(pair[number]), strict=True)
            text = "".join(f"{'  ' * level}- {label}\n" for label, level in nodes)
            (tmp_path / side / f"{name}.md").write_text(text, encoding="utf-8")
    return Desk(tted, tmp_path)


def levels(tree):
    found = []
    for parent in tree.parents:
        found.append(0 if parent < 0 else found[parent] + 1)
    return found


def check(found, expected, relative=1e-12):
    for name, number in found.items():
        assert number == pytest.approx(expected[name], rel=relative, abs=relative), name


@pytest.mark.parametrize(
    ("preset_name", "context"),
    sampled([*((name, "none") for name in PRESETS), *(("published", c) for c in [*CONTEXTS][1:])], 3),
)
def test_every_engine_gives_the_same_numbers_by_vectors(desk, preset_name, context):
    names = [name for name in DISTANCES if DISTANCES[name].reads == "encoder"]
    check_engines(desk, names, preset_name, context)


@pytest.mark.parametrize("preset_name", sampled(PRESETS, 1))
def test_every_engine_gives_the_same_numbers_by_texts(desk, preset_name):
    names = [name for name in DISTANCES if DISTANCES[name].reads == "none"]
    check_engines(desk, names, preset_name, "none")


@pytest.mark.thorough
@pytest.mark.parametrize("distance", [name for name in DISTANCES if DISTANCES[name].reads == "word vectors"])
def test_many_pairs_have_the_same_numbers_by_a_model_of_words(distance):
    for order in SOLVERS:
        options = dict(PRESETS["published"]) | {"distance": distance, "order": order}
        pairs = [MAPS["ties"], MAPS["moved"]]
        for pair, row in zip(pairs, TTED(**options).compare_many(pairs), strict=True):
            result = compare(*pair, **options)
            check({score: row[score] for score in COMPARED_SCORES}, scores(result), MODEL_OF_WORDS)
            assert row["signature"] == result.signature


@pytest.mark.thorough
@pytest.mark.parametrize(
    "distance", sampled([name for name in DISTANCES if name not in distances_at_hand()], 1)
)
def test_the_labs_grid_gives_the_same_numbers_by_a_masked_model(tiny_masked_folder, distance):
    model = str(tiny_masked_folder)
    for order in SOLVERS:
        options = dict(PRESETS["published"]) | {"distance": distance, "order": order}
        found = {
            name: compare(*pair, encoder=ENCODER, masked_model=model, **options)
            for name, pair in MAPS.items()
        }
        check_grid(options, {name: scores(each) for name, each in found.items()}, MODEL_OF_WORDS, model)
        for each in found.values():
            check(scores(under_choices(each, NO_CHOICES)), scores(each))


def check_engines(desk, names, preset_name, context):
    """Hold all engines against ``compare``, for every order."""
    rows = batch_rows(desk, names, preset_name, context)
    for distance in names:
        for order in SOLVERS:
            options = dict(PRESETS[preset_name]) | {"distance": distance, "order": order, "context": context}
            found = {name: compare(*pair, encoder=ENCODER, **options) for name, pair in MAPS.items()}
            expected = {name: scores(each) for name, each in found.items()}
            many = TTED(encoder=ENCODER, **options).compare_many(MAPS.values())
            for (name, pair), row in zip(MAPS.items(), many, strict=True):
                check({score: row[score] for score in COMPARED_SCORES}, expected[name])
                assert row["signature"] == found[name].signature
                check(
                    {score: rows[name, distance, order][score] for score in COMPARED_SCORES}, expected[name]
                )
                assert rows[name, distance, order]["signature"] == found[name].signature
                matrix = TTED(encoder=ENCODER, **options).pairwise(pair)
                assert matrix[0, 1] == pytest.approx(expected[name]["tted"], rel=1e-12, abs=1e-12)
                check(scores(under_choices(found[name], NO_CHOICES)), expected[name])
            for name, values in systems_scores(desk, preset_name, options).items():
                check(values, expected[name])
            check_grid(options, expected)


def scores(result):
    return {name: getattr(result, name) for name in COMPARED_SCORES}


def batch_rows(desk, names, preset_name, context):
    """(pair, distance, order) -> scores and signature, by ``tted batch``."""
    out = desk.folder / "rows.csv"
    status, _, err = desk.command(
        *("batch", "--left", str(desk.folder / "left"), "--right", str(desk.folder / "right")),
        *("--out", str(desk.folder / "batch"), "--csv", str(out), "--preset", preset_name, "--workers", "1"),
        *("--distances", ",".join(names), "--orders", "all", "--contexts", context),
    )
    assert status == 0, err
    with out.open(encoding="utf-8-sig", newline="") as source:
        read = list(csv.DictReader(source))
    assert len(read) == len(PAIRS) * len(names) * len(SOLVERS)
    return {
        (row["id"], row["distance"], row["order"]): {
            "signature": row["signature"],
            **{name: float(row[name]) for name in COMPARED_SCORES},
        }
        for row in read
    }


def systems_scores(desk, preset_name, options):
    """Document -> scores of the one system, by ``tted systems``, whose first maps are the references."""
    out = desk.folder / "items.csv"
    status, text, err = desk.command(
        *(
            "systems",
            str(desk.folder / "left"),
            f"one={desk.folder / 'right'}",
            "--items",
            str(out),
            "--json",
        ),
        *("--preset", preset_name, "--resamples", "99", "--controls", "none"),
        *(part for name in ("distance", "order", "context") for part in (f"--{name}", options[name])),
    )
    assert status == 0, err
    assert json.loads(text)["systems"]
    with out.open(encoding="utf-8-sig", newline="") as source:
        read = list(csv.DictReader(source))
    assert {row["item"] for row in read} == set(PAIRS)
    return {row["item"]: {name: float(row[name]) for name in ("tted", "normalized")} for row in read}


def check_grid(options, expected, relative=1e-12, masked_model=""):
    """Each pair as a sample of one variant."""
    samples = [Sample(name, left, (right,), (), ()) for name, (left, right) in MAPS.items()]
    plural = {f"{name}s": (value,) for name, value in options.items()}
    models = {"masked_model": masked_model} if masked_model else {}
    grid = Grid({"minilm": lambda: ENCODER}, plural | models)
    (row,) = run_grid(samples, grid).rows
    for score in COMPARED_SCORES:
        for sample in row.scores[score]:
            check({score: sample.paraphrase[0]}, expected[sample.name], relative)
