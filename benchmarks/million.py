"""A batch of many pairs as a user runs it, by the command in a process of its own: time by stage, rate, memory.

Pairs are an original of 25 nodes and a variant of it (see ``benchmarks.generated``), in one JSONL file of maps and
a CSV file of pairs, 100 variants of each original. Each further run has to give the same rows, bit for bit but for
their seconds: with ``--workers 1`` on so many cores, with ``--kills 3`` killed (kill -9) so many times at random
moments and gone on with, and with ``--hostile 0.1`` where a tenth of the variants is unreadable or hostile, whose
rows are left out. Run ``python -m benchmarks.million --pairs 100000 --hostile 0.1 --kills 3 --workers 1``; what
stands after ``--`` goes to ``tted batch`` every time, such as ``-- --orders ordered``.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
from pyarrow import compute

from benchmarks.generated import Generator, outline
from tted_core.batch.parts import part_files, read_parts

VARIANTS = 100
HOSTILE = (
    "",
    "{",
    "[" * 100_000,
    '{"root": ' * 2_000 + "{}" + "}" * 2_000,
    "<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;&b;'>]><map><node TEXT='&c;'/></map>",
    "\n".join(f"- {'x' * 30} {number}" for number in range(3_000)),
    "- root\n  - " + "y" * 20_000,
    "PK\x03\x04 no archive",
    "\x00\x01\x02",
)
"""Nothing, halves, nesting without end, an entity that grows, too many nodes, too long a text, no text at all."""


def written(folder: Path, pairs: int) -> None:
    """Put ``maps.jsonl`` and ``pairs.csv`` into the folder."""
    generator = Generator()
    left = pairs
    with (
        (folder / "maps.jsonl").open("w", encoding="utf-8") as maps,
        (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as table,
    ):
        writer = csv.writer(table)
        writer.writerow(("id", "left", "right", "family"))
        for family, trees in enumerate(generator.families(-(-pairs // VARIANTS), VARIANTS)):
            for number, tree in enumerate(trees[: left + 1]):
                name = f"{family}-{number}"
                maps.write(json.dumps({"id": name, "map": outline(tree)}, ensure_ascii=False) + "\n")
                if number:
                    writer.writerow((name, f"{family}-0", name, family))
            left -= VARIANTS


def spoilt(folder: Path, share: float) -> Path:
    """The maps with a share of the variants made hostile, evenly spread."""
    file, every, seen, bad = folder / "hostile.jsonl", round(1 / share), 0, 0
    with (folder / "maps.jsonl").open(encoding="utf-8") as source, file.open("w", encoding="utf-8") as target:
        for line in source:
            row = json.loads(line)
            if not row["id"].endswith("-0"):
                seen += 1
                if seen % every == 0:
                    row["map"] = HOSTILE[bad % len(HOSTILE)]
                    bad += 1
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
    return file


def started(maps: Path, out: Path, further: Sequence[str]) -> subprocess.Popen[bytes]:
    """The command, under way."""
    pairs = maps.with_name("pairs.csv")
    files = (str(pairs), "--maps", str(maps), "--out", str(out))
    arguments = (sys.executable, "-m", "tted_core", "batch", *files, "--json", *further)
    return subprocess.Popen(arguments, stdout=subprocess.PIPE)


def run(maps: Path, out: Path, further: Sequence[str]) -> dict[str, Any]:
    """The command's summary, with the seconds that the process took and the most memory of it and its workers."""
    start, before = time.perf_counter(), _processor_time()
    process = started(maps, out, further)
    watched = psutil.Process(process.pid)
    peaks = {"main": 0, "all": 0}
    while process.poll() is None:
        sizes = list(map(_own_memory, chain([watched], _children(watched))))
        peaks = {"main": max(peaks["main"], sizes[0]), "all": max(peaks["all"], sum(sizes))}
        time.sleep(0.5)
    assert process.stdout is not None
    summary: dict[str, Any] = json.loads(process.stdout.read())
    used = _processor_time() - before
    return summary | {"wall": time.perf_counter() - start, "processor": used, "peaks": peaks}


def _processor_time() -> float:
    """Seconds of all processes that have ended below this one."""
    times = psutil.Process().cpu_times()
    return times.children_user + times.children_system


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def _own_memory(process: psutil.Process) -> int:
    """What the process alone fills: files mapped into memory are left out, which may be dropped at any time."""
    try:
        info = process.memory_info()
    except psutil.Error:
        return 0
    return info.rss - getattr(info, "shared", 0)


def told(name: str, summary: dict[str, Any]) -> None:
    stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in summary["seconds"].items())
    rate = summary["pairs"] / summary["seconds"]["solve"]
    peaks = ", ".join(f"{which} {peak / 1e6:,.0f} MB" for which, peak in summary["peaks"].items())
    print(
        f"{name}: {summary['pairs']:,} pairs, {summary['failed']:,} rows with an error\n"
        f"  {summary['wall']:.0f} s ({stages}), {summary['processor']:.0f} s of processor time\n"
        f"  {rate:,.0f} pairs a second while solving; most memory: {peaks}",
        flush=True,
    )


def run_with_kills(maps: Path, out: Path, further: Sequence[str], kills: int, seconds: float) -> list[str]:
    """Kill the run so many times, each within these seconds, and let it end at last; when it was killed."""
    rng, when = Random(len(maps.name)), []
    while len(when) < kills:
        process = started(maps, out, (*further, "--resume"))
        moment = rng.uniform(0.05, 0.95) * seconds
        try:
            process.wait(moment)
            shutil.rmtree(out)  # it was done before: all over again
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            when.append(f"after {moment:.0f} s with {len(part_files(out))} parts")
    if started(maps, out, (*further, "--resume")).wait():
        raise SystemExit("the run that was gone on with failed")
    return when


def equal_rows(one: Path, other: Path, *, hostile: float = 0.0) -> tuple[int, int]:
    """How many rows are the same bit for bit but for their seconds, and how many of hostile maps have an error.

    A part after the other, since a million rows need not fit into memory. Any difference ends the program.
    """
    every = round(1 / hostile) if hostile else 0
    equal = failed = seen = 0
    for left, right in zip(read_parts(one), read_parts(other), strict=True):
        numbers = np.arange(seen + 1, seen + left.num_rows + 1)
        alone = pa.array(numbers % every != 0 if every else np.ones(len(numbers), dtype=bool))
        seen += left.num_rows
        kept = [table.drop_columns(["seconds"]).filter(alone) for table in (left, right)]
        if not kept[0].equals(kept[1]):
            names = [name for name in kept[0].column_names if not kept[0][name].equals(kept[1][name])]
            raise SystemExit(f"rows differ in {', '.join(names)} that should not")
        equal += kept[0].num_rows
        errors = right.filter(compute.invert(alone))["error"]
        failed += len(errors) - errors.null_count
    return equal, failed


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--hostile", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--kills", type=int, default=0, metavar="N")
    parser.add_argument("--workers", type=int, default=0, metavar="N")
    parser.add_argument("--folder", type=Path, help="where files go (default: a temporary folder)")
    parser.add_argument("further", nargs="*", metavar="-- OPTION", help="options of tted batch")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        folder = Path(place)
        written(folder, options.pairs)
        maps, good = folder / "maps.jsonl", folder / "good"
        summary = run(maps, good, options.further)
        told("undisturbed", summary)
        if options.workers:
            further = (*options.further, "--workers", str(options.workers))
            told(f"with --workers {options.workers}", run(maps, folder / "cores", further))
            print(f"  {equal_rows(good, folder / 'cores')[0]:,} rows are equal", flush=True)
        if options.kills:
            kills = run_with_kills(maps, folder / "killed", options.further, options.kills, summary["wall"])
            print(f"killed {'; '.join(kills)}", flush=True)
            print(f"  {equal_rows(good, folder / 'killed')[0]:,} rows are equal", flush=True)
        if options.hostile:
            told("with hostile maps", run(spoilt(folder, options.hostile), folder / "bad", options.further))
            equal, failed = equal_rows(good, folder / "bad", hostile=options.hostile)
            print(f"  {equal:,} rows of maps left alone are equal, {failed:,} of the others have an error")


if __name__ == "__main__":
    main()
