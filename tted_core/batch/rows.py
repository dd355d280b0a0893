"""Rows: the results of a pair by a method, a dict by columns."""

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES, NOT_COMPUTED, SUITE, BaselineScore
from tted_core.baselines.suite import Aligned, signed_equivalence, suite_values
from tted_core.batch.engine import Solved, chunks, edit_problems, scores_of, solve_pairs
from tted_core.batch.inputs import SIDES, Pairs
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import Work
from tted_core.compare import compared_sentences
from tted_core.errors import TTEDError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.matching.bounds import bounds_for
from tted_core.matching.match import match
from tted_core.matching.records import CLAIMS, SHARES, STATUSES, Matching
from tted_core.method import SETTING_COLUMNS, Method, Signature
from tted_core.solvers.solution import picked

Row: TypeAlias = dict[str, Any]
"""A row by columns, in order; numbers are None if it has an error."""

Known: TypeAlias = dict[tuple[str, tuple[int, int], str], BaselineScore | TTEDError]
"""(name, pair, the model if it uses one) -> a baseline's score or error."""

OF_PAIR = ("id", "left", "right")
COUNTS = ("match", "replace", "delete", "insert")
BEFORE = (
    *OF_PAIR,
    *SETTING_COLUMNS,
    *("tted", "lower_bound", "proven", *NORMALISATIONS, "left_nodes", "right_nodes"),
    *(*COUNTS, "cost_replace", "cost_delete", "cost_insert"),
)
AFTER = ("notices", "error", "seconds", "signature")


def columns_of(options: BatchOptions) -> tuple[str, ...]:
    """The columns: standard ones, baselines, optional counts of sentences, and standard ones again."""
    beside = (
        f"{name}{end}" for name in options.baselines for end in (("",) if name in SUITE else ("", "_rho"))
    )
    counts = (*STATUSES, *SHARES, CLAIMS) if options.sentences else ()
    return (*BEFORE, *(name for name in beside if name not in BEFORE), *counts, *AFTER)


def solved_rows(
    work: Work, pairs: Pairs, monitor: Monitor = UNWATCHED
) -> Iterator[tuple[Row, Solved | None]]:
    """Rows of some pairs, without id and names, and their solutions, None for an error.

    Rows of the same pair, one per method, are consecutive.
    """
    blank = dict.fromkeys(columns_of(work.options)[len(OF_PAIR) :])
    for chunk in chunks(work, pairs):
        by_method = []
        known: Known = {}
        # The order doesn't change the costs.
        for _, group in itertools.groupby(
            work.options.methods, lambda method: replace(method, order=Method.order)
        ):
            alike = list(group)
            start = time.perf_counter()
            problems = edit_problems(work, alike[0], pairs[chunk])
            shared = (time.perf_counter() - start) / len(alike)
            for method in alike:
                start = time.perf_counter()
                found = solve_pairs(method, pairs[chunk], problems, monitor)
                scores = scores_of(method, found)
                named = blank | method.columns
                rows = [named | row for row in _rows(work, method, pairs[chunk], found, known)]
                seconds = (shared + time.perf_counter() - start) / len(found)
                by_method.append(
                    [
                        (row | own | {"seconds": seconds}, each if isinstance(each, Solved) else None)
                        for row, own, each in zip(rows, scores, found, strict=True)
                    ]
                )
        for of_pair in zip(*by_method, strict=True):
            yield from of_pair


def _rows(
    work: Work, method: Method, pairs: Pairs, found: Sequence[Solved | TTEDError], known: Known
) -> Iterator[Row]:
    """The columns beside the method's options and scores."""
    model, options = work.model(method), work.options
    signature = Signature.of(method.with_model(model.name), model.fingerprint)
    signature = Signature(signature.parts | signed_equivalence(options.baselines, options.equivalence))
    of_texts = model.notices.get(method.context)
    for pair, each in zip(pairs.tolist(), found, strict=True):
        notices = [
            f"{side} map: {notice}"
            for side, number in zip(SIDES, pair, strict=True)
            for notice in (*work.maps[number].notices, *(of_texts[number] if of_texts else ()))
        ]
        notices += method.notices
        row = _baselines(work, method, tuple(pair), known, notices)
        if isinstance(each, Solved):
            row |= {**_of_script(work, each), **_suite(work, each, notices)}
            if options.sentences:
                every = correspondence_of(work, each)
                row |= every.counts.items()
                row[CLAIMS] = every.claims
                row |= zip(SHARES, every.shares(each.problem.costs), strict=True)
            digests = [work.maps[number].digest for number in pair]
            row["signature"] = str(signature.signing(proven=each.solution.proven, digests=digests))
        else:
            row["error"] = str(each)
        yield row | {"notices": "; ".join(notices)}


def _of_script(work: Work, solved: Solved) -> Row:
    """Sizes, bound, and counts and total costs of the script's operations."""
    problem, solution = solved.problem, solved.solution
    left, right = (work.maps[number].texts[solved.method.context] for number in solved.pair)
    counts = dict.fromkeys(COUNTS, 0)
    sums = dict.fromkeys(COUNTS, 0.0)
    for (v, w), cost in zip(solution.mapping, picked(problem.costs, solution.mapping), strict=True):
        if w is None:
            kind = "delete"
        elif v is None:
            kind = "insert"
        else:
            kind = "match" if cost == 0.0 and left[v] == right[w] else "replace"
        counts[kind] += 1
        sums[kind] += cost
    return {
        "lower_bound": solution.lower,
        "proven": solution.proven,
        "left_nodes": len(problem.left),
        "right_nodes": len(problem.right),
        **counts,
        **{f"cost_{kind}": sums[kind] for kind in COUNTS[1:]},
    }


def _baselines(work: Work, method: Method, pair: tuple[int, int], known: Known, notices: list[str]) -> Row:
    """The baselines' columns; errors are added to ``notices``. Scores in ``known`` aren't computed again."""
    row: Row = {}
    left, right = work.maps[pair[0]].tree, work.maps[pair[1]].tree
    if left is None or right is None:
        return row
    for name in (each for each in work.options.baselines if each in BASELINES):
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
    row: Row = {}
    names = [name for name in work.options.baselines if name in SUITE]
    if not names:
        return row
    method = solved.method
    words = work.loaded.get((method.model, "bertscore"))
    maps = Aligned(
        solved.problem,
        solved.solution.mapping,
        method.order,
        work.options.equivalence,
        method.time_limit,
        words.reader.f1 if words else None,
    )
    for name, values in suite_values(names, [maps]).items():
        if isinstance(values, TTEDError):
            notices.append(f"{name}: {values}")
        else:
            row[name] = values[-1]
    if words:
        notices += [each for each in words.texts_notices(maps.texts, "none") if each not in notices]
    return row


def correspondence_of(work: Work, solved: Solved) -> Matching:
    """The sentences of a pair by status, like those that ``explain`` finds of its comparison."""
    problem, model = solved.problem, work.model(solved.method)
    method = solved.method.with_model(model.name)  # named as in a comparison
    costs = compared_sentences(problem, method, model if model.row else None)
    left, right = problem.left, problem.right
    partners = [-1] * len(problem.left)
    for v, w in solved.solution.mapping:
        if v is not None and w is not None:
            partners[v] = w
    bounds = bounds_for(method, left.labels, right.labels, costs.nodes)
    return match(left, right, costs, partners, ordered=method.order == "ordered", bounds=bounds)
