"""lighteval: the metrics ``tted_normalized`` and ``tted_readable``, and tasks that a file of one's own lists.

    # mind_maps.py
    from tted_core.harnesses.lighteval import mind_map_task

    TASKS_TABLE = [mind_map_task("maps/")]

lighteval has no entry point; the option ``--custom-tasks`` of its commands names the file.
"""

from typing import Any

import numpy as np

from tted_core.foundations.extras import require
from tted_core.harnesses import score_answer

require("lighteval")
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

METRICS = {"tted_normalized": False, "tted_readable": True}
"""Name -> whether a higher value is better."""


class AnswerDistance(SampleLevelComputation):
    """The score of one answer, by the options of ``TTED``."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def compute(self, doc: Doc, model_response: ModelResponse, **_more: Any) -> dict[str, float]:
        """Compare the model's first answer with the reference map."""
        found = score_answer(model_response.final_text[0], doc.get_golds()[0], **self.options)
        return {"tted_normalized": found.normalized, "tted_readable": float(found.readable)}


def tted_metric(**options: Any) -> SampleLevelMetricGrouping:
    """Both metrics, for the ``metrics`` of a task; ``options`` are those of ``TTED``."""
    return SampleLevelMetricGrouping(
        metric_name=list(METRICS),
        higher_is_better=dict(METRICS),
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=AnswerDistance(**options),
        corpus_level_fn=dict.fromkeys(METRICS, np.mean),
    )


def mind_map_task(data: str, *, name: str = "tted_mind_map", **options: Any) -> LightevalTaskConfig:
    """A task that lets a model write mind maps.

    Args:
        data: a folder with a file test.jsonl, or a data set's name on the hub: ``prompt`` and ``reference``.
        name: of the task.
        options: those of ``TTED``: encoder, preset, distance, order ...
    """
    return LightevalTaskConfig(
        name=name,
        prompt_function=_asked,
        hf_repo=data,
        hf_subset="default",
        evaluation_splits=["test"],
        generation_size=2048,
        metrics=[tted_metric(**options)],
    )


def _asked(line: dict[str, str], task_name: str) -> Doc:
    return Doc(query=line["prompt"], choices=[line["reference"]], gold_index=0, task_name=task_name)
