"""tted systems: which generator is better, of outputs for the same documents or of scores made elsewhere."""

import argparse
from functools import partial
from pathlib import Path

from tted_core.baselines import MEASURES
from tted_core.batch.controls import CONTROLS
from tted_core.batch.settings import BatchOptions
from tted_core.cli.method import (
    add_equivalence,
    add_method,
    chosen_names,
    method,
)
from tted_core.cli.shared import (
    add_excel,
    add_field,
    add_json,
    add_roots,
    batch_monitor,
    check_outputs,
    dump,
    fail,
    file_name,
    loaded_encoder,
    reading,
    tell,
    write_csv_text,
    write_file,
    write_picture,
)
from tted_core.errors import TTEDError
from tted_core.figures import depth_scores, forest_plot
from tted_core.formats.map_collections import collected
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.foundations.registry import lookup
from tted_core.systems import (
    Compared,
    Measured,
    SystemScores,
    compare_systems,
    measure_systems,
    read_batch,
    read_scores,
)
from tted_core.systems.documents import Collection
from tted_core.systems.measuring import MISSING, OVER, depth_means, measure_by_depth
from tted_core.systems.output import (
    items_csv,
    pairs_csv,
    report_lines,
    systems_csv,
    systems_json,
    systems_latex,
    systems_markdown,
)
from tted_core.systems.statistics import RESAMPLES

WRITTEN = ("csv", "pairs_csv", "items", "latex", "markdown", "figure", "depth_figure")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Compare systems (generators of mind maps) over the same documents: means with bootstrap intervals, "
        "paired tests, letters of significance, and what drives the differences."
    )
    parser.add_argument(
        "references",
        nargs="?",
        type=file_name,
        metavar="REFS",
        help="a folder, a zip archive or a JSONL file of reference maps",
    )
    parser.add_argument(
        "systems",
        nargs="*",
        type=file_name,
        metavar="NAME=PATH",
        help="a system's outputs likewise, each named as its reference; without NAME= the path gives the name",
    )
    parser.add_argument(
        "--refs",
        action="append",
        default=[],
        type=file_name,
        metavar="PATH",
        help="further references of the same documents; may be given several times",
    )
    ways = "; ".join(f"{name}: {meaning}" for name, meaning in OVER.items())
    parser.add_argument(
        "--over", choices=OVER, default="min", help=f"of several references: {ways} (default: min)"
    )
    ways = "; ".join(f"{name}: {meaning}" for name, meaning in MISSING.items())
    parser.add_argument(
        "--missing",
        choices=MISSING,
        default="drop",
        help=f"a document that a system lacks: {ways} (default: drop)",
    )
    parser.add_argument(
        "--scores",
        type=file_name,
        metavar="CSV|DIR",
        help="instead of maps: a table with the columns item, system and measures, or the folder of a tted batch "
        "whose pairs had a column system",
    )
    parser.add_argument(
        "--lower-is-better",
        metavar="NAME[,NAME]",
        help="with --scores: measures of which lower is better; TTED's and the baselines are known",
    )
    parser.add_argument(
        "--measures",
        metavar="NAME[,NAME]",
        help="the columns of the tables that are printed and of --latex and --markdown (default there: three)",
    )
    parser.add_argument("--baseline", metavar="NAME", help="test the others against this system only")
    parser.add_argument(
        "--baselines",
        default="none",
        metavar="NAME[,NAME...]|all|none",
        help=f"measures to add, of {', '.join(MEASURES)} (default: none)",
    )
    parser.add_argument(
        "--controls",
        default="all",
        metavar="NAME[,NAME...]|all|none",
        help="maps made of the references, as rows beside the systems; a measure by which one beats a system "
        f"can be won without a good map: {', '.join(CONTROLS)} (default: all)",
    )
    parser.add_argument(
        "--resamples", type=int, default=RESAMPLES, metavar="N", help=f"of each test (default: {RESAMPLES:,})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the resamples (default: 0)")
    _add_printed(parser)
    add_equivalence(parser)
    _add_files(parser)
    add_method(parser)
    add_roots(parser)
    add_field(parser)
    add_json(parser)


def _add_printed(parser: argparse.ArgumentParser) -> None:
    for name, what in (
        ("pairs", "print the test of every two systems"),
        (
            "differences",
            "print the operations of each system by level, and the documents on which two systems differ most",
        ),
        (
            "by-depth",
            "add the means of each measure by depth: of the maps trimmed to their first k levels",
        ),
        ("notices", "print every notice about a map, instead of an example of each kind"),
    ):
        parser.add_argument(f"--{name}", action="store_true", help=what)


def _add_files(parser: argparse.ArgumentParser) -> None:
    for name, what in (
        ("csv", "a table of systems and measures"),
        ("pairs-csv", "a table of the tests of every two systems"),
        ("items", "every document's scores (CSV), which --scores reads"),
        ("latex", "a table for a paper in LaTeX, with booktabs"),
        ("markdown", "the same table in Markdown"),
        ("figure", "a plot of means and intervals (.svg, .pdf, .png)"),
        ("depth-figure", "a plot of the score by depth (TTED@k), likewise"),
    ):
        parser.add_argument(f"--{name}", type=file_name, metavar="FILE", help=f"write {what}")
    add_excel(parser)


def run(options: argparse.Namespace) -> str:
    """Compare the systems and return what to print."""
    sources = [options.references, *options.refs, options.scores]
    check_outputs([getattr(options, name) for name in WRITTEN], sources)
    if options.seed < 0:
        fail("--seed is below 0; give a number from 0 on")
    if options.scores is not None:
        scores = _given(options).with_controls(chosen_names(options.controls, CONTROLS, "control"))
        return _report(options, scores, None, ())
    if options.references is None or not options.systems:
        fail("name references and at least one system, or a table with --scores")
    if options.lower_is_better is not None:
        fail("--lower-is-better goes with --scores")
    references, systems = _collections(options)
    baselines = chosen_names(options.baselines, MEASURES, "baseline")
    chosen = BatchOptions((method(options),), tuple(baselines), reading(options), options.equivalence)
    how = {
        "over": options.over,
        "missing": options.missing,
        "load": partial(loaded_encoder, cached=not options.no_cache),
        "monitor": batch_monitor(),
    }
    controls = chosen_names(options.controls, CONTROLS, "control")
    measured = measure_systems(references, systems, chosen, controls=controls, **how)
    depths: tuple[SystemScores, ...] = ()
    if options.depth_figure is not None or options.by_depth:
        depths = measure_by_depth(references, systems, chosen, options.depth or measured.levels, **how)
    return _report(options, measured.scores, measured, depths)


def _collections(options: argparse.Namespace) -> tuple[list[Collection], dict[str, Collection]]:
    paths = (options.references, *options.refs)
    references: list[Collection] = [collected(Path(path), reading(options)) for path in paths]
    systems: dict[str, Collection] = {}
    for given in options.systems:
        name, sign, path = given.partition("=")
        if not sign or not name or Path(given).exists():
            name, path = Path(given).name if Path(given).is_dir() else Path(given).stem, given
        if name in systems:
            fail(f"two systems are called {name}; name one of them with NAME=PATH")
        systems[name] = collected(Path(path), reading(options))
    return references, systems


def _given(options: argparse.Namespace) -> SystemScores:
    """The scores in a table or in a batch's folder."""
    if options.references is not None or options.refs:
        fail("--scores takes the place of references and systems; leave them out")
    if options.depth_figure is not None or options.by_depth:
        fail("--depth-figure and --by-depth need maps; scores alone have no levels")
    if options.missing == "empty":
        fail("--missing empty needs maps; in a table of scores, write what such a document counts")
    how = {"lower": _listed(options.lower_is_better), "measures": _listed(options.measures)}
    path = Path(options.scores)
    if path.is_dir():
        return read_batch(path, **how)
    try:
        with path.open("rb") as source:
            data = source.read(MAX_BYTES + 1)
    except OSError as error:
        raise TTEDError(f"{options.scores} can't be read ({error.strerror}); check the name") from error
    check_limit(len(data), MAX_BYTES, "bytes of scores", "name the folder of a tted batch, or fewer measures")
    return read_scores(data, **how)


def _listed(names: str | None) -> list[str]:
    return [] if names is None else [name.strip() for name in names.split(",")]


def _report(
    options: argparse.Namespace,
    scores: SystemScores,
    measured: Measured | None,
    depths: tuple[SystemScores, ...],
) -> str:
    compared = compare_systems(
        scores, baseline=options.baseline, resamples=options.resamples, seed=options.seed
    )
    tell(compared.notices if options.notices else compared.summary)
    drivers = {} if measured is None else measured.drivers
    signature = compared.signature if measured is None else f"{compared.signature}|{measured.signature}"
    measures = _listed(options.measures)
    for name in measures:
        lookup(dict.fromkeys(compared.measures), name, "measure")
    _write(options, compared, scores, depths, signature)
    by_depth = depth_means(depths) if options.by_depth else ()
    if options.json:
        return dump(systems_json(compared, drivers, signature, by_depth))
    shown = {
        "measures": measures,
        "by_depth": by_depth,
        "pairs": options.pairs,
        "differences": options.differences,
    }
    return "\n".join(report_lines(compared, drivers, signature, **shown))


def _write(
    options: argparse.Namespace,
    compared: Compared,
    scores: SystemScores,
    depths: tuple[SystemScores, ...],
    signature: str,
) -> None:
    if options.csv is not None:
        write_csv_text(systems_csv(compared.systems), options.csv, options)
    if options.pairs_csv is not None:
        write_csv_text(pairs_csv(compared.pairs), options.pairs_csv, options)
    if options.items is not None:
        write_csv_text(items_csv(scores), options.items, options)
    if options.latex is not None:
        latex = partial(systems_latex, compared, signature, measures=_listed(options.measures))
        write_file(lambda: latex(notices=scores.summary).encode("utf-8"), options.latex)
    if options.markdown is not None:
        table = partial(systems_markdown, compared, measures=_listed(options.measures))
        write_file(lambda: table().encode("utf-8"), options.markdown)
    if options.figure is not None:
        write_picture(forest_plot(compared), options.figure)
    if options.depth_figure is not None:
        write_picture(depth_scores(depths), options.depth_figure)
