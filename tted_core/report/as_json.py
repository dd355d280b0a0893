"""A comparison as JSON has it."""

from dataclasses import asdict
from typing import Any

from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.errors import TTEDError
from tted_core.explanation import Explanation
from tted_core.version import VERSION


def describe(explanation: Explanation) -> dict[str, Any]:
    """All that is known of two maps; ``source`` and ``target`` index the labels of ``left`` and ``right``.

    With a power other than 1 each operation has its ``share`` of d^p besides its cost: shares add up, costs don't.
    """
    comparison = explanation.comparison
    unit = comparison.script.unit
    return {
        "tted": comparison.tted,
        "lower_bound": comparison.lower_bound,
        "proven": comparison.proven,
        **comparison.normalised,
        "tted_at": list(comparison.tted_at),
        "avg_tted": comparison.avg_tted,
        **_suite(comparison),
        "script": [
            {
                "op": op.op,
                "source": op.source,
                "target": op.target,
                "cost": op.cost,
                **({} if unit.power == 1 else {"share": unit.amount(op.cost)}),
                **({"notes": list(op.notes)} if op.notes else {}),
            }
            for op in comparison.script.ops
        ],
        "sentences": _sentences(explanation),
        "baselines": {
            name: asdict(score) if isinstance(score, BaselineScore) else {"error": str(score)}
            for name, score in comparison.baselines.items()
        },
        "left": comparison.left.to_dict(),
        "right": comparison.right.to_dict(),
        "options": comparison.method.described,
        **({"choices": asdict(comparison.choices)} if comparison.choices else {}),
        "notices": [*comparison.notices, *comparison.hints],
        "signature": comparison.signature,
        "version": VERSION,
    }


def _suite(comparison: Comparison) -> dict[str, Any]:
    """The threshold, and each measure of the suite by its name, with ``_at`` for each k; None if undefined."""
    found: dict[str, Any] = {"equivalence": comparison.equivalence} if comparison.suite else {}
    for name, values in comparison.suite.items():
        at = [] if isinstance(values, TTEDError) else list(values)
        found |= {name: at[-1] if at else None, f"{name}_at": at}
    return found


def _sentences(explanation: Explanation) -> dict[str, Any]:
    """The status of each sentence, with their counts and the bounds up to which sentences are near.

    Of a sentence that only moved along ``with`` is the left node of the branch that moved.
    """
    matching = explanation.matching
    coverage, support = matching.shares(explanation.comparison.costs)
    return {
        "bounds": asdict(explanation.bounds),
        "counts": matching.counts,
        "coverage": coverage,
        "support": support,
        "flags": matching.claim_counts,
        "outcomes": [
            {
                "status": each.status,
                "source": each.record.source,
                "target": each.record.target,
                **({"with": each.record.head} if each.moves_along else {}),
                **({"flags": [flag.kind for flag in each.flags]} if each.flags else {}),
            }
            for each in explanation.sentences
        ],
    }
