"""tted paraphrases FILE: how well measures distinguish paraphrases, as in the paper's Table 1."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

from tted_core.cli.shared import (
    JSON,
    argument,
    content_of,
    dump,
    fail,
    file_name,
    loaded_encoder,
    seed_of,
    split_names,
    tell,
    terminal_monitor,
)
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.errors import MapFormatError, TTEDError
from tted_core.measures.paraphrases import (
    Draw,
    MeasureQuality,
    SimilarityFamily,
    bertscore_family,
    encoder_family,
    qualities,
    string_family,
)
from tted_core.measures.sentence_lists import MAX_STUDY_BYTES, read_paraphrases
from tted_core.notices import language_notice

DESCRIPTION = (
    "For each sentence with a paraphrase, Q is the similarity of the two minus the mean similarity of the "
    "sentence to others (Koroteev 2020), for distances between strings and, of each encoder, distances between "
    "vectors and BERTScore."
)

ARGUMENTS = (
    argument(
        "file",
        type=file_name,
        help="groups of paraphrases, an empty line between two, such as ParaphraseDetection/Data of Koziev's "
        "NLP_Datasets; or a table with a sentence and its paraphrase on each line",
    ),
    argument(
        "--against",
        type=int,
        default=Draw.sentences,
        metavar="N",
        help="number of sentences to compare each one with, its paraphrase included (default: 20, as the paper)",
    ),
    argument(
        "--references",
        type=int,
        default=Draw.references,
        metavar="N",
        help="largest number of sentences drawn (default: 500)",
    ),
    argument("--all", action="store_true", help="compare every sentence with all others instead"),
    seed_of("the random draw"),
    argument(
        "--encoders",
        "--encoder",
        default="minilm",
        metavar="NAME[,NAME...]|none",
        help=f"{', '.join(ENCODERS)}, model ids of the Hugging Face hub, or folders (default: minilm)",
    ),
    JSON,
)


def run(options: argparse.Namespace) -> str:
    """Judge the measures and return what to print."""
    if options.against < 2 or options.references < 1:
        fail("--against takes 2 or more, --references 1 or more")
    try:
        pairs = read_paraphrases(content_of(options.file, MAX_STUDY_BYTES))
    except MapFormatError as error:
        fail(f"{options.file}: {error}")
    draw = None if options.all else Draw(options.references, options.against, options.seed)
    encoders = [] if options.encoders == "none" else split_names(options.encoders)
    families = {"strings": string_family}
    for name in encoders:
        tell(language_notice(name, [text for pair in pairs for text in (pair.reference, pair.paraphrase)]))
        families[name] = partial(_encoder_family, name)
        families[f"{name} BERTScore"] = partial(_bertscore_family, name)
    found = qualities(pairs, families, terminal_monitor(), draw)
    if options.json:
        return dump(
            {
                "pairs": len(pairs),
                "draw": asdict(draw) if draw else None,
                "measures": {name: _json(row) for name, row in found.items()},
            }
        )
    return _text(found, len(pairs))


def _encoder_family(name: str) -> SimilarityFamily:
    return encoder_family(name, loaded_encoder(name, cached=False))


def _bertscore_family(name: str) -> SimilarityFamily:
    return bertscore_family(load_bertscorer(name))


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
    width = max(map(len, found))
    lines = [f"{'':<{width}}   mean Q  variance  minimum  maximum  below 0  nearest  s per 100"]
    for name, row in found.items():
        if isinstance(row, TTEDError):
            lines.append(f"{name:<{width}}  not computed: {row}")
            continue
        lines.append(
            f"{name:<{width}}  {row.mean:>7.4f}  {row.variance:>8.5f}  {min(row.q):>7.4f}  {max(row.q):>7.4f}"
            f"  {row.below_zero:>7}  {row.first:>7.3f}  {100 * row.seconds / row.comparisons:>9.4f}"
        )
    measured = [row for row in found.values() if isinstance(row, MeasureQuality)]
    if measured:
        lines += [
            "",
            f"{len(measured[0].q)} of {pairs} sentences with a paraphrase, {measured[0].comparisons} comparisons",
        ]
    return "\n".join(lines)
