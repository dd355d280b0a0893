"""compare(): depths, encoding, notices, progress, result, errors; and searches that take long or are stopped."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.monitors import STOPPED, recording
from helpers.random_pairs import random_tree
from helpers.references import check_and_cost
from helpers.trees import sample, tree_of

from tted_core import compare
from tted_core.arithmetic import normalize_as_published, sizes_of, steinhaus
from tted_core.baselines import BASELINES
from tted_core.compare import with_depths
from tted_core.contexts import CONTEXTS
from tted_core.encoders.embedding import encoder_of
from tted_core.errors import MAX_DEPTH, Interrupted, LimitError, MapFormatError, SolverError, TTEDError
from tted_core.formats import MindMap, parse_map
from tted_core.foundations.monitor import Monitor
from tted_core.report.replay import read_replay, replay_json
from tted_core.solvers import SOLVERS, Solution, solution
from tted_core.tree import TextTree
from tted_core.version import VERSION

LEFT, RIGHT = tree_of("a(b(c) d)"), tree_of("a(b e(f))")

each_order = pytest.mark.parametrize("order", SOLVERS)


def run(left=LEFT, right=RIGHT, **options):
    return compare(left, right, **{"encoder": hashed, **options})


@each_order
@pytest.mark.parametrize("context", CONTEXTS)
def test_tted_at_k_equals_a_comparison_to_depth_k(order, context):
    left, right = sample("coral-reefs/base"), sample("how-vaccines-work/structure_1")
    options = {"order": order, "context": context, "distance": "manhattan"}
    whole = run(left, right, **options)
    assert (left.depth, right.depth, len(whole.tted_at)) == (4, 7, 7)
    for k in range(1, 8):
        at_k = run(left, right, depth=k, **options)
        assert at_k.tted == pytest.approx(whole.tted_at[k - 1])
        assert at_k.normalized == pytest.approx(whole.normalized_at[k - 1])
        assert at_k.tted_at == pytest.approx(whole.tted_at[:k])
        assert at_k.avg_tted == pytest.approx(math.fsum(whole.normalized_at[:k]) / k)
    assert whole.normalized == whole.normalized_at[-1]
    assert whole.tted == whole.tted_at[-1]


def test_indices_refer_to_the_trimmed_trees():
    left, right = tree_of("a(b(x y) c(z))"), tree_of("a(c(z) b(x))")
    result = run(left, right, depth=2)
    assert result.left.tree.labels == ("a", "b", "c")
    assert result.right.tree.labels == ("a", "c", "b")
    assert result.costs.shape == (4, 4)
    assert [(op.op, op.source, op.target) for op in result.script.ops] == [
        ("match", 0, 0),
        ("match", 1, 2),
        ("match", 2, 1),
    ]


def test_one_depth_can_trim_one_map_only():
    result = run(tree_of("a(b(c))"), tree_of("a(b)"), depth=2)
    assert result.left.notices == ("trimmed to depth 2: 2 of 3 nodes are compared",)
    assert result.right.notices == ()
    assert result.tted == 0.0


def test_signatures():
    left, right = LEFT.digest[:8], RIGHT.digest[:8]
    assert run().signature == (
        f"TTED|order:constrained|proven:yes|enc:custom@{encoder_of(hashed).fingerprint}|dist:cosine|ctx:none|gap:0|p:1|k:all|in:{left},{right}|v:{VERSION}"
    )
    other = run(
        encoder=sentence_encoder(name="e"),
        order="ordered",
        distance="manhattan",
        context="ancestors",
        depth=2,
    )
    assert other.signature == (
        f"TTED|order:ordered|proven:yes|enc:e@01234567|dist:manhattan|ctx:ancestors|gap:0|p:1|k:2|in:{left},{right}|v:{VERSION}"
    )
    assert other.method.model == "e"


def test_scores_follow_from_the_costs():
    result = run(order="ordered")
    assert result.steinhaus == steinhaus(result.tted, sizes_of(result.costs, 1.0))
    assert result.normalized == normalize_as_published(result.tted, sizes_of(result.costs, 1.0))
    assert result.proven
    assert result.lower_bound == result.tted == result.script.cost


def test_a_truncated_text_is_reported():
    encoder = sentence_encoder(max_tokens=2)
    left, right = TextTree(("one two", "one two three"), (-1, 0)), TextTree(("one two",), (-1,))
    (notice,) = run(left, right, encoder=encoder).notices
    assert notice.startswith("1 of 3 texts are longer than the 2 word pieces that hashed reads")
    assert 'try context "none"' not in notice
    (notice,) = run(left, right, encoder=encoder, context="ancestors").notices
    assert 'try context "none"' in notice
    assert run(left, right, encoder=sentence_encoder(max_tokens=3)).notices == ()
    assert run(left, right, encoder=sentence_encoder()).notices == ()


def test_notices_and_names_of_a_map_are_kept():
    left = parse_map("x\n```\na\n  b\n    c\n```", name="left.txt")
    assert left.notices
    result = compare(left, RIGHT, encoder=hashed)
    assert result.left is left
    assert result.right == MindMap(RIGHT, "tree")
    trimmed = compare(left, RIGHT, encoder=hashed, depth=2).left
    assert trimmed.notices == (*left.notices, "trimmed to depth 2: 2 of 3 nodes are compared")
    assert (trimmed.name, trimmed.format) == ("left.txt", "indented")


def test_baselines_look_at_the_trimmed_trees():
    result = run(baselines=BASELINES, depth=2)
    for name, score in BASELINES.items():
        expected = score(LEFT.trimmed(2), RIGHT.trimmed(2), hashed)
        found = result.baselines[name]
        # the mean of the scales is added up in another order where they are there
        assert found.sim == pytest.approx(expected.sim, rel=1e-12), name
        assert found.rho_base == pytest.approx(expected.rho_base, rel=1e-12), name


class StopNowError(Exception):
    pass


@pytest.mark.parametrize("stage", ["Encoding", "Computing the edit script", "Computing TTED@k", "baseline"])
def test_progress_may_stop_the_work(stage):
    def stop(reported, done, total):
        if stage in reported:
            raise StopNowError

    with pytest.raises(StopNowError):
        with_depths(run(monitor=Monitor(stop), baselines=["rouge_sim"]), Monitor(stop))


@each_order
def test_maps_of_one_node(order):
    same, other = run(tree_of("a"), tree_of("a"), order=order), run(tree_of("a"), tree_of("b"), order=order)
    assert (same.tted, same.tted_at, same.script.count("match")) == (0.0, (0.0,), 1)
    assert other.tted == pytest.approx(min(other.costs[0, 0], other.costs[0, 1] + other.costs[1, 0]))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10**20])
def test_a_depth_that_no_map_has_is_refused_as_in_a_replay_file(depth):
    with pytest.raises(LimitError, match=f"{depth:,} levels to compare, but the limit is 500") as refused:
        run(depth=depth)
    whole = MindMap(LEFT, "tree")
    content = json.loads(replay_json(whole, whole, run(whole, whole, depth=MAX_DEPTH).explain()))
    assert read_replay(json.dumps(content)).method.depth == MAX_DEPTH
    content["options"]["depth"] = depth
    with pytest.raises(MapFormatError, match=re.escape(f"options: {refused.value}")):
        read_replay(json.dumps(content))


def without_direction(texts):
    return hashed(texts) * [[float(text != "c")] for text in texts]


def test_a_zero_vector_has_other_distances():
    assert run(encoder=without_direction, distance="euclidean").tted > 0


def test_an_exception_of_a_custom_encoder_keeps_its_kind():
    def encoder(texts):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run(encoder=encoder)


def solver_returning(change):
    def solver(left, right, costs, *, time_limit=None, monitor=None):
        return change(SOLVERS["constrained"](left, right, costs))

    return solver


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda good: replace(good, upper=good.upper + 1, lower=good.upper + 1), "but its mapping costs"),
        (lambda good: replace(good, upper=good.upper - 1, lower=0), "but its mapping costs"),
        (lambda good: replace(good, lower=good.upper + 1), "at least"),
        (lambda good: replace(good, upper=math.nan, lower=math.nan), "but its mapping costs"),
        (lambda good: replace(good, lower=math.nan), "at least nan"),
        (lambda good: replace(good, mapping=good.mapping[1:]), "every node exactly once"),
        (lambda good: replace(good, mapping=()), "every node exactly once"),
    ],
)
def test_a_wrong_solver_gives_an_error_and_no_number(change, message, monkeypatch):
    monkeypatch.setitem(SOLVERS, "broken", solver_returning(change))
    with pytest.raises(SolverError, match=message):
        run(order="broken")


def test_a_rounding_error_of_a_solver_is_no_gap(monkeypatch):
    monkeypatch.setitem(
        SOLVERS,
        "rounding",
        solver_returning(lambda good: Solution(good.mapping, good.upper + 1e-12, good.upper + 1e-12)),
    )
    result = run(order="rounding")
    assert result.proven
    assert result.tted == math.fsum(op.cost for op in result.script.ops)


SHORT = 1e-9  # seconds: over before the search begins


def unrelated(side, size=90):
    """A map whose texts no other map has, so that all costs are nearly equal: hard to prove."""
    rng = np.random.default_rng(ord(side))
    tree = random_tree(rng, size, "any")
    return TextTree(tuple(f"{side}{node}" for node in range(size)), tree.parents)


ONE, OTHER = unrelated("l"), unrelated("r")


@pytest.fixture(scope="module")
def exact():
    return compare(ONE, OTHER, encoder=hashed, order="unordered")


def check(result, exact):
    """A valid script at its own cost, and bounds around the distance; the same for each depth."""
    mapping = tuple((op.source, op.target) for op in result.script.ops)
    cost = check_and_cost("unordered", ONE, OTHER, mapping, result.costs)
    assert result.tted == pytest.approx(cost)
    assert result.tted == pytest.approx(math.fsum(op.cost for op in result.script.ops))
    assert result.lower_bound <= exact.tted + 1e-9
    assert result.tted >= exact.tted - 1e-9
    assert len(result.tted_at) == len(exact.tted_at)
    assert result.tted_at[-1] == result.tted
    assert all(found >= best - 1e-9 for found, best in zip(result.tted_at, exact.tted_at, strict=True))
    assert f"|proven:{'yes' if result.proven else 'no'}|" in result.signature
    assert (result.excess == 0.0) == result.proven


def test_a_hard_pair_is_solved_when_there_is_time(exact):
    check(exact, exact)
    assert exact.proven
    assert exact.lower_bound == exact.tted
    assert exact.notices == ()
    constrained = compare(ONE, OTHER, encoder=hashed)
    assert exact.tted < constrained.tted  # else there is nothing to search for


def test_a_time_limit_leaves_a_gap_instead_of_a_proof(exact):
    result = compare(ONE, OTHER, encoder=hashed, order="unordered", time_limit=SHORT)
    check(result, exact)
    assert not result.proven
    assert 0.0 < result.excess < math.inf
    assert result.tted == pytest.approx(result.lower_bound * (1 + result.excess))
    assert exact.tted >= result.tted / (1 + result.excess) - 1e-9
    (notice,) = result.notices
    levels = len(result.tted_at)
    assert notice.startswith("TTED@k is not proven optimal for k = ")
    assert f", {levels}: a longer time limit" in notice
    content = result.to_dict()
    assert (content["proven"], content["options"]["time_limit"]) == (False, SHORT)
    assert content["lower_bound"] < content["tted"]


def test_a_notice_names_the_depths_that_are_not_proven(monkeypatch):
    def halved(left, right, costs, *, time_limit=None, monitor=None):
        good = SOLVERS["constrained"](left, right, costs)
        return good if len(left) in unproven else solution.Solution(good.mapping, good.lower / 2, good.upper)

    left, right = tree_of("a(b(c(d)))"), tree_of("e(f(g(h)))")
    monkeypatch.setitem(SOLVERS, "slow", halved)
    unproven = {1, 4}
    result = compare(left, right, encoder=hashed, order="slow")
    assert result.proven
    assert "|proven:yes|" in result.signature
    assert result.notices == (
        "TTED@k is not proven optimal for k = 2, 3: a longer time limit may find a cheaper script",
    )


@pytest.mark.parametrize("order", ["ordered", "constrained"])
def test_a_polynomial_order_always_finishes_with_a_proof(order):
    result = compare(ONE, OTHER, encoder=hashed, order=order, time_limit=SHORT)
    assert result.proven
    assert result.excess == 0.0
    assert result.notices == ()


def test_stopping_before_there_is_a_script_is_an_error_that_says_so():
    assert issubclass(Interrupted, TTEDError)
    with pytest.raises(Interrupted, match="before there was a result; run it again"):
        compare(ONE, OTHER, encoder=hashed, monitor=STOPPED)


def stopping_at(stage):
    """A monitor that stops as soon as this stage is reported."""
    reported = []
    return recording(reported, lambda: any(stage in words for words, _ in reported))


@pytest.mark.parametrize("stage", ["Computing the edit script", "Searching"])
def test_stopping_a_search_keeps_the_best_script_so_far(stage, exact):
    result = compare(ONE, OTHER, encoder=hashed, order="unordered", monitor=stopping_at(stage))
    check(result, exact)
    if stage == "Computing the edit script":  # the first report of the search is the last
        assert not result.proven
        assert result.excess > 0.0


def test_stopping_while_the_depths_are_solved_keeps_results_so_far(exact):
    result = compare(ONE, OTHER, encoder=hashed, order="unordered")
    result = with_depths(result, stopping_at("Computing TTED@k"))
    check(result, exact)
    assert (result.tted, result.proven) == (exact.tted, True)
    assert "TTED@k is not proven optimal" in result.notices[0]


def test_a_search_reports_its_bounds():
    reported = []
    compare(
        ONE,
        OTHER,
        encoder=sentence_encoder(),
        order="unordered",
        monitor=recording(reported),
        time_limit=SHORT,
    )
    searching = [(stage, share) for stage, share in reported if stage.startswith("Searching")]
    assert searching
    assert all("best script" in stage and "lower bound" in stage for stage, _ in searching)
    assert all(0.0 <= share <= 1.0 for _, share in reported)
