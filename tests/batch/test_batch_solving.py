"""Many pairs give what compare() gives for each: by the library, its matrix command, and any setting."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from helpers.batch import batch_options
from helpers.encoders import counting, hashed, nearer, sentence_encoder, with_vectors
from helpers.random_pairs import random_tree
from helpers.thorough import sampled
from helpers.trees import SAMPLES

from tted_core import TTED, MindMap, TextTree, compare, read_map
from tted_core.baselines import BASELINES, BaselineScore
from tted_core.batch.table import rows_of
from tted_core.contexts import CONTEXTS
from tted_core.distances import Models
from tted_core.errors import LimitError, OptionsError
from tted_core.pipeline import chunks, prepare, prepare_maps
from tted_core.pipeline.costs import CHUNK_CELLS, CHUNK_NODES, CHUNK_PAIRS
from tted_core.solvers import SOLVERS, Solution

COMPARED_SCORES = ("tted", "lower_bound", "proven", "normalized", "steinhaus")

KINDS = ("match", "replace", "delete", "insert")


def rows(trees, pairs, options, encoder):
    """All rows of these pairs as dicts."""
    named = [(f"map {number}", lambda tree=tree: MindMap(tree, "tree")) for number, tree in enumerate(trees)]
    maps = prepare_maps(named, options.contexts, depth=options.depth)
    models = Models(load_encoder=lambda _name: encoder)
    prepared = prepare(maps, options.methods, models, baselines=options.baselines)
    part, numbers = prepared.of(np.array(pairs, dtype=np.int32))  # as workers get them
    yield from rows_of(part, options, numbers)


def check(row, trees, pair, encoder, depth=None):
    """The row says what compare() says."""
    result = compare(
        trees[pair[0]],
        trees[pair[1]],
        encoder=encoder,
        depth=depth,
        **{name: row[name] for name in ("distance", "order", "context", "gap", "power")},
    )
    for name in COMPARED_SCORES:
        assert row[name] == pytest.approx(getattr(result, name), rel=1e-9, abs=1e-9), (name, row)
    # Another script may cost the same; whichever it is, each node is in it once.
    assert row["match"] + row["replace"] + row["delete"] == len(result.left.tree)
    assert row["match"] + row["replace"] + row["insert"] == len(result.right.tree)
    if row["power"] == 1:
        assert sum(row[f"cost_{kind}"] for kind in KINDS[1:]) == pytest.approx(
            row["tted"], rel=1e-9, abs=1e-9
        )
    assert row["signature"] == result.signature
    assert (row["left_nodes"], row["right_nodes"]) == (len(result.left.tree), len(result.right.tree))
    assert row["error"] is None


def test_a_distance_and_a_context_that_do_not_go_together_are_refused():
    with pytest.raises(OptionsError):
        batch_options(distances=("levenshtein",), contexts=("path",))


@pytest.mark.parametrize(
    ("distance", "context"),
    sampled(
        [("levenshtein", "ancestors"), *(("cosine", each) for each in CONTEXTS), ("manhattan", "none")], 4
    ),
)
def test_random_maps_give_the_results_of_compare(distance, context):
    rng = np.random.default_rng(3)
    shapes = [random_tree(rng, int(rng.integers(1, 20)), "any") for _ in range(3)]
    trees = [
        TextTree(tuple(rng.choice(["", "leaf", "root", "stem", f"own {number}"], len(shape))), shape.parents)
        for number, shape in enumerate(shapes)
    ]
    pairs = list(itertools.product(range(3), repeat=2))
    options = batch_options(
        distances=(distance,),
        contexts=(context,),
        orders=tuple(SOLVERS),
        gaps=(0.0, 0.5, "=0.8"),
        powers=(1.0, 2.5),
    )
    encoder = sentence_encoder()
    found = list(rows(trees, pairs, options, encoder))
    settings = options.methods
    assert len(settings) == 6 * len(SOLVERS)
    for row, pair in zip(found, (pair for pair in pairs for _ in settings), strict=True):
        check(row, trees, pair, encoder)
        if pair[0] == pair[1]:
            assert row["tted"] == 0.0


def test_near_texts_are_distinguished_and_equal_ones_cost_nothing():
    """A product of vectors alone would lose what differs in the ninth digit."""
    encoder = with_vectors({"": (0.0, 1.0), "a": (1.0, 0.0), "b": (1.0, 1e-9), "c": (2.0, 0.0)})
    trees = [TextTree((label,), (-1,)) for label in "abc"]
    options = batch_options(
        encoders=("custom",), distances=("cosine", "euclidean"), gaps=(0.0,), powers=(1.0,)
    )
    found = list(rows(trees, [(0, 0), (0, 1), (0, 2)], options, encoder))
    assert [row["tted"] for row in found if row["distance"] == "cosine"] == pytest.approx(
        [0.0, 1e-9 / np.sqrt(2), 0.0], rel=1e-6
    )
    assert [row["tted"] for row in found if row["distance"] == "euclidean"] == pytest.approx(
        [0.0, 1e-9, 1.0], rel=1e-6
    )
    assert [row["match"] for row in found] == [1, 1, 0, 0, 0, 0]


def test_a_zero_vector_affects_only_its_own_pairs():
    encoder = with_vectors({"": (1.0, 0.0), "flat": (0.0, 0.0), "a": (0.0, 1.0)})
    trees = [TextTree((label,), (-1,)) for label in ("a", "flat")]
    options = batch_options(encoders=("custom",))
    good, bad = rows(trees, [(0, 0), (0, 1)], options, encoder)
    assert (good["tted"], good["error"]) == (0.0, None)
    assert bad["tted"] is None
    assert bad["signature"] is None
    assert "zero vector" in bad["error"]


def test_every_row_has_baselines():
    trees = [read_map(SAMPLES / "bread" / f"{name}.json").tree for name in ("base", "meaning_1")]
    options = batch_options(orders=("ordered", "constrained"), baselines=tuple(BASELINES))
    found = list(rows(trees, [(0, 1)], options, nearer))
    assert len(found) == 2
    for row in found:
        for name, baseline in BASELINES.items():
            score = baseline(*trees, nearer)
            assert isinstance(score, BaselineScore)
            assert (row[name], row[f"{name}_rho"]) == pytest.approx((score.sim, score.rho_base), abs=1e-9)


def test_a_baseline_by_vectors_needs_a_distance_by_vectors():
    tree, other = (read_map(SAMPLES / "bread" / f"{name}.json").tree for name in ("base", "paraphrase_1"))
    options = batch_options(distances=("euclidean", "levenshtein"), baselines=("rouge_bag", "ceds"))
    by_strings, by_vectors = rows([tree, other], [(0, 1)], options, nearer)
    assert by_vectors["ceds"] == pytest.approx(BASELINES["ceds"](tree, other, nearer).sim)
    assert (by_strings["ceds"], by_strings["rouge_bag"]) == (None, by_vectors["rouge_bag"])
    assert "ceds: it needs sentence vectors" in by_strings["notices"]
    assert "ceds" not in by_vectors["notices"]


def test_notices_name_their_map():
    encoder = sentence_encoder(english_only=True)
    trees = [TextTree(("Tides",), (-1,)), TextTree(("Приливы и отливы",), (-1,))]
    row = next(iter(rows(trees, [(0, 1)], batch_options(), encoder)))
    assert row["notices"].startswith("right map: the texts are in Russian")


def test_chunks_fit_into_memory():
    """By pairs, by costs, and by nodes, whose vectors are in memory, too."""
    sizes = (1, 1500, 1500)
    maps = [MindMap(TextTree(("",) * size, (-1, *[0] * (size - 1))), "tree") for size in sizes]
    named = [(str(number), lambda each=each: each) for number, each in enumerate(maps)]
    prepared = prepare(prepare_maps(named, ("none",)), (), Models())
    pairs = np.array([(0, 0)] * 300 + [(0, 1)] * 100 + [(1, 2)] * 3, dtype=np.int32)
    found = list(chunks(prepared, pairs))
    assert np.array_equal(np.concatenate(found), pairs)
    for chunk in found:
        nodes = np.array(sizes)[chunk] + 1
        assert len(chunk) == 1 or (len(chunk) <= CHUNK_PAIRS and nodes.sum() <= CHUNK_NODES)
        assert len(chunk) == 1 or nodes.prod(axis=1).sum() <= CHUNK_CELLS


def test_a_wrong_mapping_affects_only_its_own_pairs(monkeypatch):
    def crossed(left, right, costs, *, time_limit=None, monitor=None):
        good = SOLVERS["constrained"](left, right, costs)
        return Solution(((0, 1), (1, 0)), good.lower, good.upper) if len(left) == 2 else good

    monkeypatch.setitem(SOLVERS, "crossed", crossed)
    trees = [TextTree(("a", "b"), (-1, 0)), TextTree(("a", "c"), (-1, 0)), TextTree(("a",), (-1,))]
    options = batch_options(encoders=("custom",), orders=("crossed",))
    bad, good = rows(trees, [(0, 1), (2, 1)], options, nearer)
    assert bad["error"] == "the solver's mapping doesn't keep the ancestor relation; please report this"
    assert bad["tted"] is None
    assert (good["error"], good["insert"]) == (None, 1)


FILES = [
    SAMPLES / topic / f"{name}.json"
    for topic in ("bread", "baikal")
    for name in ("base", "meaning_1", "structure_2")
]


@pytest.fixture(scope="module")
def maps():
    return [read_map(file) for file in FILES]


def test_many_pairs_as_rows_and_as_a_table(maps):
    encoder, requested = counting()
    pairs = [(maps[0], maps[1]), (maps[0].tree, maps[2]), (maps[1], maps[0])]
    results = TTED(encoder=encoder, order="ordered").compare_many(pairs, baselines=["rouge_bag"])
    rows = list(results)
    assert len(requested) == len(set(requested))
    for row, (left, right) in zip(rows, pairs, strict=True):
        assert row["tted"] == pytest.approx(
            compare(left, right, encoder=hashed, order="ordered").tted, rel=1e-9
        )
        assert row["rouge_bag"] > 0
    table = results.to_pandas()
    assert table["tted"].tolist() == [row["tted"] for row in rows]
    assert list(TTED(encoder=encoder).compare_many([])) == []


def test_rows_of_maps_that_cannot_be_compared_have_an_error(maps):
    large = TextTree(("",) * 2001, (-1,) + (0,) * 2000)
    others = (large, maps[1], "none.json", Path("none.json"))
    rows = list(TTED(encoder=hashed).compare_many([(maps[0], each) for each in others]))
    assert rows[0]["error"].startswith("right map: 2,001 nodes, but the limit is 2,000")
    assert rows[0]["tted"] is None
    assert rows[1]["error"] is None
    assert "there is no file of that name" in rows[2]["error"]
    assert "right map: 'none.json' can't be read (No such file" in rows[3]["error"]


@pytest.mark.parametrize("distance", ["cosine", "levenshtein"])
def test_a_matrix_equals_all_comparisons(maps, distance):
    matrix = TTED(encoder=hashed, distance=distance).pairwise(maps[:4], score="normalized")
    for i, left in enumerate(maps[:4]):
        for j, right in enumerate(maps[:4]):
            expected = compare(left, right, encoder=hashed, distance=distance).normalized
            assert matrix[i, j] == pytest.approx(expected, abs=1e-9)


def test_a_matrix_has_a_size_limit(maps, monkeypatch):
    encoder = with_vectors({"": (1.0, 0.0), "flat": (0.0, 0.0)})
    flat = TextTree(("flat",), (-1,))
    with pytest.raises(OptionsError, match="maps 0 and 1 can't be compared: the encoder gives a zero vector"):
        TTED(encoder=encoder).pairwise([flat, flat])
    monkeypatch.setattr("tted_core.batch.memory.MAX_MAPS_IN_MATRIX", 2)
    with pytest.raises(LimitError, match="3 maps, but the limit is 2"):
        TTED(encoder=hashed).pairwise(maps[:3])


@pytest.fixture
def folder(tmp_path):
    target = tmp_path / "maps"
    target.mkdir()
    for number, file in enumerate(FILES):
        (target / f"map-{number}.json").write_bytes(file.read_bytes())
    return target


def test_the_matrix_command(tted, folder, maps, tmp_path):
    out = tmp_path / "m.npy"
    figure = tmp_path / "heat.svg"
    common = ("matrix", str(folder), "--json")
    status, text, _ = tted(*common, "--out", str(out), "--figure", str(figure))
    assert status == 0
    expected = TTED(encoder=sentence_encoder()).pairwise(maps)
    assert np.load(out) == pytest.approx(expected, abs=1e-12)
    names = json.loads((tmp_path / "m.npy.names.json").read_text(encoding="utf-8"))
    assert names["names"] == [f"map-{number}" for number in range(6)]
    assert names["medoids"] == [f"map-{expected.sum(axis=1).argmin()}"]
    assert json.loads(text) == names
    assert figure.read_text(encoding="utf-8").startswith("<svg")
    assert tted(*common, "--out", str(out), "--score", "steinhaus")[0] == 0
    assert np.load(out).max() <= 1

    (folder / "broken.json").write_text("{", encoding="utf-8")
    status, _, err = tted(*common, "--out", str(tmp_path / "m.csv"))
    assert status == 0
    assert "left out: broken: " in err
    lines = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "map,map-0,map-1,map-2,map-3,map-4,map-5"
    assert len(lines) == 7
    assert (
        "unknown ending of a matrix's file '.txt'; choose one of: .npy"
        in tted(*common, "--out", str(tmp_path / "m.txt"))[2]
    )
