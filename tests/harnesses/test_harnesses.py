"""The harnesses of others run our task with a model that they have for tests.

They need packages that don't go together with the pins of requirements.txt: ``make test-harnesses`` runs this
file in an environment that has them, and make test-rest leaves out what isn't installed.
"""

import importlib.metadata
import importlib.util
import json
import sys

import pytest
from helpers.floats import by_arithmetic

from tted_core import TextTree, compare, parse_map, write_map
from tted_core.errors import MapFormatError, MissingExtraError
from tted_core.foundations.limits import MAX_NODES_COMPARED
from tted_core.harnesses import score_answer

REFERENCE = "# Trees\n- Oak\n- Birch\n  - White bark\n- Lime\n"
ANSWER = "Here is your map:\n\n```markdown\n# Trees\n- Oak\n- Silver birch\n- Lime\n```\n"
WITHOUT_MODEL = {"distance": "levenshtein"}


def expected(answer):
    """The comparison of an answer with the reference."""
    return compare(parse_map(REFERENCE.encode()), parse_map(answer.encode()), **WITHOUT_MODEL)


@pytest.fixture
def data(tmp_path):
    """Two samples, as all harnesses read them."""
    lines = [{"id": name, "prompt": f"Map {name}.", "reference": REFERENCE} for name in ("first", "second")]
    file = tmp_path / "data" / "test.jsonl"
    file.parent.mkdir()
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def test_the_score_of_an_answer_is_that_of_its_comparison():
    found = score_answer(ANSWER, REFERENCE, **WITHOUT_MODEL)
    result = expected(ANSWER)
    assert found == (result.normalized, True, result.tted, result.signature)
    assert 0 < found.normalized < 1


def test_an_answer_that_is_no_map_has_the_largest_distance():
    too_large = write_map(
        TextTree(("x",) * (MAX_NODES_COMPARED + 1), (-1,) + (0,) * MAX_NODES_COMPARED), "markdown"
    )[0]
    for answer, reason in (("", "empty"), (too_large, "2,001 nodes; the limit is 2,000")):
        found = score_answer(answer, REFERENCE, **WITHOUT_MODEL)
        assert (found.normalized, found.readable, found.tted) == (1.0, False, None)
        assert reason in found.explanation


def test_a_reference_that_is_no_map_is_refused():
    with pytest.raises(MapFormatError, match="the reference map can't be read: the input is empty"):
        score_answer(ANSWER, "", **WITHOUT_MODEL)


def installed(package):
    """Skip the test where a harness isn't installed."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"needs the package {package}: make test-harnesses")


@pytest.mark.parametrize(
    ("harness", "package", "extra"),
    [
        ("inspect_ai", "inspect_ai", "inspect"),
        ("lm_eval", "lm_eval", "lm-eval"),
        ("lighteval", "lighteval", "lighteval"),
    ],
)
def test_a_harness_that_is_not_installed_is_one_sentence(monkeypatch, harness, package, extra):
    monkeypatch.delitem(sys.modules, f"tted_core.harnesses.{harness}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError) as caught:
        importlib.import_module(f"tted_core.harnesses.{harness}")
    assert f"needs the package {package}, which isn't installed" in str(caught.value)
    assert str(caught.value).endswith(f'pip install "tted[{extra}]"')


@pytest.mark.thorough
def test_inspect_runs_the_task(data, tmp_path):
    installed("inspect_ai")
    if not importlib.metadata.entry_points(group="inspect_ai", name="tted_core"):
        pytest.skip("needs this package installed, for its entry point: make test-harnesses")
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    answers = [ModelOutput.from_content("mockllm/model", text) for text in (ANSWER, "")]
    for answer in answers:
        answer.usage = ModelUsage()  # else it would be counted with a vocabulary that is downloaded
    (log,) = evaluate(
        "tted_core/mind_map",
        task_args={"data": str(data), **WITHOUT_MODEL},
        model=get_model("mockllm/model", custom_outputs=answers),
        max_connections=1,
        max_samples=1,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    assert log.status == "success", log.error
    values = {
        score.name: {name: metric.value for name, metric in score.metrics.items()}
        for score in log.results.scores
    }
    distance = expected(ANSWER).normalized
    assert values["tted_normalized"]["mean"] == by_arithmetic((distance + 1) / 2)
    assert values["tted_readable"]["mean"] == by_arithmetic(0.5)
    first, second = (sample.scores["tted_scorer"] for sample in log.samples)
    assert first.explanation == expected(ANSWER).signature
    assert "empty" in second.explanation


@pytest.mark.thorough
def test_lm_eval_runs_the_task(data, tmp_path):
    installed("lm_eval")
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from tted_core.harnesses.lm_eval import TASKS

    metrics = [{"metric": name, **WITHOUT_MODEL} for name in ("tted_normalized", "tted_readable")]
    (tmp_path / "own.yaml").write_text(
        f"include: {TASKS / 'mind_map.yaml'}\ntask: own\nmetric_list: {json.dumps(metrics)}\n",
        encoding="utf-8",
    )
    folders = [str(TASKS), str(tmp_path)]
    manager = TaskManager(include_path=folders, include_defaults=False, metadata={"data": str(data)})
    assert manager.all_tasks == ["own", "tted_mind_map"]
    results = simple_evaluate("dummy", tasks=["own"], task_manager=manager, bootstrap_iters=0)
    values = results["results"]["own"]
    assert values["tted_normalized,none"] == by_arithmetic(
        expected("lol").normalized
    )  # that is what the dummy says
    assert values["tted_readable,none"] == 1.0
    assert results["higher_is_better"]["own"] == {"tted_normalized": False, "tted_readable": True}


@pytest.mark.thorough
def test_lighteval_runs_the_task(data, tmp_path, monkeypatch):
    installed("lighteval")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModelConfig
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    for others in ("_load_from_files", "_load_from_subdirs"):  # its own tasks download as they are imported
        monkeypatch.setattr(Registry, others, lambda *_given: {})
    tasks = tmp_path / "mind_maps.py"
    tasks.write_text(
        "from tted_core.harnesses.lighteval import mind_map_task\n"
        f"TASKS_TABLE = [mind_map_task({str(data.parent)!r}, **{WITHOUT_MODEL})]\n",
        encoding="utf-8",
    )
    pipeline = Pipeline(
        tasks="tted_mind_map",
        pipeline_parameters=PipelineParameters(ParallelismManager.NONE, custom_tasks_directory=str(tasks)),
        evaluation_tracker=EvaluationTracker(str(tmp_path / "results")),
        model_config=DummyModelConfig(cache_dir=str(tmp_path / "answers")),
    )
    pipeline.evaluate()
    results = pipeline.get_results()["results"]
    (values,) = (values for name, values in results.items() if name.startswith("tted_mind_map"))
    assert values["tted_normalized"] == by_arithmetic(expected("random baseline").normalized)
    assert values["tted_readable"] == 1.0
