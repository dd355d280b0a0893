"""tted text A B: all measures of two texts."""

import textwrap
from collections.abc import Mapping
from functools import cache

from tted_core.cli.method import ENCODER_ARGUMENTS, pick_names
from tted_core.cli.shared import JSON, Options, argument, command, fail, loading, show, tell
from tted_core.distances import Models
from tted_core.distances.text_measures import TEXT_MEASURES, TextMeasure, text_scores
from tted_core.errors import MAX_LABEL_CHARACTERS, TTEDError, check_limit
from tted_core.notices import encoder_notices


@command(
    argument("first", metavar="A", help="a text, in quotation marks"),
    argument("second", metavar="B", help="the other text; for BERTScore and ROUGE, the reference"),
    argument(
        "--measures",
        default="all",
        metavar="NAME[,NAME...]|all",
        help=f"of {', '.join(TEXT_MEASURES)} (default: all)",
    ),
    *ENCODER_ARGUMENTS,
    JSON,
)
def text_command(options: Options) -> str:
    """Measure the two texts and return what to print."""
    for text in (options.first, options.second):
        check_limit(len(text), MAX_LABEL_CHARACTERS, "characters in a text", "shorten it")
    names = pick_names(options.measures, TEXT_MEASURES, "measure")
    if not names:
        fail(f"--measures takes at least one of: {', '.join(TEXT_MEASURES)}")
    measures = {name: TEXT_MEASURES[name] for name in names}
    load = cache(loading(options))
    models = Models(options.encoder, load)
    scores = text_scores(options.first, options.second, models, measures)
    encoded = any(
        measures[name].model == "encoder" and not isinstance(score, TTEDError)
        for name, score in scores.items()
    )
    encoder = load(options.encoder) if encoded else None
    if encoder:
        tell(encoder_notices(encoder, (options.first, options.second), "none"))
    failed = [score for score in scores.values() if isinstance(score, TTEDError)]
    if len(failed) == len(scores):
        fail(str(failed[0]))
    return show(
        options,
        lambda: {
            "first": options.first,
            "second": options.second,
            "encoder": encoder and {"name": encoder.name, "fingerprint": encoder.fingerprint},
            "measures": {
                name: {"error": str(score)}
                if isinstance(score, TTEDError)
                else {"kind": measures[name].kind, "metric": measures[name].metric, "values": score}
                for name, score in scores.items()
            },
        },
        lambda: _text(measures, scores),
    )


def _text(measures: Mapping[str, TextMeasure], scores: Mapping[str, Mapping[str, float] | TTEDError]) -> str:
    lines = []
    for name, score in scores.items():
        if isinstance(score, TTEDError):
            lines.append(f"{name:<19} not computed: {score}")
            continue
        values = "  ".join(f"{value} {number:.4f}" for value, number in score.items())
        lines += [
            f"{name:<19} {values}",
            *textwrap.wrap(measures[name].reading, 100, initial_indent=" " * 20, subsequent_indent=" " * 20),
        ]
    return "\n".join(lines)
