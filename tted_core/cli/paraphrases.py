"""tted paraphrases FILE: how well measures distinguish paraphrases, as in the paper's Table 1."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

from tted_core.cli.shared import (
    JSON,
    Options,
    argument,
    command,
    content_of,
    fail,
    file_name,
    loading,
    number,
    progress,
    seed_argument,
    show,
    split_names,
    tell,
)
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.errors import MapFormatError, TTEDError
from tted_core.foundations.tables import text_table
from tted_core.measures.paraphrases import (
    Draw,
    MeasureQuality,
    bertscore_family,
    encoder_family,
    qualities,
    string_family,
)
from tted_core.measures.sentence_lists import MAX_STUDY_BYTES, read_paraphrases
from tted_core.notices import language_notice


@command(
    argument(
        "file",
        type=file_name,
        help="groups of paraphrases, an empty line between two, such as ParaphraseDetection/Data of Koziev's "
        "NLP_Datasets; or a table with a sentence and its paraphrase on each line",
    ),
    argument(
        "--against",
        type=number(2),
        default=Draw.sentences,
        metavar="N",
        help="number of sentences to compare each one with, its paraphrase included (default: 20, as the paper)",
    ),
    argument(
        "--references",
        type=number(1),
        default=Draw.references,
        metavar="N",
        help="largest number of sentences drawn (default: 500)",
    ),
    seed_argument("the random draw"),
    argument(
        "--encoders",
        "--encoder",
        default="minilm",
        metavar="NAME[,NAME...]|none",
        help=f"{', '.join(ENCODERS)}, model ids of the Hugging Face hub, or folders (default: minilm)",
    ),
    JSON,
    description=(
        "For each sentence with a paraphrase, Q is the similarity of the two minus the mean similarity of the "
        "sentence to others (Koroteev 2020), for distances between strings and, of each encoder, distances "
        "between vectors and BERTScore."
    ),
)
def paraphrases_command(options: Options) -> str:
    """Judge the measures and return what to print."""
    try:
        pairs = read_paraphrases(content_of(options.file, MAX_STUDY_BYTES))
    except MapFormatError as error:
        fail(f"{options.file}: {error}")
    draw = Draw(options.references, options.against, options.seed)
    encoders = [] if options.encoders == "none" else split_names(options.encoders)
    families = {"strings": string_family}
    for name in encoders:
        tell(language_notice(name, [text for pair in pairs for text in (pair.reference, pair.paraphrase)]))
        families[name] = partial(lambda each: encoder_family(each, loading(options)(each)), name)
        families[f"{name} BERTScore"] = partial(lambda each: bertscore_family(load_bertscorer(each)), name)
    found = qualities(pairs, families, progress(), draw)
    return show(
        options,
        lambda: {
            "pairs": len(pairs),
            "draw": asdict(draw),
            "measures": {name: _json(row) for name, row in found.items()},
        },
        lambda: _text(found, len(pairs)),
    )


def _json(row: MeasureQuality | TTEDError) -> dict[str, object]:
    if isinstance(row, TTEDError):
        return {"error": str(row)}
    return {
        "mean": row.mean,
        "variance": row.variance,
        "minimum": min(row.q),
        "maximum": max(row.q),
        "below_zero": row.below_zero,
        "nearest": row.first,
        "comparisons": row.comparisons,
        "seconds": row.seconds,
    }


def _text(found: Mapping[str, MeasureQuality | TTEDError], pairs: int) -> str:
    measured = {name: row for name, row in found.items() if isinstance(row, MeasureQuality)}
    lines = []
    if measured:
        rows = [("", "mean Q", "variance", "minimum", "maximum", "below 0", "nearest", "s per 100")]
        rows += [
            (
                name,
                f"{row.mean:.4f}",
                f"{row.variance:.5f}",
                f"{min(row.q):.4f}",
                f"{max(row.q):.4f}",
                f"{row.below_zero}",
                f"{row.first:.3f}",
                f"{100 * row.seconds / row.comparisons:.4f}",
            )
            for name, row in measured.items()
        ]
        first = next(iter(measured.values()))
        count = f"{len(first.q)} of {pairs} sentences with a paraphrase, {first.comparisons} comparisons"
        lines = [*text_table(rows), "", count]
    failed = [f"{name} not computed: {row}" for name, row in found.items() if name not in measured]
    return "\n".join([*lines, *failed])
