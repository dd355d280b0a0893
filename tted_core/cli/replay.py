"""tted replay FILE: repeat the comparison in a replay file and check its result."""

from tted_core.baselines import readable_baselines
from tted_core.cli.shared import (
    ENCODING,
    JSON,
    Options,
    argument,
    command,
    content_of,
    dump,
    fail,
    file_name,
    load_chosen_models,
    progress,
    say,
    tell,
)
from tted_core.compare import compare_maps
from tted_core.comparison import Comparison
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.explain.build import explain
from tted_core.explain.what_if import under_choices
from tted_core.foundations.messages import quoted
from tted_core.method import Method
from tted_core.report.exports import describe
from tted_core.report.replay import Replay, find_differences, read_replay
from tted_core.solvers.second_opinion import MAX_NODES, ORDERS, TOLERANCE, edist_distance


@command(
    argument(
        "file",
        type=file_name,
        help="a replay file from the Compare page or tted compare --replay; - for standard input",
    ),
    argument(
        "--encoder",
        metavar="NAME|ID|FOLDER",
        help="the encoder; needed if the file names one that isn't known here (default: the file's)",
    ),
    *ENCODING,
    JSON,
)
def replay_command(options: Options) -> str:
    """Compare again; exit status 1 if the result differs from the file's."""
    replay = read_replay(content_of(options.file))
    method = _by_encoder(replay, options)
    result = compare_maps(
        replay.left,
        replay.right,
        method,
        load_chosen_models(options),
        baselines=readable_baselines(method.record.reads),
        monitor=progress(),
    )
    if replay.choices:
        result = under_choices(result, replay.choices, monitor=progress())
    confirmed, doubts = _second_opinion(result)
    found = (*find_differences(replay, result), *doubts)
    tell(result.notices)
    same = f"Same result as in the file: TTED {result.tted:.4f}{confirmed}\n{result.signature}"
    text = "\n".join(["The result differs from the file's:", *found, result.signature]) if found else same
    text = dump(describe(explain(result))) if options.json else text
    if found:
        say(text)
        tell(found if options.json else ())
        raise SystemExit(1)
    return text


def _second_opinion(result: Comparison) -> tuple[str, tuple[str, ...]]:
    """Confirmation of the distance by edist, where it is applicable, or its differing result."""
    trees = result.left.tree, result.right.tree
    if result.method.order not in ORDERS or result.choices or sum(map(len, trees)) > MAX_NODES:
        return "", ()
    other = edist_distance(result.problem, result.method.order)
    if abs(other - result.tted) <= TOLERANCE * min(map(len, trees)):
        return ", confirmed by edist, another implementation", ()
    return "", (f"edist, another implementation, computes TTED {other:.4f} instead of {result.tted:.4f}",)


def _by_encoder(replay: Replay, options: Options) -> Method:
    """The file's method by the encoder that is given, or by the file's if it is a known one."""
    method = replay.method
    if method.record.reads == "none":
        return method
    if options.encoder is None and method.encoder not in ENCODERS:
        fail(
            f"the file names the encoder {quoted(method.encoder)}, which is none of {', '.join(ENCODERS)}; "
            "give it by --encoder"
        )
    return method.with_model(options.encoder or method.encoder)
