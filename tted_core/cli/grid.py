"""What the commands on folders of samples share: which samples, and which measures."""

import argparse
from functools import partial

from tted_core.baselines import BASELINES
from tted_core.cli.method import NAMES, add_combinations, chosen, chosen_names
from tted_core.cli.shared import add_json, add_roots, fail, file_name, loaded_encoder
from tted_core.lab.quality import CONTROLS, Grid, Sample, read_samples
from tted_core.method import SEVERAL


def add_grid(parser: argparse.ArgumentParser) -> None:
    """Add the folder of samples and the options that say what is measured on it."""
    parser.add_argument(
        "folder",
        type=file_name,
        metavar="DIR",
        help="samples: folders with base.json (or base_tree.json), paraphrase_1.json, structure_1.json, "
        "meaning_1.json and so on, at any depth",
    )
    add_combinations(parser, baselines="rows to add", masked=True, depth=False)
    parser.add_argument(
        "--controls",
        default="all",
        metavar=f"{NAMES}|none",
        help="deliberately bad measures, for comparison with the others, of "
        f"{', '.join(CONTROLS)} (default: all)",
    )
    parser.add_argument("--variants", type=int, metavar="N", help="the first N of each kind (default: all)")
    parser.add_argument("--sizes", metavar="N[,N...]", help="only samples whose base has so many nodes")
    parser.add_argument("--no-cache", action="store_true", help="keep no embeddings on disk (see TTED_CACHE)")
    add_roots(parser)
    add_json(parser)


def chosen_grid(options: argparse.Namespace) -> Grid:
    """The measures that ``add_grid``'s options name."""
    if options.variants is not None and options.variants < 1:
        fail(f"--variants is {options.variants}; give a number above 0")
    given = chosen(options)
    return Grid(
        {
            name: partial(loaded_encoder, name, cached=not options.no_cache)
            for name in given.pop(SEVERAL["encoder"])
        },
        given,
        chosen_names(options.baselines, BASELINES, "baseline"),
        chosen_names(options.controls, CONTROLS, "control"),
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
