"""Inspect: the scorer ``tted_scorer`` and the task ``mind_map``, registered as ``tted_core/...``.

inspect eval tted_core/mind_map -T data=maps.jsonl --model openai/gpt-4o
"""

import asyncio
from typing import Any

from tted_core.foundations.extras import require
from tted_core.harnesses import score_answer

require("inspect")
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

METRICS = {"tted_normalized": [mean(), stderr()], "tted_readable": [mean()]}


@scorer(metrics=METRICS)
def tted_scorer(**options: Any) -> Scorer:
    """Score answers by their normalized distance from the target map (0 is best).

    Args:
        options: those of ``TTED``: encoder, preset, distance, order ...
    """

    async def score(state: TaskState, target: Target) -> Score:
        found = await asyncio.to_thread(score_answer, state.output.completion, target.text, **options)
        return Score(
            value={"tted_normalized": found.normalized, "tted_readable": float(found.readable)},
            answer=state.output.completion,
            explanation=found.explanation,
            metadata={"tted": found.tted},
        )

    return score


@task
def mind_map(data: str, **options: Any) -> Task:
    """Let a model write mind maps.

    Args:
        data: a file of JSON lines with ``prompt`` and ``reference``, and ``id`` if wanted.
        options: those of ``TTED``.
    """
    samples = json_dataset(data, FieldSpec(input="prompt", target="reference", id="id"))
    return Task(dataset=samples, solver=generate(), scorer=tted_scorer(**options))
