"""tted perturb MAP: variants of a map, changed in a chosen way and to a chosen degree."""

import argparse
from dataclasses import asdict, replace
from pathlib import Path

from tted_core.baselines import BASELINES
from tted_core.cli.method import add_encoder, add_option, add_preset, add_several, chosen_names, methods
from tted_core.cli.shared import (
    add_json,
    add_reading,
    check_outputs,
    chosen_encoder,
    chosen_map,
    dump,
    fail,
    file_name,
    tell,
    terminal_monitor,
    write_picture,
)
from tted_core.figures import DRAWN, study_curves
from tted_core.formats import WRITERS, write_map
from tted_core.foundations.registry import lookup
from tted_core.lab import map_measures
from tted_core.lab.perturbation import PERTURBATIONS, STRENGTHS, perturb, study
from tted_core.tree import TextTree
from tted_core.version import VERSION


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Make a variant of a map, or (--study) measure variants of every strength. Perturbations: "
        + "; ".join(f"{name}: {entry.title}" for name, entry in PERTURBATIONS.items())
    )
    parser.add_argument("file", type=file_name, help="a mind map, or - for standard input")
    parser.add_argument(
        "--by", required=True, metavar="NAME", help="a perturbation; for a study NAME[,NAME...] or all"
    )
    parser.add_argument(
        "--strength", type=float, default=0.3, help="share of what can be changed, 0 to 1 (default: 0.3)"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, another variant (default: 0)")
    parser.add_argument(
        "--donor", type=file_name, metavar="MAP", help="an unrelated map: its texts are taken where needed"
    )
    parser.add_argument(
        "--to", choices=WRITERS, default="markdown", metavar="FORMAT", help=f"{', '.join(WRITERS)}"
    )
    parser.add_argument(
        "--study", action="store_true", help="measure variants of strengths from 0 to 1 beside the donor"
    )
    parser.add_argument(
        "--seeds", type=int, default=3, metavar="N", help="variants of each strength (default: 3)"
    )
    add_several(parser, "order", default="ordered,constrained")
    add_several(parser, "context", default="none,ancestors")
    parser.add_argument("--baselines", default="rouge_sim", metavar="NAME[,NAME...]|all|none")
    parser.add_argument(
        "--plot",
        type=file_name,
        metavar="FILE",
        help=f"draw the study's curves; the ending says how: {', '.join(DRAWN)}",
    )
    add_option(parser, "gap")
    add_option(parser, "power")
    add_preset(parser)
    add_encoder(parser)
    add_reading(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Perturb the map and return what to print."""
    if options.file == options.donor == "-":
        fail("both maps can't come from standard input; name a file for one of them")
    mind_map = chosen_map(options.file, options)
    donor_map = chosen_map(options.donor, options) if options.donor else None
    donor = donor_map.tree if donor_map else None
    tell(mind_map.notices)
    tell(f"donor: {notice}" for notice in (donor_map.notices if donor_map else ()))
    if options.study:
        return _studied(mind_map.tree, donor, options)
    if options.plot:
        fail("--plot draws a study; add --study")
    variant = perturb(mind_map.tree, options.by, options.strength, seed=options.seed, donor=donor)
    if options.json:
        return dump(replace(mind_map, tree=variant).to_dict())
    text, losses = write_map(variant, options.to)
    tell(losses)
    return text.removesuffix("\n")


def _studied(tree: TextTree, donor: TextTree | None, options: argparse.Namespace) -> str:
    if donor is None:
        fail("a study needs an unrelated map to compare with; name it with --donor")
    if options.seeds < 1:
        fail(f"--seeds is {options.seeds}; give a number above 0")
    if options.plot:  # before the long work
        lookup(DRAWN, Path(options.plot).suffix.removeprefix(".").lower(), "ending of a picture's file")
        check_outputs([options.plot], [options.file, options.donor])
    measures = map_measures(
        methods(options), chosen_encoder(options), chosen_names(options.baselines, BASELINES, "baseline")
    )
    if not measures:
        fail("no measure is chosen; name an order or a baseline")
    names = chosen_names(options.by, PERTURBATIONS, "perturbation")
    result = study(tree, donor, measures, names, seeds=range(options.seeds), monitor=terminal_monitor())
    if options.plot:
        write_picture(study_curves(result), options.plot)
    if options.json:
        return dump({"points": [asdict(point) for point in result.points], "version": VERSION})
    lines = [f"{'perturbation':<16}{'measure':<34}" + "".join(f"{strength:>8.0%}" for strength in STRENGTHS)]
    rows: dict[tuple[str, str], list[str]] = {}
    for name, measure, _strength, mean, _variants in result.curves():
        rows.setdefault((name, measure), []).append(f"{mean:8.3f}")
    lines += [f"{name:<16}{measure:<34}{''.join(cells)}" for (name, measure), cells in rows.items()]
    return "\n".join([*lines, "", "distance as a share of the distance to the unrelated map"])
