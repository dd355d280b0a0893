"""tted matrix MAPS: the distances of all maps from each other."""

import argparse
import io
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tted_core.annotate.agreement import medoids
from tted_core.batch.functions import MATRIX_SCORES, MAX_MAPS_IN_MATRIX, pairs_of_matrix
from tted_core.batch.inputs import Inputs
from tted_core.batch.parts import read_parts
from tted_core.batch.running import run_batch
from tted_core.batch.settings import BatchOptions
from tted_core.cli.batch import RUNNING
from tted_core.cli.figures import check_figure, figure_of, write_figure
from tted_core.cli.method import PRESET, method, method_arguments
from tted_core.cli.shared import (
    COLLECTION,
    EXCEL,
    JSON,
    argument,
    check_outputs,
    dump,
    fail,
    file_name,
    loading,
    progress,
    reading,
    tell,
    write_file,
)
from tted_core.figures.agreement import heat_map
from tted_core.formats.map_collections import collected
from tted_core.foundations.extras import require
from tted_core.foundations.limits import check_limit
from tted_core.foundations.printable import shortened
from tted_core.foundations.tables import csv_text, text_bytes
from tted_core.version import VERSION

KINDS = (".npy", ".csv", ".parquet")


DESCRIPTION = (
    "All distances between the maps of a collection. FILE.names.json has their names and the medoid, the map "
    "nearest to all others; the folder FILE.parts has all other scores, from which --resume continues."
)

ARGUMENTS = (
    argument("maps", type=file_name, metavar="FOLDER|ZIP|JSONL", help="the maps"),
    argument(
        "--out",
        type=file_name,
        required=True,
        metavar="FILE",
        help=f"file of the matrix; its ending sets the format: {', '.join(KINDS)}",
    ),
    argument(
        "--score", choices=MATRIX_SCORES, default="tted", help="the score in the matrix (default: tted)"
    ),
    figure_of("a heat map under its dendrogram"),
    *method_arguments(),
    PRESET,
    *COLLECTION,
    *RUNNING,
    EXCEL,
    JSON,
)


def run(options: argparse.Namespace) -> str:
    """Compare all maps and return what to print."""
    require("batch")
    out = Path(options.out)
    names_file = out.with_name(f"{out.name}.names.json")
    if out.suffix not in KINDS:
        fail(f"--out is {out.name!r}, which ends in none of {', '.join(KINDS)}")
    check_figure(options)
    check_outputs([options.figure, options.out, str(names_file)], [options.maps])
    by = method(options)
    maps = collected(Path(options.maps), reading(options))
    if len(maps) < 2:
        fail(f"there is one map in {options.maps}; a matrix needs two")
    check_limit(len(maps), MAX_MAPS_IN_MATRIX, "maps", "give fewer, or list the pairs for tted batch")
    symmetric = by.record.symmetric
    pairs = pairs_of_matrix(len(maps), symmetric=symmetric)
    notices = list(by.record.notices)
    folder = out.with_name(f"{out.name}.parts")
    summary = run_batch(
        Inputs(maps, pairs, [f"{left},{right}" for left, right in pairs.tolist()]),
        BatchOptions((by,), (), reading(options)),
        folder,
        workers=options.workers,
        dask=options.dask,
        resume=options.resume,
        load=loading(options),
        monitor=progress(logs=True),
    )
    matrix = _assembled(folder, pairs, len(maps), options.score, symmetric=symmetric)
    names = [name for name, _ in maps]
    kept = [number for number in range(len(maps)) if np.isfinite(matrix[number, number])]
    if not kept:
        fail(f"no two of the maps can be compared; the column error in {folder} says why")
    within = matrix[np.ix_(kept, kept)]
    if len(kept) < len(maps):
        left_out = next(name for number, name in enumerate(names) if number not in kept)
        notices.append(
            f"{len(maps) - len(kept):,} maps can't be compared: {left_out} and so on; the column error in "
            f"{folder} says why"
        )
    tell(notices)
    centre = medoids(within)
    write_file(lambda: _written(matrix, names, out.suffix, excel=options.excel), str(out))
    content = {
        "names": names,
        "medoids": [names[kept[number]] for number in centre],
        "score": options.score,
        "notices": notices,
        "version": VERSION,
    }
    text = json.dumps(content, ensure_ascii=False, indent=2)
    write_file(lambda: text.encode("utf-8", "backslashreplace"), str(names_file))
    shown = [names[number] for number in kept], (within + within.T) / 2
    write_figure(lambda: heat_map(*shown, centre, f"{options.score}, {by.order}"), options)
    if options.json:
        return dump({**content, **summary, "notices": notices})
    medoid = shortened(", ".join(content["medoids"]), 200)
    return f"{len(maps):,} maps, {summary['pairs']:,} pairs in {out}; medoid: {medoid}"


def _assembled(
    folder: Path, pairs: NDArray[np.int32], count: int, score: str, *, symmetric: bool
) -> NDArray[np.float64]:
    """The matrix; not a number where a map can't be compared."""
    matrix = np.full((count, count), np.nan)
    values = np.concatenate([table[score].to_numpy() for table in read_parts(folder, [score])]).astype(
        np.float64
    )
    matrix[pairs[:, 0], pairs[:, 1]] = values
    if symmetric:
        matrix[pairs[:, 1], pairs[:, 0]] = values
    np.fill_diagonal(matrix, np.where(np.isfinite(matrix).any(axis=1), 0.0, np.nan))
    return matrix


def _written(matrix: NDArray[np.float64], names: list[str], ending: str, *, excel: bool) -> bytes:
    """The matrix in one of ``KINDS``."""
    out = io.BytesIO()
    if ending == ".npy":
        np.save(out, matrix)
        return out.getvalue()
    if ending == ".csv":
        rows = ((name, *row) for name, row in zip(names, matrix.tolist(), strict=True))
        return text_bytes(csv_text(("map", *names), rows), excel=excel)
    import pandas as pd

    pd.DataFrame(matrix, index=pd.Index(names, name="map"), columns=names).to_parquet(out)
    return out.getvalue()
