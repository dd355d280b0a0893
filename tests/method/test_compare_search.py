"""compare() when a search takes long: stopped by the caller or by the clock, and what is said of the rest."""

import math

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.monitors import STOPPED, recording
from helpers.random_pairs import random_tree
from helpers.references import check_and_cost
from helpers.trees import tree_of

from tted_core import compare
from tted_core.compare import with_depths
from tted_core.errors import Interrupted, TTEDError
from tted_core.solvers import SOLVERS, solution
from tted_core.tree import TextTree

SHORT = 1e-9  # seconds: over before the search begins


def unrelated(side, size=40):
    """A map whose texts no other map has, so that all costs are nearly equal: hard to prove."""
    rng = np.random.default_rng(ord(side))
    tree = random_tree(rng, size, "any")
    return TextTree(tuple(f"{side}{node}" for node in range(size)), tree.parents)


LEFT, RIGHT = unrelated("l"), unrelated("r")


@pytest.fixture(scope="module")
def exact():
    return compare(LEFT, RIGHT, encoder=hashed, order="unordered")


def check(result, exact):
    """A valid script at its own cost, and bounds around the distance; the same for each depth."""
    mapping = tuple((op.source, op.target) for op in result.script.ops)
    cost = check_and_cost("unordered", LEFT, RIGHT, mapping, result.costs)
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
    constrained = compare(LEFT, RIGHT, encoder=hashed)
    assert exact.tted < constrained.tted  # else there is nothing to search for


def test_a_time_limit_leaves_a_gap_instead_of_a_proof(exact):
    result = compare(LEFT, RIGHT, encoder=hashed, order="unordered", time_limit=SHORT)
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
    result = compare(LEFT, RIGHT, encoder=hashed, order=order, time_limit=SHORT)
    assert result.proven
    assert result.excess == 0.0
    assert result.notices == ()


def test_stopping_before_there_is_a_script_is_an_error_that_says_so():
    assert issubclass(Interrupted, TTEDError)
    with pytest.raises(Interrupted, match="before there was a result; run it again"):
        compare(LEFT, RIGHT, encoder=hashed, monitor=STOPPED)


def stopping_at(stage):
    """A monitor that stops as soon as this stage is reported."""
    reported = []
    return recording(reported, lambda: any(stage in words for words, _ in reported))


@pytest.mark.parametrize("stage", ["Computing the edit script", "Searching"])
def test_stopping_a_search_keeps_the_best_script_so_far(stage, exact):
    result = compare(LEFT, RIGHT, encoder=hashed, order="unordered", monitor=stopping_at(stage))
    check(result, exact)
    if stage == "Computing the edit script":  # the first report of the search is the last
        assert not result.proven
        assert result.excess > 0.0


def test_stopping_while_the_depths_are_solved_keeps_results_so_far(exact):
    result = compare(LEFT, RIGHT, encoder=hashed, order="unordered")
    result = with_depths(result, stopping_at("Computing TTED@k"))
    check(result, exact)
    assert (result.tted, result.proven) == (exact.tted, True)
    assert "TTED@k is not proven optimal" in result.notices[0]


def test_a_search_reports_its_bounds():
    reported = []
    compare(
        LEFT,
        RIGHT,
        encoder=sentence_encoder(),
        order="unordered",
        monitor=recording(reported),
        time_limit=SHORT,
    )
    searching = [(stage, share) for stage, share in reported if stage.startswith("Searching")]
    assert searching
    assert all("best script" in stage and "lower bound" in stage for stage, _ in searching)
    assert all(0.0 <= share <= 1.0 for _, share in reported)
