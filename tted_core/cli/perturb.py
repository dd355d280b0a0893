"""tted perturb MAP: a variant of a map, changed in a chosen way and to a chosen degree."""

import argparse
from dataclasses import replace

from tted_core.cli.shared import add_json, add_reading, chosen_map, dump, fail, tell
from tted_core.formats import WRITERS, write_map
from tted_core.perturbation import PERTURBATIONS, perturb
from tted_core.report import map_json

SUMMARY = "make a variant of a map"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", help="a mind map, or - for standard input")
    parser.add_argument(
        "--by",
        required=True,
        choices=PERTURBATIONS,
        metavar="NAME",
        help="; ".join(f"{name}: {entry.title}" for name, entry in PERTURBATIONS.items()),
    )
    parser.add_argument(
        "--strength", type=float, default=0.3, help="share of what can be changed, 0 to 1 (default: 0.3)"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, another variant (default: 0)")
    parser.add_argument("--donor", metavar="MAP", help="a map whose texts are taken, where texts are needed")
    parser.add_argument(
        "--to", choices=WRITERS, default="markdown", metavar="FORMAT", help=f"{', '.join(WRITERS)}"
    )
    add_reading(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Perturb the map and return what to print."""
    if options.file == options.donor == "-":
        fail("both maps can't come from standard input; name a file for one of them")
    mind_map = chosen_map(options.file, options)
    donor = chosen_map(options.donor, options).tree if options.donor else None
    tell(mind_map.notices)
    variant = perturb(mind_map.tree, options.by, options.strength, seed=options.seed, donor=donor)
    if options.json:
        return dump(map_json(replace(mind_map, tree=variant)))
    text, losses = write_map(variant, options.to)
    tell(losses)
    return text.removesuffix("\n")
