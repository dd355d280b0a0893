"""tted compress MAP: a map of sentences becomes a map of key phrases."""

from tted_core.cli.method import masked_model_argument
from tted_core.cli.shared import (
    JSON,
    READING,
    Options,
    argument,
    command,
    dump,
    file_name,
    number,
    progress,
    read_chosen_map,
    tell,
)
from tted_core.distances.compression import MAX_SPAN, NDD_MAX, Compressor, count_words
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, load_masked_model
from tted_core.formats import WRITERS, map_text


@command(
    argument("file", type=file_name, help="a mind map, or - for standard input"),
    argument(
        "--max-ndd",
        type=number(0, kind=float),
        default=NDD_MAX,
        metavar="X",
        help=f"the largest NDD at which a span is omitted (default: {NDD_MAX})",
    ),
    argument(
        "--max-span",
        type=number(1),
        default=MAX_SPAN,
        metavar="N",
        help=f"the longest span tried, in words (default: {MAX_SPAN})",
    ),
    argument(
        "--rounds",
        type=number(1),
        metavar="N",
        help="compress the result again, up to N times (default: 1 or, with --rate, until it is reached)",
    ),
    argument(
        "--rate",
        type=float,
        metavar="R",
        help="stop when at most this share of a sentence's words is left; 0.6 in the paper (default: omit all "
        "words that can be omitted)",
    ),
    masked_model_argument(default=DEFAULT_MASKED_MODEL),
    argument(
        "--to",
        choices=WRITERS,
        default="markdown",
        metavar="FORMAT",
        help=f"format of the result: {', '.join(WRITERS)} (default: markdown)",
    ),
    *READING,
    JSON,
)
def compress_command(options: Options) -> str:
    """Compress the map and return what to print."""
    mind_map = read_chosen_map(options.file, options)
    tell(mind_map.notices)
    model = load_masked_model(options.masked_model)
    tree = Compressor(model, options.max_span).compress_map(
        mind_map.tree, options.max_ndd, options.rounds, rate=options.rate, monitor=progress()
    )
    words, words_left = count_words(mind_map.tree), count_words(tree)
    if options.json:
        return dump(
            {
                "labels": list(tree.labels),
                "parents": list(tree.parents),
                "words": words,
                "words_left": words_left,
                "masked_model": f"{model.name}@{model.fingerprint}",
            }
        )
    tell([f"{words_left} of {words} words are left"])
    text, losses = map_text(tree, options.to)
    tell(losses)
    return text.removesuffix("\n")
