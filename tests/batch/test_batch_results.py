"""Results of a batch, opened to be looked at: orders, filters, and what goes out."""

import csv
import subprocess
import sys
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from helpers.batch import write_pairs
from helpers.paths import ROOT
from pyarrow import parquet

from tted_core.batch.folder import part_files, read_parts
from tted_core.batch.results import open_results, summary
from tted_core.errors import OptionsError
from tted_core.foundations.tables import write_csv, write_parquet


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder of results: eleven pairs, one of them unreadable, in two orders, with a baseline."""
    from helpers.batch import batch_options
    from helpers.encoders import sentence_encoder

    from tted_core.batch.job import run_batch
    from tted_core.batch.pairs import pairs_of_table

    folder = tmp_path_factory.mktemp("batch")
    (folder / "bad.json").write_text("[" * 5000, encoding="utf-8")
    further = (("bad.json", "bad.json"), ("bad.json", "missing_100%.json"))
    pairs = write_pairs(folder / "pairs.csv", further=further)
    options = batch_options(orders=("ordered", "constrained"), baselines=("rouge_bag",))
    load = partial(sentence_encoder)
    run_batch(pairs_of_table(pairs), options, folder / "out", workers=1, load=lambda name: load(name=name))
    return folder / "out"


@pytest.fixture
def results(finished, tmp_path):
    """A copy of the finished results."""
    for file in finished.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    return open_results(tmp_path)


def test_the_worst_rows_are_first_and_errors_last(results):
    rows = results.rows(1, "tted")
    values = results.scores["tted"][rows]
    assert len(rows) == 11
    assert np.isnan(values[-2:]).all()
    assert (np.diff(values[:-2]) <= 0).all()
    similar = results.rows(0, "rouge_bag")
    assert (np.diff(results.scores["rouge_bag"][similar][:-2]) >= 0).all()
    given = results.table["id"][results.rows(by=None)].tolist()
    assert given == [f"{topic}-{each}" for topic in ("bread", "coral-reefs", "solar-system") for each in
                     ("structure_1", "meaning_2", "paraphrase_3")] + ["more-0", "more-1"]  # fmt: skip


def test_the_summary_names_the_mean_and_the_worst_pairs(results):
    lines = summary(results)
    for number, line in enumerate(lines[::2]):
        rows = [row for row in results.rows(number) if not results.failed[row]]
        values = results.scores["normalized"][rows]
        assert f": mean {values.mean():.4f}, standard deviation {values.std():.4f}, " in line
        assert lines[2 * number + 1].startswith(f"worst: {results.pair(rows[0])[0]} {values.max():.4f}")
    assert len(lines) == 2 * len(results.settings)


def test_results_are_read_in_the_calling_thread(finished):
    """Another thread that gives its bytes back after Python has ended aborts the process, after all was done."""
    program = (
        "import sys; from pathlib import Path; import psutil, pyarrow.parquet; "
        "from tted_core.batch.results import open_results; "
        "before = psutil.Process().num_threads(); open_results(Path(sys.argv[1])).rows(); "
        "assert psutil.Process().num_threads() == before"
    )
    command = (sys.executable, "-c", program, str(finished))
    ended = subprocess.run(command, check=False, capture_output=True, cwd=ROOT, text=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr


def test_all_rows_are_exported(results, tmp_path):
    write_csv(read_parts(tmp_path), tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == results.table["id"].tolist()
    write_parquet(read_parts(tmp_path), tmp_path / "all.parquet")
    assert parquet.read_table(tmp_path / "all.parquet")["tted"].to_pandas().equals(results.table["tted"])


def test_a_run_that_was_stopped_is_not_complete(results, tmp_path):
    part_files(tmp_path)[-1].unlink()
    assert not open_results(tmp_path).complete


def test_a_folder_without_results_is_reported(tmp_path):
    with pytest.raises(OptionsError, match="there are no results in"):
        open_results(tmp_path)
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "part-000000.parquet")
    with pytest.raises(OptionsError, match="the column 'id' is missing"):
        open_results(tmp_path)
    (tmp_path / "part-000001.parquet").write_bytes(b"PAR1")
    with pytest.raises(OptionsError, match="can't be read"):
        open_results(tmp_path)
