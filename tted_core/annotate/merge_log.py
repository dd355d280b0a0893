"""The log of a merge as JSON, and the decisions in one."""

import json

from tted_core.annotate.decisions import Mark
from tted_core.annotate.merge import CHOICES, Merge, change_texts, open_changes
from tted_core.compare import Comparison
from tted_core.errors import MapFormatError
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.words.splitting import without_surrogates

COLUMNS = ("kind", "source", "target", "left", "right", "choice", "by", "note")


def log_json(comparison: Comparison, merged: Merge) -> str:
    """The log with the signature of the comparison."""
    content = {"signature": comparison.signature, "changes": merged.log}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_decisions(content: bytes, comparison: Comparison) -> dict[str, Mark]:
    """The decisions in a log, for ``merge``; changes that nothing settled stay open.

    Args:
        content: JSON, as written here.
        comparison: of the maps that the log is of, by the same method.

    Raises:
        MapFormatError: no such log, or one of other maps.
        LimitError: more than ``MAX_BYTES`` bytes.
    """
    check_limit(len(content), MAX_BYTES, "bytes of decisions", "decide fewer changes at once")
    try:
        rows = [
            {name: "" if row[name] is None else str(row[name]) for name in COLUMNS}
            for row in json.loads(content.decode("utf-8-sig"))["changes"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MapFormatError("this is no log of decisions, which tted merge writes") from error
    known = open_changes(comparison)
    decisions: dict[str, Mark] = {}
    for number, row in enumerate(rows, start=1):
        if not row["choice"] or row["by"] == "default":
            continue
        key = ":".join(row[name] for name in COLUMNS[:3])
        texts = [text or "" for text in change_texts(comparison, known[key])] if key in known else None
        if [row["left"], row["right"]] != texts:
            raise MapFormatError(
                f"decision {number} of the log ({quoted(key)}) is for a change that these maps don't have; give "
                "the maps and the options with which the log was written"
            )
        if row["choice"] not in CHOICES:
            raise MapFormatError(
                f"decision {number} of the log takes {quoted(row['choice'])}; take {', '.join(CHOICES)}"
            )
        decisions[key] = Mark(row["choice"], without_surrogates(row["note"]))
    return decisions
