"""What the step player says of the unordered distance, step by step."""

import math

from tted_core.formats.labels import counted
from tted_core.learn.model_costs import DECIMALS
from tted_core.learn.stepper.narration import NEAR, number
from tted_core.learn.stepper.wording import at, listed, named
from tted_core.learn.unordered import PairStep, Refinement, Tables, Trace

GAINS = (
    "Keeping the pair (i, j) saves g(i, j) = delete(i) + insert(j) − replace(i, j). If one of them is a leaf, "
    "there is nothing below to save: W is g, or 0 where keeping the pair doesn't pay."
)
EVENTS = {
    "prices": "Better prices are sought for {pair}",
    "linear": "The linear program for {pair} is solved: pairs may be taken in part, but on no path from a root "
    "do the parts add up to more than 1",
    "cuts": "It takes more than 1 of pairs of which any two share a path: constraints that forbid this are added "
    "to the linear program for {pair}",
    "integer": "The integer program for {pair} is solved: each pair is taken or not",
    "child": "One of {pair} has an only child, whose bounds it takes over",
}


def most(value: float) -> str:
    """A bound from above as it is shown: rounded up, so that it still holds.

    What it leaves of the whole, rounded down, and it then add up to the whole.
    """
    return number(math.ceil((value - NEAR) * 10**DECIMALS) / 10**DECIMALS)


def least(value: float) -> str:
    """A bound from below as it is shown: rounded down."""
    return number(math.floor((value + NEAR) * 10**DECIMALS) / 10**DECIMALS)


def between(name: str, lower: float, upper: float) -> str:
    """Both bounds of something, or what it is if they agree."""
    if upper - lower <= NEAR:
        return f"{name} = {number(lower)}"
    return f"{least(lower)} ≤ {name} ≤ {most(upper)}"


def start(run: Trace) -> str:
    """What is sought."""
    return (
        "Mappings may keep any pairs that keep ancestors: siblings may change places, between branches too. "
        f"Deleting and inserting all nodes costs {number(run.total)}; the distance is that less what the best "
        "pairs save. To find them is NP-hard: the solver closes in from both sides."
    )


def known(run: Trace) -> str:
    """The bounds that need no search."""
    return (
        f"Known at once: no mapping costs less than each node's cheapest edit, {number(run.cheapest_edits)} in "
        f"all; and Zhang's constrained mapping, drawn here, costs {number(run.start.upper)}."
    )


def pair(run: Trace, each: PairStep) -> str:
    """F of one pair, bounded for the first time."""
    i, j = each.row, each.column
    lower, upper = (float(table[i, j]) for table in run.filled.forest)
    here = f"Below {named(run.left, i)} and {named(run.right, j)}"
    said = between(at("F", i, j), lower, upper)
    if upper - lower > NEAR:
        return (
            f"{here}, pairs are known that save {least(lower)}, and the bounds from above forbid more than "
            f"{most(upper)}: {said}, open."
        )
    if each.relaxation is None:
        return f"{here} there is an only child, and what is known of it is all there is: {said}, closed."
    return f"{here}, pairs are known that save {number(lower)}, and a bound forbids more: {said}, closed."


def filled(run: Trace, best: tuple[int, int]) -> str:
    """What all pairs together say; ``best`` is the pair of the largest known W."""
    lower, upper = run.bounds(run.filled)
    saves = [float(table.max()) for table in run.filled.pair]
    known, possible = least(saves[0]), most(saves[1])
    total = number(run.total)
    lowest, highest = least(run.total - saves[1]), most(run.total - saves[0])
    return (
        f"The largest W known is {at('W', *best)} = {known}, and none is more than {possible}: "
        f"the distance lies between {total} − {possible} = {lowest} and {total} − {known} = {highest}. "
        f"{'They meet: it is known.' if upper - lower <= NEAR else 'What lies between is open.'}"
    )


def refined(run: Trace, each: Refinement, earlier: Tables) -> str:
    """One step of closing the gap, and what it changed."""
    i, j = each.row, each.column
    both = f"{named(run.left, i)} and {named(run.right, j)}"
    lower, upper = (float(table[i, j]) for table in each.tables.forest)
    text = EVENTS[each.event].format(pair=both)
    if each.event == "cuts":
        return f"{text}."
    if each.event == "linear":
        parts = sorted({number(x) for _, _, x in each.amounts if x < 1 - NEAR})
        text += f". Here it takes {listed(parts)} of some" if parts else ". Here it takes whole pairs only"
    before = float(earlier.forest[1][i, j])
    moved = f", not {most(before)} any more" if before - upper > NEAR else ""
    closed = ", closed" if upper - lower <= NEAR else ""
    return f"{text}. {between(at('F', i, j), lower, upper)}{moved}{closed}."


def mapping(run: Trace) -> str:
    """The proof from one side."""
    kept = sum(source is not None and target is not None for source, target in run.solution.mapping)
    return (
        f"The mapping that the bounds from below stand for keeps {counted(kept, 'pair')}. Its costs add up to "
        f"{number(run.distance)}: that can be checked node by node."
    )


def end(run: Trace) -> str:
    """The certificate."""
    last = run.refinements[-1].tables if run.refinements else run.filled
    gained = run.start.upper - run.distance > NEAR
    constrained = f" Constrained, it is {number(run.start.upper)}." if gained else ""
    return (
        f"The certificate: a mapping that costs {number(run.distance)}, and bounds by which none saves more than "
        f"{most(float(last.pair[1].max()))} of {number(run.total)}. They agree, so {number(run.distance)} is "
        f"the unordered tree edit distance.{constrained}"
    )
