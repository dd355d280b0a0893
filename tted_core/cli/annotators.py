"""tted annotators DIR: how far several annotators' maps of the same documents agree."""

import argparse
import math
from pathlib import Path
from typing import Any

from tted_core.annotate.agreement import SCORES, Agreement, DocumentAgreement, measure_agreement
from tted_core.annotate.annotations import annotations_in
from tted_core.cli.method import method, method_arguments
from tted_core.cli.shared import (
    COLLECTION,
    JSON,
    argument,
    chosen_models,
    dump,
    file_name,
    reading,
    seed_of,
    tell,
    terminal_monitor,
)
from tted_core.formats.forest import listed

DISPUTED = 10
"""Disputed nodes of a document that the text names; JSON has them all."""


ARGUMENTS = (
    argument(
        "folder",
        type=file_name,
        help="a folder (or its zip archive) with a folder per document and a file per annotator, or the reverse; "
        "files alone are maps of one document",
    ),
    argument(
        "--swap",
        action="store_true",
        help="take the recognised annotators as documents, and the documents as annotators",
    ),
    argument(
        "--score", default="normalized", choices=SCORES, help="the distance of two maps (default: normalized)"
    ),
    seed_of("alpha's bootstrap interval"),
    *method_arguments(),
    *COLLECTION[:-1],
    JSON,
)


def run(options: argparse.Namespace) -> str:
    """Read the maps, compare them, and return what to print."""
    found = annotations_in(Path(options.folder), reading=reading(options))
    found = found.swapped() if options.swap else found
    tell([f"annotators: {listed(found.annotators)}; documents: {len(found.documents)}"])
    tell(f"{path}: can't be read: {reason}" for path, reason in found.failures.items())
    for (document, annotator), mind_map in found.maps.items():
        tell(f"{document}, {annotator}: {notice}" for notice in mind_map.notices)
    result = measure_agreement(
        found.maps,
        method(options),
        chosen_models(options),
        score=options.score,
        seed=options.seed,
        monitor=terminal_monitor(),
    )
    tell(result.notices)
    return dump(agreement_json(result, options)) if options.json else _text(result)


def agreement_json(result: Agreement, options: argparse.Namespace) -> dict[str, Any]:
    """The agreement as a JSON object; maps are named by their annotators, nodes by preorder index."""
    alpha = result.alpha
    names = ("score", "seed", "roots")
    return {
        "alpha": {
            "value": alpha.value,
            "low": alpha.low,
            "high": alpha.high,
            "observed": _number(alpha.observed),
            "expected": _number(alpha.expected),
            "documents": alpha.units,
            "maps": alpha.values,
        },
        "documents": [_document_json(each) for each in result.documents],
        "options": {**method(options).described, **{name: getattr(options, name) for name in names}},
        "notices": list(result.notices),
        "signature": result.signature,
    }


def _document_json(document: DocumentAgreement) -> dict[str, Any]:
    return {
        "name": document.name,
        "annotators": document.annotators,
        "distances": document.distances.tolist(),
        "mean_distance": document.mean_distance,
        "alpha": document.alpha,
        "medoids": [document.annotators[each] for each in document.medoids],
        "disputed": document.disputed(),
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value  # JSON has no NaN


def _text(result: Agreement) -> str:
    alpha = result.alpha
    lines = [
        "Krippendorff's alpha is undefined: it takes two documents or more, and maps that differ"
        if alpha.value is None
        else f"Krippendorff's alpha {alpha.value:.3f} (95 % interval {alpha.low:.3f} to {alpha.high:.3f}; "
        f"{alpha.units} documents, {alpha.values} maps)"
    ]
    for each in result.documents:
        own = "" if each.alpha is None else f", alpha {each.alpha:.3f}"
        lines += ["", f"{each.name}: mean distance {each.mean_distance:.4f}{own}"]
        width = max(map(len, each.annotators))
        for name, row in zip(each.annotators, each.distances.tolist(), strict=True):
            lines.append(f"  {name:<{width}}  {'  '.join(f'{value:.4f}' for value in row)}")
        lines.append(f"  medoid: {', '.join(each.annotators[number] for number in each.medoids)}")
        for node in each.disputed()[:DISPUTED]:
            if node["missing_in"]:
                lines.append(
                    f"  missing in {len(node['missing_in'])} of {len(each.maps) - 1}, mean cost "
                    f"{node['mean_cost']:.4f}: {node['label']} ({node['annotator']})"
                )
    return "\n".join([*lines, "", result.signature])
