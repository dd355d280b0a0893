"""tted systems: which generator is better, of outputs for the same documents or of scores made elsewhere."""

from pathlib import Path

from tted_core.baselines import MEASURES
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.pairs import Inputs, NamedMaps, pairs_of_systems
from tted_core.batch.table import BatchOptions
from tted_core.cli.method import (
    EQUIVALENT,
    METHOD,
    PRESET,
    baselines_argument,
    check_figure,
    figure_of,
    method,
    pick_names,
    write_figure,
)
from tted_core.cli.shared import (
    COLLECTION,
    JSON,
    Options,
    argument,
    check_outputs,
    command,
    content_of,
    csv_of,
    dump,
    fail,
    file_name,
    loading,
    number,
    progress,
    reading_options,
    seed_argument,
    split_names,
    tell,
    write_output,
    write_table,
)
from tted_core.errors import MAX_BYTES, check_limit, lookup
from tted_core.figures.systems import forest_plot
from tted_core.formats.map_collections import read_collection
from tted_core.foundations.stats import FEWEST_RESAMPLES, MAX_RESAMPLES, RESAMPLES
from tted_core.matching.records import SHARES
from tted_core.systems import (
    Measured,
    PairRow,
    SystemRow,
    SystemScores,
    compare_systems,
    measure_systems,
    read_batch,
    read_scores,
)
from tted_core.systems.measuring import MISSING, OVER, depth_means
from tted_core.systems.output import (
    items_csv,
    report_lines,
    rows_csv,
    systems_json,
    systems_latex,
)
from tted_core.systems.scores import OF_TTED

# Option -> its values and what they mean.
_WAYS = {
    name: "; ".join(f"{way}: {meaning}" for way, meaning in ways.items())
    for name, ways in (("over", OVER), ("missing", MISSING))
}


@command(
    argument(
        "references",
        nargs="?",
        type=file_name,
        metavar="REFS",
        help="a folder, a zip archive or a JSONL file of reference maps",
    ),
    argument(
        "systems",
        nargs="*",
        type=file_name,
        metavar="NAME=PATH",
        help="a system's outputs likewise, each named as its reference; without NAME= the path gives the name",
    ),
    argument(
        "--refs",
        action="append",
        default=[],
        type=file_name,
        metavar="PATH",
        help="further references of the same documents; may be given several times",
    ),
    argument(
        "--over",
        choices=OVER,
        default="min",
        help=f"the score of a map with several references: {_WAYS['over']} (default: min)",
    ),
    argument(
        "--missing",
        choices=MISSING,
        default="drop",
        help=f"treatment of a document that a system lacks: {_WAYS['missing']} (default: drop)",
    ),
    argument(
        "--scores",
        type=file_name,
        metavar="CSV|DIR",
        help="instead of maps: a table with the columns item, system and measures, or the folder of a tted batch "
        "whose pairs had a column system",
    ),
    argument(
        "--lower-is-better",
        type=split_names,
        default=[],
        metavar="NAME[,NAME...]",
        help="with --scores: measures of which lower is better; TTED's and the baselines are known",
    ),
    argument(
        "--measures",
        type=split_names,
        default=[],
        metavar="NAME[,NAME...]",
        help="the columns of the tables that are printed and of --latex (default there: three)",
    ),
    argument("--against", metavar="NAME", help="test each system against this one only"),
    baselines_argument(MEASURES),
    argument(
        "--controls",
        default="all",
        metavar="NAME[,NAME...]|all|none",
        help="trivial maps made from the references, ranked beside the systems; if one beats a system, the "
        f"measure doesn't require a good map: {', '.join(BATCH_CONTROLS)} (default: all)",
    ),
    argument(
        "--resamples",
        type=number(FEWEST_RESAMPLES, MAX_RESAMPLES),
        default=RESAMPLES,
        metavar="N",
        help=f"resamples of each test, {FEWEST_RESAMPLES} to {MAX_RESAMPLES:,} (default: {RESAMPLES:,})",
    ),
    seed_argument("the resamples"),
    argument("--pairs", action="store_true", help="print the test of every two systems"),
    argument(
        "--differences",
        action="store_true",
        help="print the operations of each system, and the documents on which two systems differ most",
    ),
    argument(
        "--by-depth",
        action="store_true",
        help="add the means of each measure by depth: of the maps trimmed to their first k levels",
    ),
    argument(
        "--notices",
        action="store_true",
        help="print every notice about a map, instead of an example of each kind",
    ),
    *csv_of("systems and measures"),
    argument(
        "--pairs-csv",
        type=file_name,
        metavar="FILE",
        help="also write a table of the tests of every two systems",
    ),
    argument(
        "--items",
        type=file_name,
        metavar="FILE",
        help="also write every document's scores (CSV), which --scores reads",
    ),
    argument(
        "--latex",
        type=file_name,
        metavar="FILE",
        help="also write a table for a paper in LaTeX, with booktabs",
    ),
    figure_of("means and intervals"),
    EQUIVALENT,
    *METHOD,
    PRESET,
    *COLLECTION,
    JSON,
    description=(
        "Compare systems (generators of mind maps) over the same documents: means with bootstrap intervals, "
        "paired tests, letters of significance, and what drives the differences."
    ),
)
def systems_command(options: Options) -> str:
    """Compare the systems and return what to print."""
    sources = [options.references, *options.refs, options.scores]
    check_figure(options)
    check_outputs([options.csv, options.pairs_csv, options.items, options.latex, options.figure], sources)
    if options.scores is not None:
        if options.by_depth:
            fail("--by-depth needs maps; scores alone have no levels")
        scores = _read_given(options).with_controls(pick_names(options.controls, BATCH_CONTROLS, "control"))
        return _report(options, scores)
    if options.references is None or not options.systems:
        fail("name references and at least one system, or a table with --scores")
    if options.lower_is_better:
        fail("--lower-is-better goes with --scores")
    baselines = pick_names(options.baselines, MEASURES, "baseline")
    for name in options.measures:
        lookup(dict.fromkeys((*OF_TTED, *SHARES, *baselines)), name, "measure")
    chosen = BatchOptions((method(options),), tuple(baselines), reading_options(options), options.equivalence)
    measured = measure_systems(
        _pairs(options),
        chosen,
        over=options.over,
        missing=options.missing,
        by_depth=options.by_depth,
        load=loading(options),
        monitor=progress(logs=True),
    )
    return _report(options, measured.scores, measured)


def _pairs(options: Options) -> Inputs:
    paths = (options.references, *options.refs)
    references = [read_collection(Path(path), reading_options(options)) for path in paths]
    systems: dict[str, NamedMaps] = {}
    for given in options.systems:
        name, sign, path = given.partition("=")
        if not sign or not name or Path(given).exists():
            name, path = Path(given).name if Path(given).is_dir() else Path(given).stem, given
        if name in systems:
            fail(f"two systems are called {name}; name one of them with NAME=PATH")
        systems[name] = read_collection(Path(path), reading_options(options))
    if options.against is not None:
        lookup(systems, options.against, "system")
    return pairs_of_systems(references, systems, pick_names(options.controls, BATCH_CONTROLS, "control"))


def _read_given(options: Options) -> SystemScores:
    """The scores in a table or in a batch's folder."""
    if options.references is not None or options.refs:
        fail("--scores replaces references and systems; leave them out")
    if options.missing == "empty":
        fail("--missing empty needs maps; in a table of scores, write what such a document counts")
    how = {"lower": options.lower_is_better, "measures": options.measures}
    path = Path(options.scores)
    if path.is_dir():
        return read_batch(path, **how)
    data = content_of(options.scores)
    check_limit(len(data), MAX_BYTES, "bytes of scores", "name the folder of a tted batch, or fewer measures")
    return read_scores(data, **how)


def _report(options: Options, scores: SystemScores, measured: Measured | None = None) -> str:
    """Compare the systems by their scores, write the files, and return what to print."""
    compared = compare_systems(
        scores, baseline=options.against, resamples=options.resamples, seed=options.seed
    )
    tell(compared.notices if options.notices else compared.summary)
    drivers, depths = ({}, ()) if measured is None else (measured.drivers, measured.depths)
    signature = compared.signature if measured is None else f"{compared.signature}|{measured.signature}"
    for name in options.measures:
        lookup(dict.fromkeys(compared.measures), name, "measure")
    write_table(rows_csv(SystemRow, compared.systems), options)
    write_table(rows_csv(PairRow, compared.pairs), options, "pairs_csv")
    write_table(items_csv(scores), options, "items")
    if options.latex is not None:
        latex = systems_latex(
            compared,
            signature,
            measures=options.measures,
            settings="" if measured is None else method(options).in_words,
            notices=scores.summary,
        )
        write_output(latex.encode, options.latex)
    write_figure(lambda: forest_plot(compared), options)
    by_depth = depth_means(depths)
    if options.json:
        return dump(systems_json(compared, drivers, signature, by_depth))
    return "\n".join(
        report_lines(
            compared,
            drivers,
            signature,
            measures=options.measures,
            by_depth=by_depth,
            pairs=options.pairs,
            differences=options.differences,
        )
    )
