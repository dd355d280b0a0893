"""tted matrix MAPS: the distances of all maps from each other."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tted_core.annotate.agreement import medoids
from tted_core.batch.memory import MATRIX_SCORES, distance_matrix
from tted_core.cli.method import METHOD, PRESET, check_figure, figure_of, method, write_figure
from tted_core.cli.shared import (
    COLLECTION,
    EXCEL,
    JSON,
    Options,
    argument,
    check_outputs,
    command,
    dump,
    fail,
    file_name,
    load_chosen_models,
    progress,
    reading_options,
    show,
    tell,
    write_output,
)
from tted_core.errors import TTEDError, lookup, require
from tted_core.figures.distances import heat_map
from tted_core.formats.map_collections import read_collection
from tted_core.foundations.output import shorten
from tted_core.foundations.tables import csv_text, text_bytes
from tted_core.version import VERSION

_KINDS = (".npy", ".csv", ".parquet")


@command(
    argument("maps", type=file_name, metavar="FOLDER|ZIP|JSONL", help="the maps"),
    argument(
        "--out",
        type=file_name,
        required=True,
        metavar="FILE",
        help=f"file of the matrix; its ending sets the format: {', '.join(_KINDS)}",
    ),
    argument(
        "--score", choices=MATRIX_SCORES, default="tted", help="the score in the matrix (default: tted)"
    ),
    figure_of("a heat map under its dendrogram"),
    *METHOD,
    PRESET,
    *COLLECTION,
    EXCEL,
    JSON,
    description=(
        "All distances between the maps of a collection. FILE.names.json has their names and the medoid, the map "
        "nearest to all others."
    ),
)
def matrix_command(options: Options) -> str:
    """Compare all maps and return what to print."""
    require("batch")
    out, by = Path(options.out), method(options)
    names_file = f"{out}.names.json"
    lookup(dict.fromkeys(_KINDS), out.suffix, "ending of a matrix's file")
    check_figure(options)
    check_outputs([options.figure, options.out, names_file], [options.maps])
    maps, notices = {}, list(by.record.notices)
    for name, read in read_collection(Path(options.maps), reading_options(options)):
        try:
            maps[name] = read()
        except TTEDError as error:
            notices.append(f"left out: {name}: {error}")
    tell(notices)
    if len(maps) < 2:
        fail(f"a matrix needs two maps; of those in {options.maps}, {len(maps)} can be read")
    matrix = distance_matrix(
        maps.values(), by, load_chosen_models(options), score=options.score, monitor=progress(logs=True)
    )
    names, centre = list(maps), medoids(matrix)
    write_output(lambda: _write_matrix(matrix, names, out.suffix, excel=options.excel), options.out)
    content = {
        "names": names,
        "medoids": [names[each] for each in centre],
        "score": options.score,
        "notices": notices,
        "version": VERSION,
    }
    write_output(lambda: dump(content).encode("utf-8", "backslashreplace"), names_file)
    title = f"{options.score}, {by.order}"
    write_figure(lambda: heat_map(names, (matrix + matrix.T) / 2, centre, title), options)
    return show(
        options,
        lambda: content,
        lambda: f"{len(maps):,} maps in {out}; medoid: {shorten(', '.join(content['medoids']), 200)}",
    )


def _write_matrix(matrix: NDArray[np.float64], names: list[str], ending: str, *, excel: bool) -> bytes:
    """The matrix in one of ``_KINDS``."""
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
