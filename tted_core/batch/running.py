"""A batch from its inputs to a folder of results: read, encode, solve, write, and go on where it was stopped."""

import functools
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tted_core.batch.inputs import Inputs
from tted_core.batch.maps import Maps, gathered
from tted_core.batch.parts import (
    SUMMARY,
    UNFINISHED,
    Layout,
    begin,
    check_free,
    part_file,
    read_parts,
    write_json,
    write_part,
)
from tted_core.batch.preparing import TellStage, identity, prepared
from tted_core.batch.settings import BatchOptions, Setting, all_combined
from tted_core.batch.work import Pairs, Work
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import Interrupted
from tted_core.extras import require
from tted_core.version import VERSION
from tted_core.words.surrogates import without_surrogates

PART_PAIRS = 2_000
"""Pairs in one part: a run that was stopped does so many again for each worker."""

SMALLEST_PART = 10
"""Of few pairs a part holds a hundredth, and so many at least: a small batch can be stopped half way too."""


@dataclass(frozen=True)
class Summary:
    """What a run came to: all of the folder's rows, and the seconds of its own stages."""

    pairs: int
    rows: int
    failed: int
    seconds: dict[str, float]
    notices: tuple[str, ...] = ()

    @property
    def share_failed(self) -> float:
        """The share of rows with an error."""
        return self.failed / self.rows if self.rows else 0.0

    @property
    def described(self) -> dict[str, Any]:
        """As it is written down."""
        return {
            "pairs": self.pairs,
            "rows": self.rows,
            "failed": self.failed,
            "seconds": {stage: round(seconds, 3) for stage, seconds in self.seconds.items()},
            "notices": list(self.notices),
            "version": VERSION,
        }


@dataclass(frozen=True)
class Part:
    """Pairs that are written into one file: p of them, with what stands beside them."""

    file: Path
    pairs: Pairs
    ids: tuple[str, ...]
    further: dict[str, tuple[str, ...]]


@dataclass
class _Clock:
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start


def run_batch(
    inputs: Inputs,
    options: BatchOptions,
    folder: Path,
    *,
    workers: int = -1,
    shard: tuple[int, int] = (1, 1),
    resume: bool = False,
    load: Callable[[str], Encoder] = load_encoder,
    stage: TellStage = lambda _stage: lambda _done, _all: None,
) -> Summary:
    """Compare all pairs by all settings, and write the rows into a folder.

    Args:
        inputs: the pairs.
        options: what to combine.
        folder: where the results go.
        workers: how many processes solve; -1 is as many as there are cores.
        shard: (i, n): only the i-th of n shares of the parts, i counted from 1.
        resume: go on with the results in the folder, if they are of the same maps and options.
        load: what makes an encoder of its name.
        stage: is told of the stages and their progress; may raise to stop.

    Raises:
        OptionsError: options that don't go together, or a folder with results of something else.
        UnknownNameError: a name that isn't known.
        EncoderError: an encoder can't be had, or its vectors can't be used.
        MissingExtraError: the extra "batch" isn't installed.
        Interrupted: a worker ended before its time.
    """
    require("batch")
    settings = all_combined(options)
    layout = Layout(options.baselines, tuple(inputs.further))
    layout.check()
    check_free(folder, resume=resume)
    clock = _Clock()
    load = functools.cache(load)
    with clock.stage("read"):
        maps = _read(inputs, options, settings, stage)
    with clock.stage("load"):
        job = _described(inputs, maps, options, settings, load)
        begin(folder, job)
        for leftover in folder.glob(f"*{UNFINISHED}"):
            if shard == (1, 1):  # those of another shard may be under way
                _remove(leftover)
    parts = list(_parts(inputs, folder, shard))
    missing = [part for part in parts if not part.file.exists()]
    if missing:
        with clock.stage("encode"):
            work = prepared(maps, options, settings, folder=folder, load=load, stage=stage)
        with clock.stage("solve"):
            tell = stage(f"Comparing {sum(len(part.ids) for part in parts):,} pairs")
            done = sum(len(part.ids) for part in parts) - sum(len(part.ids) for part in missing)
            for pairs in _solve(work, layout, missing, workers, folder):
                done += pairs
                tell(done, sum(len(part.ids) for part in parts))
    return _summed(inputs, folder, clock, shard)


def _remove(leftover: Path) -> None:
    """Remove what a run that was killed left behind."""
    if leftover.is_dir():
        shutil.rmtree(leftover, ignore_errors=True)
    else:
        leftover.unlink(missing_ok=True)


def _read(inputs: Inputs, options: BatchOptions, settings: Sequence[Setting], stage: TellStage) -> Maps:
    contexts = tuple(dict.fromkeys(setting.context for setting in settings))
    tell = stage(f"Reading {len(inputs.maps):,} maps")
    return gathered(inputs.maps, contexts, depth=options.depth, total=len(inputs.maps), progress=tell)


def _described(
    inputs: Inputs,
    maps: Maps,
    options: BatchOptions,
    settings: Sequence[Setting],
    load: Callable[[str], Encoder],
) -> dict[str, Any]:
    """What the results depend on."""
    models = {}
    for setting in settings:
        if setting.record.reads in {"encoder", "word vectors"}:
            models[setting.encoder] = identity(load(setting.encoder))[1]
    return {
        "pairs": inputs.fingerprint,
        "maps": maps.fingerprint,
        "models": models,
        "options": options.described,
        "version": VERSION,
        "inputs": inputs.source,
    }


def _parts(inputs: Inputs, folder: Path, shard: tuple[int, int]) -> Iterator[Part]:
    own, shards = shard
    size = min(PART_PAIRS, max(SMALLEST_PART, len(inputs.ids) // 100))
    for number, start in enumerate(range(0, len(inputs.ids), size)):
        if number % shards == own - 1:
            place = slice(start, start + size)
            further = {name: values[place] for name, values in inputs.further.items()}
            yield Part(part_file(folder, number), inputs.pairs[place], inputs.ids[place], further)


def _solve(work: Work, layout: Layout, parts: Sequence[Part], workers: int, folder: Path) -> Iterator[int]:
    """Write these parts; the numbers of pairs in those that are done, as they are done."""
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError
    from threadpoolctl import threadpool_limits

    count = min(joblib.cpu_count() if workers < 0 else workers, len(parts))
    if count == 1 or work.loaded:  # a model of words can't be sent to another process
        with threadpool_limits(1, user_api="blas"):
            for part in parts:
                yield solve_part(work, layout, part)
        return
    with tempfile.TemporaryDirectory(prefix="work-", suffix=UNFINISHED, dir=folder) as place:
        file = str(Path(place) / "work")
        joblib.dump(work, file)
        pool = joblib.Parallel(n_jobs=count, return_as="generator_unordered")
        tasks = (joblib.delayed(solve_part)(file, layout, part) for part in parts)
        try:
            yield from pool(tasks)
        except TerminatedWorkerError as error:
            raise Interrupted(
                "a worker process was killed, perhaps for want of memory; go on with --resume and fewer --workers"
            ) from error


def solve_part(work: Work | str, layout: Layout, part: Part) -> int:
    """Solve one part and write it; the number of its pairs. ``work`` may be the file that it was put into."""
    import pyarrow as pa

    from tted_core.batch.solving import Columns, solved  # numba: no other command needs it

    if isinstance(work, str):
        work = _opened(work)
    columns: Columns = {}
    for rows in solved(work, part.pairs):
        for name, values in rows.items():
            columns.setdefault(name, []).extend(values)
    times = len(work.settings)
    names = work.maps.names
    beside: dict[str, Sequence[str]] = {
        "id": part.ids,
        "left": [names[number] for number in part.pairs[:, 0].tolist()],
        "right": [names[number] for number in part.pairs[:, 1].tolist()],
        **part.further,
    }
    columns |= {name: [value for value in values for _ in range(times)] for name, values in beside.items()}
    schema = layout.schema()
    arrays = [pa.array(_encodable(columns[each.name]), each.type) for each in schema]
    write_part(pa.Table.from_arrays(arrays, schema=schema), part.file)
    return len(part.ids)


def _encodable(values: list[Any]) -> list[Any]:
    """The values, with lone surrogates, which no file holds, as U+FFFD."""
    return [
        without_surrogates(value) if isinstance(value, str) and not value.isascii() else value
        for value in values
    ]


@functools.cache
def _opened(file: str) -> Work:
    import joblib

    work: Work = joblib.load(file, mmap_mode="r")
    return work


def _summed(inputs: Inputs, folder: Path, clock: _Clock, shard: tuple[int, int]) -> Summary:
    rows = failed = 0
    for table in read_parts(folder, ["error"]):
        rows += table.num_rows
        failed += table.num_rows - table["error"].null_count
    summary = Summary(len(inputs.ids), rows, failed, clock.seconds, inputs.notices)
    name = SUMMARY if shard == (1, 1) else f"summary-{shard[0]}-of-{shard[1]}.json"
    write_json(summary.described, folder / name)
    return summary
