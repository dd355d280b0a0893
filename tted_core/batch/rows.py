"""Rows: the results of a pair by a method, with the columns of ``parts.Layout``."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from tted_core.baselines import BASELINES, NOT_COMPUTED, SUITE, BaselineScore
from tted_core.baselines.suite import Aligned, signed_equivalence, suite_values
from tted_core.batch.engine import Solved, chunks, edit_problems, scores_of, solve_pairs
from tted_core.batch.inputs import SIDES, Pairs
from tted_core.batch.parts import OF_PAIR, Layout
from tted_core.batch.settings import by_costs
from tted_core.batch.work import Work
from tted_core.compare import compared_sentences
from tted_core.distances.by_models import text_f1
from tted_core.errors import TTEDError
from tted_core.explain.bounds import bounds_for
from tted_core.explain.correspondence import CLAIMS, SHARES, Correspondence, corresponding
from tted_core.explain.pairs import Side
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.signature import Signature
from tted_core.solvers.solution import picked

Row: TypeAlias = dict[str, Any]
"""A row by columns, in order; numbers are None if it has an error."""

Known: TypeAlias = dict[tuple[str, tuple[int, int], str], BaselineScore | TTEDError]
"""(name, pair, the model if it uses one) -> a baseline's score or error."""


def solved_rows(
    work: Work, pairs: Pairs, monitor: Monitor = UNWATCHED
) -> Iterator[tuple[Row, Solved | None]]:
    """Rows of some pairs, with their solutions, None for an error.

    Rows of the same pair, one per method, are consecutive.
    """
    for chunk in chunks(work, pairs):
        by_method = []
        known: Known = {}
        for first, alike in by_costs(work.options.methods):
            start = time.perf_counter()
            problems = edit_problems(work, first, pairs[chunk])
            shared = (time.perf_counter() - start) / len(alike)
            for method in alike:
                start = time.perf_counter()
                found = solve_pairs(method, pairs[chunk], problems, monitor)
                rows = _rows(work, method, pairs[chunk], found, known)
                seconds = (shared + time.perf_counter() - start) / len(found)
                by_method.append([(row | {"seconds": seconds}, solved) for row, solved in rows])
        for of_pair in zip(*by_method, strict=True):
            yield from of_pair


def _rows(
    work: Work,
    method: Method,
    pairs: Pairs,
    found: Sequence[Solved | TTEDError],
    known: Known,
) -> list[tuple[Row, Solved | None]]:
    """Rows of a chunk of pairs by one method."""
    layout = Layout(work.options.baselines, sentences=work.options.sentences)
    blank = dict.fromkeys(name for name in layout.names if name not in OF_PAIR) | method.columns
    scores = iter(scores_of(method, [each for each in found if isinstance(each, Solved)]))
    sign = _signing(work, method)
    rows: list[tuple[Row, Solved | None]] = []
    for (left, right), each in zip(pairs.tolist(), found, strict=True):
        notices = _notices(work, method, (left, right))
        row = blank | _baselines(work, method, (left, right), known, notices)
        if isinstance(each, Solved):
            row |= next(scores) | _of_script(work, each) | _suite(work, each, notices)
            if work.options.sentences:
                every = correspondence_of(work, each)
                row |= every.counts.items()
                row |= zip(SHARES, every.shares(each.problem.costs), strict=True)
                row[CLAIMS] = every.claims
            row["signature"] = sign(each)
        else:
            row["error"] = str(each)
        row["notices"] = "; ".join(notices)
        rows.append((row, each if isinstance(each, Solved) else None))
    return rows


def _notices(work: Work, method: Method, pair: tuple[int, int]) -> list[str]:
    of_texts = work.model(method).notices.get(method.context)
    notices = []
    for side, number in zip(SIDES, pair, strict=True):
        own = () if of_texts is None else of_texts[number]
        notices += [f"{side} map: {notice}" for notice in (*work.maps[number].notices, *own)]
    return [*notices, *method.notices]


def _of_script(work: Work, solved: Solved) -> Row:
    """Sizes, bound, and counts and total costs of the script's operations."""
    problem, solution = solved.problem, solved.solution
    left, right = (work.maps[number].texts[solved.method.context] for number in solved.pair)
    counts = dict.fromkeys(("match", "replace", "delete", "insert"), 0)
    sums = dict.fromkeys(("cost_replace", "cost_delete", "cost_insert"), 0.0)
    for (v, w), cost in zip(solution.mapping, picked(problem.costs, solution.mapping), strict=True):
        if w is None:
            kind = "delete"
        elif v is None:
            kind = "insert"
        else:
            kind = "match" if cost == 0.0 and left[v] == right[w] else "replace"
        counts[kind] += 1
        if kind != "match":
            sums[f"cost_{kind}"] += cost
    return {
        "lower_bound": solution.lower,
        "proven": solution.proven,
        "left_nodes": len(problem.left),
        "right_nodes": len(problem.right),
        **counts,
        **sums,
    }


def _baselines(work: Work, method: Method, pair: tuple[int, int], known: Known, notices: list[str]) -> Row:
    """The baselines' columns; errors are added to ``notices``. Scores in ``known`` aren't computed again."""
    row: Row = {}
    left, right = work.maps[pair[0]].tree, work.maps[pair[1]].tree
    if left is None or right is None:
        return row
    for name in work.options.baselines:
        if name in BASELINES:
            reads = BASELINES[name].reads == method.record.reads == "encoder"
            key = name, pair, method.model if reads else ""
            if key not in known:
                try:
                    known[key] = BASELINES[name](left, right, work.model(method) if reads else None)
                except NOT_COMPUTED as error:
                    known[key] = error
            score = known[key]
            if isinstance(score, BaselineScore):
                row |= {name: score.sim, f"{name}_rho": score.rho_base}
            else:
                notices.append(f"{name}: {score}")
    return row


def _suite(work: Work, solved: Solved, notices: list[str]) -> Row:
    """The columns of the suite; errors and warnings are added to ``notices``."""
    names = [name for name in work.options.baselines if name in SUITE]
    if not names:
        return {}
    method, row = solved.method, Row()
    words = work.loaded.get((method.model, "bertscore"))
    maps = Aligned(
        solved.problem,
        solved.solution.mapping,
        method.order,
        work.options.equivalence,
        method.time_limit,
        partial(text_f1, words.reader) if words else None,
    )
    for name, values in suite_values(names, [maps]).items():
        if isinstance(values, TTEDError):
            notices.append(f"{name}: {values}")
        else:
            row[name] = values[-1]
    if words:
        notices += [each for each in words.texts_notices(maps.texts, "none") if each not in notices]
    return row


def correspondence_of(work: Work, solved: Solved) -> Correspondence:
    """The sentences of a pair by status, like ``correspondence`` of its comparison."""
    problem, model = solved.problem, work.model(solved.method)
    method = solved.method.with_model(model.name)  # named as in a comparison
    costs = compared_sentences(problem, method, model if model.row else None)
    left, right = (Side(tree.labels, tree.parents) for tree in (problem.left, problem.right))
    bounds = bounds_for(method, left.labels, right.labels, costs.nodes)
    return corresponding(
        (left, right), costs, solved.partners, ordered=method.order == "ordered", bounds=bounds
    )


def _signing(work: Work, method: Method) -> Callable[[Solved], str]:
    """A function that signs rows like ``Comparison.signature``."""
    model = work.model(method)
    plain = Signature.of(method.with_model(model.name), model.fingerprint)
    said = signed_equivalence(work.options.baselines, work.options.equivalence)

    def signature(solved: Solved) -> str:
        digests = (work.maps[solved.pair[0]].digest, work.maps[solved.pair[1]].digest)
        return str(Signature(plain.signing(proven=solved.solution.proven, digests=digests).parts | said))

    return signature
