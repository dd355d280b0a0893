"""tted batch: many pairs of maps, from files to a folder of results."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tted_core.baselines import MEASURES
from tted_core.batch.job import run_batch
from tted_core.batch.pairs import Inputs, open_source
from tted_core.batch.results import read_parts, summary
from tted_core.batch.table import BatchOptions, combine
from tted_core.cli.method import (
    EQUIVALENT,
    baselines_argument,
    combination_arguments,
    pick_names,
    read_combinations,
)
from tted_core.cli.shared import (
    COLLECTION,
    ENCODING,
    FAIL_ABOVE,
    JSON,
    Options,
    argument,
    check_outputs,
    command,
    csv_of,
    dump,
    fail,
    file_name,
    loading,
    number,
    progress,
    reading_options,
    refuse,
    tell,
)
from tted_core.errors import require
from tted_core.foundations.tables import write_csv
from tted_core.method import Method


@command(
    argument(
        "pairs",
        nargs="?",
        type=file_name,
        metavar="PAIRS",
        help="a .csv, .tsv or .jsonl file with the columns left and right (paths from its folder), perhaps id; "
        "others are kept",
    ),
    *(
        argument(
            f"--{side}",
            type=file_name,
            metavar="FOLDER|ZIP|JSONL",
            help="instead of PAIRS: maps, each compared with the map of the same name on the other side",
        )
        for side in ("left", "right")
    ),
    argument(
        "--maps",
        type=file_name,
        metavar="FOLDER|ZIP|JSONL",
        help="the maps that PAIRS names by id: lines with id and map, or a collection with the ids as file names",
    ),
    argument("--out", type=file_name, required=True, metavar="DIR", help="folder of the results"),
    *combination_arguments(),
    baselines_argument(MEASURES),
    EQUIVALENT,
    *COLLECTION,
    argument(
        "--sentences",
        action="store_true",
        help="count the sentences by status (same, reworded, moved, merged, split, missing, extra), "
        "as Compare does; several times slower",
    ),
    *ENCODING,
    argument(
        "--workers",
        type=number(1),
        default=-1,
        metavar="N",
        help="number of processes (default: one for each core)",
    ),
    argument(
        "--dask",
        metavar="ADDRESS|FILE.json|local",
        help="compute on a Dask cluster instead: its scheduler's address, such as tcp://host:8786, or its file; "
        "or on a new one with a worker for each core of this machine",
    ),
    argument(
        "--resume",
        action="store_true",
        help="continue an interrupted run: keep the results that are already in --out",
    ),
    argument(
        "--fail-on-error",
        type=number(0, 1, float),
        default=1.0,
        metavar="SHARE",
        help="exit with status 1 if more than this share of the rows has an error (default: 1, never)",
    ),
    FAIL_ABOVE,
    *csv_of("all rows"),
    JSON,
    description=(
        "Compare many pairs of maps, listed in a table or paired by their names in two folders. Exit status 1 if "
        "more rows failed than --fail-on-error allows or a distance is above --fail-above, 130 after Ctrl+C; "
        "finished rows are kept, and --resume continues from them."
    ),
)
def batch_command(options: Options) -> str:
    """Compare all pairs and return what to print."""
    require("batch")
    settings = BatchOptions(
        combine(**read_combinations(options)),
        tuple(pick_names(options.baselines, MEASURES, "baseline")),
        reading_options(options),
        options.equivalence,
        options.sentences,
    )
    check_outputs([options.csv], (options.pairs, options.left, options.right, options.maps))
    inputs = _inputs(options)
    tell(inputs.notices)
    try:
        done = run_batch(
            inputs,
            settings,
            Path(options.out),
            workers=options.workers,
            dask=options.dask,
            resume=options.resume,
            load=loading(options),
            monitor=progress(logs=True),
        )
    except KeyboardInterrupt:
        tell([f"stopped; what is done is in {options.out}, and the same command with --resume goes on"])
        raise
    if options.csv is not None:
        write_csv(read_parts(Path(options.out)), Path(options.csv), excel=options.excel)
    text = dump(done) if options.json else _text(done, settings.methods, Path(options.out))
    if done["failed"] > options.fail_on_error * done["rows"]:
        refuse(text, f"{done['failed']:,} of {done['rows']:,} rows have an error (column error)")
    if options.fail_above < 1:
        _check_distances(Path(options.out), options.fail_above, text)
    return text


def _check_distances(folder: Path, bound: float, text: str) -> None:
    """End with status 1 if a row's distance is above the bound; a row with an error has none."""
    rows = (row for part in read_parts(folder, ("id", "normalized")) for row in part.to_pylist())
    above = [(row["normalized"], row["id"]) for row in rows if (row["normalized"] or 0.0) > bound]
    if above:
        worst, name = max(above)
        refuse(
            text,
            f"{len(above):,} normalized distances are above {bound:g}; the greatest is {worst:.4f}, {name}",
        )


def _inputs(options: Options) -> Inputs:
    source = {
        name: Path(file)
        for name in ("pairs", "maps", "left", "right")
        if (file := getattr(options, name)) is not None
    }
    if source.keys() not in ({"pairs"}, {"pairs", "maps"}, {"left", "right"}):
        fail(
            "name a table of pairs, or two collections of maps with --left and --right; --maps goes with a table"
        )
    return open_source(source, reading=reading_options(options))


def _text(done: dict[str, Any], methods: Sequence[Method], folder: Path) -> str:
    seconds = ", ".join(f"{stage} {time:.1f} s" for stage, time in done["seconds"].items())
    failed = f", {done['failed']:,} of them with an error (column error)" if done["failed"] else ""
    lines = [f"{done['rows']:,} rows of {done['pairs']:,} pairs in {folder}{failed}", seconds]
    return "\n".join((*lines, *summary(folder, methods)))
