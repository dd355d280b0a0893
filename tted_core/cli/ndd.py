"""tted ndd SENTENCE EDITED...: NDD, perplexity and cosine similarity of edits, as the paper's Table 1."""

import argparse
from dataclasses import asdict

from tted_core.cli.method import add_encoder, add_masked_model
from tted_core.cli.shared import add_json, chosen_encoder, dump
from tted_core.distances.ndd import NddRow, Weights, ndd_table
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, load_masked_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("sentence", help="the initial sentence")
    parser.add_argument("edited", nargs="+", help="the sentence after an edit")
    parser.add_argument(
        "--mu", type=float, default=0.9, help="weight by the distance from the edit, up to 1 (default: 0.9)"
    )
    parser.add_argument(
        "--balanced",
        action="store_true",
        help="weight words near both ends of the sentence up, as in section 4.3",
    )
    add_masked_model(parser, default=DEFAULT_MASKED_MODEL)
    add_encoder(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Measure the edits and return what to print."""
    weights = Weights(options.mu, balanced=options.balanced)
    model = load_masked_model(options.masked_model)
    rows = ndd_table(options.sentence, options.edited, model, chosen_encoder(options), weights)
    if options.json:
        name = f"{model.name}@{model.fingerprint}"
        return dump({"rows": [asdict(row) for row in rows], "masked_model": name, "weights": asdict(weights)})
    return "\n".join(["     PPL     NDD   cos  sentence", *map(_line, rows)])


def _line(row: NddRow) -> str:
    perplexity = "-" if row.perplexity is None else f"{row.perplexity:.2f}"
    return f"{perplexity:>8} {row.ndd:>7.2f} {row.cosine:>5.3f}  {row.sentence}"
