"""What the commands on folders of samples share: which samples, and which measures."""

import argparse
import math
from functools import partial

from tted_core.baselines import BASELINES
from tted_core.cli.shared import (
    add_json,
    add_preset,
    add_roots,
    chosen_names,
    fail,
    file_name,
    loaded_encoder,
)
from tted_core.contexts import CONTEXTS
from tted_core.distances import distances_at_hand
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.lab.quality import Grid, Sample, read_samples
from tted_core.solvers import SOLVERS
from tted_core.weighing import checked_gap, checked_power

NAMES = "NAME[,NAME...]|all"


def add_grid(parser: argparse.ArgumentParser) -> None:
    """Add the folder of samples and the options that say what is measured on it."""
    parser.add_argument(
        "folder",
        type=file_name,
        metavar="DIR",
        help="samples: folders with base.json (or base_tree.json), paraphrase_1.json, structure_1.json, "
        "meaning_1.json and so on, at any depth",
    )
    parser.add_argument(
        "--encoders",
        "--encoder",
        default="minilm",
        metavar="NAME[,NAME...]",
        help=f"of {', '.join(ENCODERS)}",
    )
    parser.add_argument(
        "--distances",
        "--distance",
        metavar=NAMES,
        help=", ".join(distances_at_hand()),
    )
    parser.add_argument("--orders", "--order", metavar=NAMES, help=", ".join(SOLVERS))
    parser.add_argument("--contexts", "--context", metavar=NAMES, help=", ".join(CONTEXTS))
    parser.add_argument(
        "--gaps", "--gap", metavar="X|=X[,...]", help="what a missing sentence costs; see tted compare --help"
    )
    parser.add_argument("--powers", "--power", metavar="P[,P...]", help="how much the worst sentences weigh")
    add_preset(parser)
    parser.add_argument(
        "--baselines",
        default="none",
        metavar=f"{NAMES}|none",
        help=f"rows to add, of {', '.join(BASELINES)} (default: none)",
    )
    parser.add_argument("--variants", type=int, metavar="N", help="the first N of each kind (default: all)")
    parser.add_argument("--sizes", metavar="N[,N...]", help="only samples whose base has so many nodes")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds per pair for an order that may take long"
    )
    parser.add_argument("--no-cache", action="store_true", help="keep no embeddings on disk (see TTED_CACHE)")
    add_roots(parser)
    add_json(parser)


def chosen_grid(options: argparse.Namespace) -> Grid:
    """The measures that ``add_grid``'s options name."""
    if options.time_limit is not None and not 0 < options.time_limit < math.inf:
        fail("--time-limit takes a finite number of seconds above 0")
    if options.variants is not None and options.variants < 1:
        fail(f"--variants is {options.variants}; give a number above 0")
    encoders = dict.fromkeys(name.strip() for name in options.encoders.split(","))
    return Grid(
        {name: partial(loaded_encoder, name, cached=not options.no_cache) for name in encoders},
        chosen_names(options.orders, SOLVERS, "order"),
        chosen_names(options.contexts, CONTEXTS, "context"),
        chosen_names(options.distances, distances_at_hand(), "distance"),
        chosen_names(options.baselines, BASELINES, "baseline"),
        options.time_limit,
        [checked_gap(gap) for gap in options.gaps.split(",")],
        [checked_power(power) for power in options.powers.split(",")],
    )


def chosen_samples(options: argparse.Namespace) -> tuple[tuple[Sample, ...], list[str]]:
    """The samples that ``add_grid``'s options name, and what is to be said of them."""
    notices: list[str] = []
    samples = read_samples(options.folder, options.variants, roots=options.roots, tell=notices.append)
    if options.sizes:
        sizes = dict.fromkeys(size.strip() for size in options.sizes.split(","))
        samples = tuple(sample for sample in samples if str(sample.size) in sizes)
        if not samples:
            fail(f"no sample in {options.folder} has a base of {options.sizes} nodes")
        absent = sizes.keys() - {str(sample.size) for sample in samples}
        notices += [f"no sample has a base of {size} nodes" for size in sizes if size in absent]
    return samples, notices
