"""tted nearest QUERY --in MAPS: the maps nearest to one, exactly."""

import argparse
from pathlib import Path
from typing import Any

from tted_core.batch.functions import nearest
from tted_core.batch.map_collections import AS_IT_IS, Reading, collected
from tted_core.cli.method import add_method, method
from tted_core.cli.shared import add_json, add_roots, batch_monitor, chosen_models, dump, file_name, tell
from tted_core.distances import Models
from tted_core.errors import TTEDError
from tted_core.formats import MindMap, read_map
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "The maps of a collection that are nearest to a map, by their exact distances; maps that a lower bound "
        "rules out are not compared."
    )
    parser.add_argument("query", type=file_name, metavar="QUERY", help="a mind map")
    parser.add_argument(
        "--in",
        dest="maps",
        type=file_name,
        required=True,
        metavar="FOLDER|ZIP|JSONL",
        help="the maps among which to look",
    )
    parser.add_argument("-k", type=int, default=5, metavar="K", help="how many (default: 5)")
    add_method(parser)
    add_roots(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Find the maps and return what to print."""
    query = read_map(options.query, roots=options.roots)
    found, errors = neighbours(
        query,
        Path(options.maps),
        options.k,
        by=method(options),
        models=chosen_models(options),
        reading=Reading(options.roots),
        monitor=batch_monitor(),
    )
    tell(errors)
    if options.json:
        return dump(found)
    lines = [f"{each['tted']:10.4f}  {each['name']}" for each in found["nearest"]]
    return "\n".join(
        [*lines, "", f"{found['compared']:,} maps compared, {found['skipped']:,} ruled out by a bound"]
    )


def neighbours(
    query: MindMap,
    collection: Path,
    k: int,
    *,
    by: Method,
    models: Models,
    reading: Reading = AS_IT_IS,
    monitor: Monitor = UNWATCHED,
) -> tuple[dict[str, Any], list[str]]:
    """The nearest maps of a folder, archive or file, as JSON has them; and which were left out, and why.

    Raises:
        TTEDError: the collection can't be read, or as for ``batch.functions.nearest``.
    """
    names: list[str] = []
    maps: list[MindMap] = []
    errors: list[str] = []
    monitor.stage("Reading maps")
    named = collected(collection, reading)
    for number, (name, read) in enumerate(named, start=1):
        try:
            maps.append(read())
            names.append(name)
        except TTEDError as error:
            errors.append(f"{name} is left out: {error}")
        monitor.advance(number, len(named))
    result = nearest(query, maps, k, by, models, monitor=monitor)
    errors += [f"{names[number]} is left out: {error}" for number, error in result.errors]
    found = [{"name": names[number], "tted": tted} for number, tted in result.found]
    return {"nearest": found, "compared": result.compared, "skipped": result.skipped}, errors
