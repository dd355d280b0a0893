"""The nearest of many maps, with the whole matrix of distances as the reference: same answers, time, memory.

The matrix is computed by ``tted matrix`` in a process of its own, which is killed half way and goes on by
``--resume``. Then each of some queries, a map of the collection, is looked for by ``nearest`` and by computing all
its distances, alternating. Run ``python -m benchmarks.neighbours`` for 2,000 generated maps; ``--maps FOLDER``
takes others, ``--no-matrix`` holds the answers against all distances alone.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.generated import Generator, outline
from tted_core import PRESETS, MindMap, load_encoder
from tted_core.batch.costs import ChunkCosts
from tted_core.batch.functions import _options, _work
from tted_core.batch.map_collections import collected
from tted_core.batch.neighbours import nearest_of
from tted_core.batch.parts import part_files
from tted_core.batch.solving import chunks, solve_chunk
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.monitor import UNWATCHED
from tted_core.warm_up import warm_up

VARIANTS = 9
NEIGHBOURS = 5


def generated(folder: Path, count: int) -> Path:
    """One file of so many maps: originals, and nine variants of each."""
    file = folder / "maps.jsonl"
    families = Generator(1).families(-(-count // (VARIANTS + 1)), VARIANTS)
    trees = [tree for family in families for tree in family][:count]
    lines = (json.dumps({"id": f"{number:05d}", "map": outline(tree)}) for number, tree in enumerate(trees))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def matrix_by_command(maps: Path, folder: Path, name: str) -> NDArray[np.float64]:
    """The matrix by the command, killed when half of its parts are there, and gone on with."""
    out = folder / f"{name}.npy"
    parts = out.with_name(f"{out.name}.parts")
    order = (
        sys.executable,
        "-m",
        "tted_core",
        "matrix",
        str(maps),
        "--out",
        str(out),
        "--preset",
        name,
        "--json",
    )
    start = time.perf_counter()
    process = subprocess.Popen(order, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(part_files(parts)) < 50:
        time.sleep(0.2)
    process.kill()
    process.wait()
    kept = {file: file.stat().st_mtime_ns for file in part_files(parts)}
    half = time.perf_counter() - start
    done = subprocess.run((*order, "--resume"), check=True, capture_output=True)
    whole = time.perf_counter() - start
    again = sum(file.stat().st_mtime_ns != stamp for file, stamp in kept.items())
    summary: dict[str, Any] = json.loads(done.stdout)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{name}: {summary['pairs']:,} pairs in {whole:.0f} s ({used.ru_utime + used.ru_stime:.0f} s of processor "
        f"time so far); killed after {half:.0f} s with {len(kept)} parts, of which {again} were computed again; "
        f"at most {peak:,.0f} MB in a process",
        flush=True,
    )
    matrix: NDArray[np.float64] = np.load(out)
    return matrix


def compared(
    maps: Sequence[MindMap], name: str, encoder: Encoder, matrix: NDArray[np.float64] | None, queries: int
) -> None:
    """A line for each query; any other answer ends the program."""
    how = dict(PRESETS[name])
    options = _options(
        "given", (how["distance"], how["order"], how["context"]), (how["gap"], how["power"]), (None, None)
    )
    for number in np.linspace(0, len(maps) - 1, queries).astype(int).tolist():
        others = [each for place, each in enumerate(maps) if place != number]
        work = _work([maps[number], *others], options, encoder, UNWATCHED, notices=False)
        setting = work.settings[0]
        pairs = np.array([(0, 1 + place) for place in range(len(others))], dtype=np.int32)
        times = {"nearest": float("inf"), "all": float("inf")}
        for _ in range(3):
            start = time.process_time()
            result = nearest_of(work, NEIGHBOURS)
            middle = time.process_time()
            every = np.concatenate(
                [
                    solve_chunk(work, setting, ChunkCosts(work, setting, pairs[part])).tted
                    for part in chunks(work, pairs)
                ]
            )
            end = time.process_time()
            times = {"nearest": min(times["nearest"], middle - start), "all": min(times["all"], end - middle)}
        expected = np.argsort(every, kind="stable")[:NEIGHBOURS]
        if [place for place, _ in result.found] != expected.tolist():
            raise SystemExit(f"query {number}: other maps are nearest than by all distances")
        if matrix is not None:
            row = np.delete(matrix[number], number)
            if not np.allclose(
                np.sort(row)[:NEIGHBOURS], [tted for _, tted in result.found], rtol=0, atol=1e-5
            ):
                raise SystemExit(f"query {number}: other distances than in the matrix")
        print(
            f"{name}, query {number}: {result.skipped / len(others):.1%} skipped, {times['nearest'] * 1e3:.0f} ms "
            f"beside {times['all'] * 1e3:.0f} ms for all distances, {times['all'] / times['nearest']:.1f}x",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each matrix and each query."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbours", description=__doc__)
    parser.add_argument("--maps", type=Path, help="a folder, a zip archive or a JSONL file of maps")
    parser.add_argument("--count", type=int, default=2000, help="how many maps are generated otherwise")
    parser.add_argument("--queries", type=int, default=5)
    parser.add_argument("--no-matrix", action="store_true", help="without the command's matrix")
    parser.add_argument("--presets", nargs="+", choices=PRESETS, default=list(PRESETS))
    options = parser.parse_args(arguments)
    warm_up()
    encoder = encoding_once(load_encoder("minilm", device="cpu"))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = options.maps or generated(folder, options.count)
        maps = [read() for _, read in collected(source)]
        print(
            f"{len(maps):,} maps of {sum(len(each.tree) for each in maps) / len(maps):.0f} nodes", flush=True
        )
        for name in options.presets:
            matrix = None if options.no_matrix else matrix_by_command(source, folder, name)
            compared(maps, name, encoder, matrix, options.queries)


if __name__ == "__main__":
    main()
