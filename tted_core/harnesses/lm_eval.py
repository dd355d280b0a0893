"""lm-evaluation-harness: the metrics ``tted_normalized`` and ``tted_readable``, and the task ``tted_mind_map``.

The harness has no entry point for tasks; it is told their folder, ``TASKS``:

    lm_eval run --tasks tted_mind_map --metadata '{"data": "maps.jsonl"}' --model hf --model_args pretrained=... \
        --include_path "$(python -c 'from tted_core.harnesses.lm_eval import TASKS; print(TASKS)')"

A task of your own includes ``mind_map.yaml``, which has this module imported and so the metrics registered;
options of ``TTED`` stand beside a metric's name in its ``metric_list``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tted_core.foundations.extras import require
from tted_core.harnesses import score_answer

require("lm-eval")
from datasets import DatasetDict, load_dataset
from lm_eval.api.registry import register_metric

TASKS = Path(__file__).parent / "tasks"


@register_metric(
    metric="tted_normalized", higher_is_better=False, output_type="generate_until", aggregation="mean"
)
def tted_normalized(references: Sequence[str], predictions: Sequence[str], **options: Any) -> float:
    """The normalized distance of one answer from its reference map; 1 if it is no map."""
    return score_answer(predictions[0], references[0], **options).normalized


@register_metric(
    metric="tted_readable", higher_is_better=True, output_type="generate_until", aggregation="mean"
)
def tted_readable(references: Sequence[str], predictions: Sequence[str], **options: Any) -> float:
    """1 if the answer can be read as a map, else 0."""
    return float(score_answer(predictions[0], references[0], **options).readable)


def dataset(*, data: str = "maps.jsonl", **_metadata: Any) -> DatasetDict:
    """The file of JSON lines that ``--metadata`` names, with ``prompt`` and ``reference``."""
    return load_dataset("json", data_files={"test": data})
