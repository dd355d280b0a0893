"""tted annotators DIR: how far several annotators' maps of the same documents agree."""

from math import isnan
from pathlib import Path

from tted_core.annotate.agreement import Agreement, measure_annotators
from tted_core.annotate.annotations import annotations_in
from tted_core.cli.method import METHOD, PRESET, method
from tted_core.cli.shared import (
    COLLECTION,
    JSON,
    Options,
    argument,
    command,
    file_name,
    load_chosen_models,
    progress,
    reading_options,
    show,
    tell,
)
from tted_core.foundations.messages import list_some


@command(
    argument(
        "folder",
        type=file_name,
        help="a folder (or its zip archive) with a folder per document and a file per annotator; files alone "
        "are maps of one document",
    ),
    argument(
        "--swap",
        action="store_true",
        help="folders are annotators, and files documents",
    ),
    *METHOD,
    PRESET,
    *COLLECTION[:-1],
    JSON,
)
def annotators_command(options: Options) -> str:
    """Read the maps, compare them, and return what to print."""
    found = annotations_in(Path(options.folder), reading=reading_options(options))
    found = (found.swap() if options.swap else found).with_roots()
    tell([f"documents: {list_some(found.documents)}; annotators: {list_some(found.annotators)}"])
    if found.can_be_swapped and not options.swap:
        tell(
            [
                "folders are read as documents and files as annotators; if it is the other way round, give --swap"
            ]
        )
    tell(f"{path}: can't be read: {reason}" for path, reason in found.failures.items())
    for (document, annotator), mind_map in found.maps.items():
        tell(mind_map.notices, f"{document}, {annotator}")
    by = method(options)
    result = measure_annotators(found.maps, by, load_chosen_models(options), monitor=progress())
    tell(result.notices)
    return show(
        options,
        lambda: {
            # JSON has no NaN
            "alpha": {
                name: None if value is None or isnan(value) else value
                for name, value in result.alpha._asdict().items()
            },
            "documents": [
                {
                    "name": each.name,
                    "annotators": list(each.maps),
                    "distances": each.distances.tolist(),
                    "mean_distance": each.mean_distance,
                    "medoids": each.medoids,
                }
                for each in result.documents
            ],
            "options": {**by.described, "roots": options.roots},
            "notices": list(result.notices),
            "signature": result.signature,
        },
        lambda: _text(result),
    )


def _text(result: Agreement) -> str:
    alpha = result.alpha
    lines = [
        "Krippendorff's alpha is undefined: it takes two documents or more, and maps that differ"
        if alpha.value is None
        else f"Krippendorff's alpha {alpha.value:.3f} (95 % interval {alpha.low:.3f} to {alpha.high:.3f}; "
        f"{alpha.documents} documents, {alpha.maps} maps)"
    ]
    for each in result.documents:
        lines += ["", f"{each.name}: mean distance {each.mean_distance:.4f}"]
        width = max(map(len, each.maps))
        for name, row in zip(each.maps, each.distances.tolist(), strict=True):
            lines.append(f"  {name:<{width}}  {'  '.join(f'{value:.4f}' for value in row)}")
        lines.append(f"  medoid: {', '.join(each.medoids)}")
    return "\n".join([*lines, "", result.signature])
