"""A batch of many pairs as a user runs it, by the command in a process of its own: time by stage, rate, memory.

Pairs are an original of 25 nodes and a variant of it (see ``benchmarks.generated``), in one JSONL file of maps and
a CSV file of pairs, 100 variants of each original. With ``--hostile 0.1`` a tenth of the variants is unreadable or
hostile in a second run, and all other rows have to be equal. Run ``python -m benchmarks.million --pairs 100000
--hostile 0.1``; what stands after ``--`` goes to ``tted batch``, such as ``-- --workers 1``.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa

from benchmarks.generated import Generator, outline
from tted_core.batch.parts import read_parts

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


def run(folder: Path, maps: Path, out: Path, further: Sequence[str]) -> dict[str, Any]:
    """The command's summary, with the seconds that the process took and the most memory of it and its workers."""
    arguments = (
        "batch",
        str(folder / "pairs.csv"),
        "--maps",
        str(maps),
        "--out",
        str(out),
        "--json",
        *further,
    )
    start, before = time.perf_counter(), _processor_time()
    process = subprocess.Popen((sys.executable, "-m", "tted_core", *arguments), stdout=subprocess.PIPE)
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


def equal_but_for_hostile(good: Path, bad: Path, share: float) -> tuple[int, int]:
    """How many rows of maps left alone are equal, and how many of the others have an error.

    Numbers may differ in their seventh digit, as which texts are encoded together does (docs/scale.md). Any other
    difference ends the program.
    """
    one, two = (
        pa.concat_tables(read_parts(folder)).drop_columns(["seconds"]).to_pandas() for folder in (good, bad)
    )
    every = round(1 / share)
    alone = (np.arange(1, len(one) + 1) % every) != 0
    for name in one.columns:
        left, right = one.loc[alone, name], two.loc[alone, name]
        if left.dtype.kind == "f":
            same = np.isclose(left, right, rtol=1e-5, atol=1e-5, equal_nan=True).all()
        else:
            same = left.equals(right)
        if not same:
            raise SystemExit(f"rows differ in {name} that should not")
    return int(alone.sum()), int(two.loc[~alone, "error"].notna().sum())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--hostile", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--folder", type=Path, help="where files go (default: a temporary folder)")
    parser.add_argument("further", nargs="*", metavar="-- OPTION", help="options of tted batch")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        folder = Path(place)
        written(folder, options.pairs)
        told("undisturbed", run(folder, folder / "maps.jsonl", folder / "good", options.further))
        if options.hostile:
            maps = spoilt(folder, options.hostile)
            told("with hostile maps", run(folder, maps, folder / "bad", options.further))
            equal, failed = equal_but_for_hostile(folder / "good", folder / "bad", options.hostile)
            print(f"{equal:,} rows of maps left alone are equal, {failed:,} of the others have an error")


if __name__ == "__main__":
    main()
