"""The bounds of the unordered distance step by step: what the player shows, and what it says."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tted_core.formats.labels import counted
from tted_core.learn.mappings import DECIMALS, NEAR, at, listed, marks_of, named, number
from tted_core.learn.unordered import Bound, PairStep, Refinement, Relaxation, Tables, Trace
from tted_core.solvers import Mapping

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


def start_text(run: Trace) -> str:
    """What is sought."""
    return (
        "Mappings may keep any pairs that keep ancestors: siblings may change places, between branches too. "
        f"Deleting and inserting all nodes costs {number(run.total)}; the distance is that less what the best "
        "pairs save. To find them is NP-hard: the solver closes in from both sides."
    )


def known_text(run: Trace) -> str:
    """The bounds that need no search."""
    return (
        f"Known at once: no mapping costs less than each node's cheapest edit, {number(run.cheapest_edits)} in "
        f"all; and Zhang's constrained mapping, drawn here, costs {number(run.start.upper)}."
    )


def pair_text(run: Trace, each: PairStep) -> str:
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


def filled_text(run: Trace, best: tuple[int, int]) -> str:
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


def refined_text(run: Trace, each: Refinement, earlier: Tables) -> str:
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


def mapping_text(run: Trace) -> str:
    """The proof from one side."""
    kept = sum(source is not None and target is not None for source, target in run.solution.mapping)
    return (
        f"The mapping that the bounds from below stand for keeps {counted(kept, 'pair')}. Its costs add up to "
        f"{number(run.distance)}: that can be checked node by node."
    )


def end_text(run: Trace) -> str:
    """The certificate."""
    last = run.refinements[-1].tables if run.refinements else run.filled
    gained = run.start.upper - run.distance > NEAR
    constrained = f" Constrained, it is {number(run.start.upper)}." if gained else ""
    return (
        f"The certificate: a mapping that costs {number(run.distance)}, and bounds by which none saves more than "
        f"{most(float(last.pair[1].max()))} of {number(run.total)}. They agree, so {number(run.distance)} is "
        f"the unordered tree edit distance.{constrained}"
    )


PAIRS, FORESTS = 0, 1
"""The grids."""
BELOW = {
    "match": ("≥ match children", "matching of best W"),
    "down": ("≥ only below k or l", "max of F(k, j), F(i, l)"),
    "repair": ("≥ prices, repaired", "sum of W(k, l), none on one path"),
}
ABOVE = {
    "child": ("≤ only child", "max of F(k, j) and all W(k, l)"),
    "prices": ("≤ prices p", "p + worth of k: best W(k, l) − p(l)"),
    "split": ("≤ child by child", "sum of the best of each child alone"),
}


def content(run: Trace) -> dict[str, Any]:
    """Grids, lines and steps of a run."""
    inner = [[node for node, below in enumerate(side) if below] for side in run.children]
    steps = [_step(run, "start", start_text(run), (0.0, run.total)), _known(run), _gains(run), *_pairs(run)]
    filled = len(steps)
    steps.append(_filled(run))
    before = [run.filled, *(each.tables for each in run.refinements)]
    steps += [_refined(run, each, earlier) for each, earlier in zip(run.refinements, before, strict=False)]
    walk = len(steps)
    proven = run.solution.lower, run.solution.upper
    marks = {"marks": _marks(run, run.solution.mapping)}
    steps.append(_step(run, "walk", mapping_text(run), proven) | marks)
    steps.append(_step(run, "end", end_text(run), proven))
    jumps = [
        (0, "the two trees"),
        (1, "what is known at once"),
        (2, "what pairs save"),
        (3, "bounds, pair by pair"),
    ]
    jumps += [(filled, "the gap")]
    jumps += [(filled + 1, "closing it")] if run.refinements else []
    jumps += [(walk, "the mapping"), (walk + 1, "the certificate")]
    return {
        "title": "The unordered distance, bounded and proven step by step",
        "heading": "Bounds of",
        "counts": "Saves",
        "grids": [
            {
                "name": "W",
                "caption": "W, saved by a pair and below",
                "rows": list(range(1, len(run.left) + 1)),
                "columns": list(range(1, len(run.right) + 1)),
            },
            {"name": "F", "caption": "F, saved below two nodes", "rows": inner[0], "columns": inner[1]},
        ],
        "lines": {
            "F": [
                {"key": key, "way": way, "general": general}
                for key, (way, general) in (BELOW | ABOVE).items()
            ]
        },
        "steps": steps,
        "walk": walk,
        "jumps": [{"at": place, "name": name} for place, name in jumps],
    }


def _step(run: Trace, kind: str, text: str, bounds: tuple[float, float]) -> dict[str, Any]:
    """What all steps have: the distance lies between the bounds, of which there is no more than ``most``."""
    lower, upper = (min(max(each, 0.0), run.total) for each in bounds)
    closed = upper - lower <= NEAR
    return {
        "kind": kind,
        "text": text,
        "grids": [PAIRS, FORESTS],
        "bounds": {
            "lower": least(lower),
            "upper": most(upper),
            "from": lower / run.total if run.total else 0.0,
            "to": upper / run.total if run.total else 0.0,
            "most": number(run.total),
            "closed": closed,
        },
    }


def _known(run: Trace) -> dict[str, Any]:
    step = _step(run, "table", known_text(run), (run.cheapest_edits, run.start.upper))
    return step | {"shown": _marks(run, run.start.mapping)}


def _at_first(run: Trace, kind: str, text: str) -> dict[str, Any]:
    return _step(run, kind, text, (run.cheapest_edits, run.start.upper))


def _gains(run: Trace) -> dict[str, Any]:
    fills = [
        [PAIRS, i, j, _interval(run.filled.pair, i, j)]
        for i in range(1, len(run.left) + 1)
        for j in range(1, len(run.right) + 1)
        if not (run.children[0][i] and run.children[1][j])
    ]
    step = _at_first(run, "table", GAINS)
    return step | {"fills": fills}


def _pairs(run: Trace) -> Iterator[dict[str, Any]]:
    for each in run.pairs:
        i, j = each.row, each.column
        lower, upper = (float(table[i, j]) for table in run.filled.forest)
        step = _at_first(run, "cell", pair_text(run, each))
        step |= {
            "cell": [FORESTS, i, j],
            "fills": [
                [FORESTS, i, j, _interval(run.filled.forest, i, j)],
                [PAIRS, i, j, _interval(run.filled.pair, i, j)],
            ],
            "lines": "F",
            "ways": [
                *(_way(run, each, bound, "≥", lower) for bound in each.below),
                *(_way(run, each, bound, "≤", upper) for bound in each.above),
            ],
            "result": f"{between(at('F', i, j), lower, upper)}, W({i}, {j}) = F({i}, {j}) + "
            f"{number(max(0.0, float(run.kept[i, j])))}",
            "inside": [[run.left.leftmost[i], i - 1], [run.right.leftmost[j], j - 1]],
        }
        taken = _taken(each, lower)
        step["origins"] = [[PAIRS, k, m] for k, m in taken]
        step["links"] = [[k, m, ""] for k, m in taken]
        if each.relaxation:
            step["prices"] = _prices(each.relaxation)
        yield step


def _prices(relaxation: Relaxation) -> dict[str, str]:
    """By leaf, as they are shown; p is their sum, and the rest of the bound is what nodes are worth."""
    return {str(leaf): number(price) for leaf, price in relaxation.prices.items()}


def _taken(each: PairStep, lower: float) -> tuple[tuple[int, int], ...]:
    """The pairs of nodes whose W make up the bound from below, where they are known by name."""
    if each.repaired:
        return each.repaired
    return (
        each.matching.pairs if -each.matching.value >= lower - NEAR and len(each.matching.pairs) > 1 else ()
    )


def _way(run: Trace, each: PairStep, bound: Bound, sign: str, decided: float) -> dict[str, Any]:
    here, terms = "", ""
    value = most(bound.value) if bound.line in ABOVE else least(bound.value)
    if bound.line == "repair":
        here = " + ".join(at("W", k, m) for k, m in each.repaired)
        terms = " + ".join(number(float(run.filled.pair[0][pair])) for pair in each.repaired)
    elif bound.line == "match":
        terms = " + ".join(number(float(run.filled.tree[0][pair])) for pair in each.matching.pairs) or "0"
        here = f"best W in {', '.join(f'({k}, {m})' for k, m in each.matching.pairs)}"
    elif bound.line == "prices" and each.relaxation:
        paid = sum(map(float, _prices(each.relaxation).values()))
        here = f"p + worth of {', '.join(str(k) for k, _ in each.relaxation.picked)}"
        terms = f"{number(paid)} + {number(float(value) - paid)}"
    return {
        "line": bound.line,
        "here": here,
        "sum": terms,
        "value": f"{sign} {value}",
        "best": abs(bound.value - decided) <= NEAR,
        "others": "",
    }


def _filled(run: Trace) -> dict[str, Any]:
    known, possible = (_largest(table) for table in run.filled.pair)
    step = _step(run, "cell", filled_text(run, known), run.bounds(run.filled))
    return step | {
        "cell": [PAIRS, *possible],
        "winners": [[PAIRS, *each] for each in dict.fromkeys((known, possible))],
    }


def _refined(run: Trace, each: Refinement, earlier: Tables) -> dict[str, Any]:
    i, j = each.row, each.column
    return _step(run, "cell", refined_text(run, each, earlier), run.bounds(each.tables)) | {
        "cell": [FORESTS, i, j],
        "fills": list(_changed(run, earlier, each.tables)),
        "inside": [[run.left.leftmost[i], i - 1], [run.right.leftmost[j], j - 1]],
        "links": [[k, m, "" if x > 1 - NEAR else number(x)] for k, m, x in each.amounts],
    }


def _changed(run: Trace, earlier: Tables, later: Tables) -> Iterator[list[Any]]:
    """The entries that a step has changed."""
    for grid, before, now in ((FORESTS, earlier.forest, later.forest), (PAIRS, earlier.pair, later.pair)):
        for i in range(1, len(run.left) + 1):
            for j in range(1, len(run.right) + 1):
                shown = grid == PAIRS or (run.children[0][i] and run.children[1][j])
                text = _interval(now, i, j)
                if shown and text != _interval(before, i, j):
                    yield [grid, i, j, text]


def _marks(run: Trace, mapping: Mapping) -> list[tuple[str, int, int]]:
    turned = (
        (
            None if v is None else run.left.preorder.index(v),
            None if w is None else run.right.preorder.index(w),
        )
        for v, w in mapping
    )
    return marks_of(run.left, run.right, turned)


def _largest(table: Any) -> tuple[int, int]:
    row, column = divmod(int(table.argmax()), table.shape[1])
    return row, column


def _interval(bounds: Sequence[Any], i: int, j: int) -> str:
    """Both bounds, the lower one first, on two lines; one if they agree."""
    lower, upper = (float(table[i, j]) for table in bounds)
    if upper - lower <= NEAR:
        return number(lower)
    return f"{least(lower)}–{most(upper)}"
