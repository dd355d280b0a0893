"""tted nearest QUERY --in MAPS: the maps nearest to one, exactly."""

import argparse
from pathlib import Path

from tted_core.batch.functions import nearest
from tted_core.batch.map_collections import Reading, collected
from tted_core.cli.method import add_method, method
from tted_core.cli.progress import batch_monitor
from tted_core.cli.shared import add_json, add_roots, chosen_models, dump, file_name, tell
from tted_core.errors import TTEDError
from tted_core.formats import MindMap, read_map

SUMMARY = "find the maps nearest to one"


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
    names: list[str] = []
    maps: list[MindMap] = []
    monitor = batch_monitor()
    monitor.stage("Reading maps")
    named = collected(Path(options.maps), Reading(options.roots))
    for number, (name, read) in enumerate(named, start=1):
        try:
            maps.append(read())
            names.append(name)
        except TTEDError as error:
            tell([f"{name} is left out: {error}"])
        monitor.advance(number, len(named))
    result = nearest(
        query,
        maps,
        options.k,
        method(options),
        chosen_models(options),
        monitor=monitor,
    )
    tell(f"{names[number]} is left out: {error}" for number, error in result.errors)
    found = [{"name": names[number], "tted": tted} for number, tted in result.found]
    if options.json:
        return dump({"nearest": found, "compared": result.compared, "skipped": result.skipped})
    lines = [f"{tted:10.4f}  {names[number]}" for number, tted in result.found]
    return "\n".join(
        [*lines, "", f"{result.compared:,} maps compared, {result.skipped:,} ruled out by a bound"]
    )
