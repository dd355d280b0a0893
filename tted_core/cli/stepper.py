"""tted stepper LEFT RIGHT --out FILE: how a distance is computed, step by step, as one HTML file."""

import argparse

from tted_core.cli.method import add_encoder
from tted_core.cli.shared import (
    add_reading,
    check_outputs,
    chosen_encoder,
    chosen_map,
    file_name,
    tell,
    write_file,
)
from tted_core.foundations.limits import MAX_NODES_TRACED
from tted_core.learn.mappings import model_costs, number, unit_costs
from tted_core.learn.stepper import BY_HAND, BY_MODEL, ORDERS, player_data, stepper_page

COSTS = {"unit": BY_HAND, "distances": BY_MODEL}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    for side in ("left", "right"):
        parser.add_argument(side, type=file_name, help=f"the {side} map, of up to {MAX_NODES_TRACED} nodes")
    parser.add_argument(
        "--out", type=file_name, required=True, metavar="FILE.html", help="where to write the page"
    )
    parser.add_argument(
        "--order", choices=ORDERS, default="ordered", help="which distance (default: ordered)"
    )
    parser.add_argument(
        "--costs",
        choices=COSTS,
        default="unit",
        help="0 and 1, to be added up by hand, or the distances that the encoder gives (default: unit)",
    )
    add_encoder(parser)
    add_reading(parser)


def run(options: argparse.Namespace) -> str:
    """Write the page and return what to print."""
    check_outputs([options.out], [options.left, options.right])
    maps = [chosen_map(file, options) for file in (options.left, options.right)]
    for each in maps:
        tell(each.notices)
    left, right = (each.tree for each in maps)
    if options.costs == "unit":
        costs = unit_costs(left, right)
    else:
        costs = model_costs(chosen_encoder(options), left, right)
    data, found = player_data(options.order, left, right, costs)
    page = stepper_page(data, COSTS[options.costs].format(encoder=options.encoder))
    write_file(lambda: page.encode("utf-8"), options.out)
    return f"{options.order}: {number(found)}, in {len(data['steps'])} steps: {options.out}"
