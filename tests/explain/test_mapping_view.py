"""The mapping as drawings show it, by hand and for any trees; and colours that tell the statuses apart."""

from itertools import combinations

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core.explain.correspondence import QUIET, STATUSES
from tted_core.explain.mapping_view import MappingView
from tted_core.report.palette import STYLES


def test_a_move_is_one_outcome_with_two_ends_and_both_costs():
    left, right = "r(p(x(y) a(b c)) q(z(u v w)))", "r(p(x(y)) q(z(u v w) a(b c)))"
    view = MappingView(compare(tree_of(left), tree_of(right), encoder=hashed))
    moved = [number for number, each in enumerate(view.outcomes) if each.status == "moved"]
    assert [view.trees[0].labels[view.outcomes[number].source] for number in moved] == ["a", "b", "c"]
    for number in moved:
        assert [op.op for op in view.operations[number]] == ["delete", "insert"]
        assert view.amount_text(number) == ""  # the costs are those of a deletion and an insertion
        assert view.notes(number) == []
    assert {view.change_of[number] for number in moved} == {0}
    (change,) = view.changes
    assert (change.kind, change.nodes, change.cost) == ("moved", 3, view.comparison.tted)


def test_a_sentence_that_the_script_does_not_align_has_no_cost_and_says_why():
    """Two headings exchange some of what is below them: in this order a branch goes to one branch only."""
    left, right = tree_of("r(x(a b) y(c d))"), tree_of("r(z(a c) w(b d))")
    view = MappingView(compare(left, right, encoder=hashed, order="constrained"))
    apart = [number for number in range(len(view.outcomes)) if not view.is_aligned(number)]
    assert apart
    assert {view.outcomes[number].status for number in apart} == {"same"}
    assert {view.amount_text(number) for number in apart} == {""}
    notes = {note for number in apart for note in view.notes(number)}
    assert {note.partition(":")[0] for note in notes} == {"not aligned by the script"}


@pytest.mark.parametrize("context", ["none", "ancestors"])
@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(), right=trees())
def test_every_node_has_an_outcome_and_every_change_its_own(order, context, left, right):
    result = compare(left, right, encoder=hashed, order=order, context=context)
    view = MappingView(result)
    assert [sorted(at) for at in view.at] == [list(range(len(left))), list(range(len(right)))]
    for each, change in zip(view.outcomes, view.change_of, strict=True):
        assert (change is None) == (each.status in QUIET)
        if change is not None:
            assert view.changes[change].kind == each.status
    assert sum(map(len, view.operations)) == len(result.script.ops)
    costs = {(op.source, op.target): op.cost for op in result.script.ops}
    for number, each in enumerate(view.outcomes):
        amount = view.amount_text(number)
        assert not amount or amount == f"{costs[each.source, each.target]:.4f}"
        assert not amount or each.status != "same"
    ends = [view.ends(number) for number in range(len(view.outcomes))]
    assert sorted(v for v, _ in ends if v is not None) == list(range(len(left)))
    assert sorted(w for _, w in ends if w is not None) == list(range(len(right)))
    count = view.counts
    gone, come = count["missing"], count["extra"]
    assert sum(count.values()) - come == len(left)
    assert sum(count.values()) - gone == len(right)
    assert len(view.links) == sum(count.values()) - gone - come
    for side in (0, 1):
        shown = [row[side] for row in view.rows if row[side] is not None]
        assert sorted(shown) == list(range(len(view.trees[side])))


# Machado, Oliveira and Fernandes 2009, severity 1: what people without one kind of cone see, in linear RGB.
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "no green": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "no blue": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
LOUD = [kind for kind in STATUSES if kind not in QUIET]


def linear(colour):
    parts = [int(colour[position : position + 2], 16) / 255 for position in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb):
    rgb = [min(1, max(0, part)) for part in rgb]
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    sums = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in rows)
    x, y, z = (
        (each / white) ** (1 / 3) if each / white > 0.008856 else 7.787 * each / white + 16 / 116
        for each, white in zip(sums, (0.9505, 1, 1.089), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eyes", SEEN)
def test_the_colour_of_a_move_differs_from_the_others_for_all_eyes(eyes, theme):
    def seen(kind):
        rgb = linear(getattr(STYLES[kind], theme)[1])
        return lab([sum(a * b for a, b in zip(row, rgb, strict=True)) for row in SEEN[eyes]])

    apart = {
        frozenset(pair): sum((a - b) ** 2 for a, b in zip(*map(seen, pair), strict=True)) ** 0.5
        for pair in combinations(LOUD, 2)
    }
    assert min(distance for pair, distance in apart.items() if "moved" in pair) > 25


@pytest.mark.parametrize("kind", STATUSES)
def test_texts_are_read_on_every_fill(kind):
    def light(colour):
        return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))

    for (fill, _), text in ((STYLES[kind].light, "#31333f"), (STYLES[kind].dark, "#fafafa")):
        low, high = sorted((light(fill), light(text)))
        assert (high + 0.05) / (low + 0.05) >= 4.5
