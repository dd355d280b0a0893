"""The log of a merge as JSON or CSV, and the decisions in one."""

import csv
import io
import json
from typing import Any

from tted_core.annotate.merge import CHOICES, Decision, Merge, Settled, change_key, open_changes
from tted_core.compare import Comparison
from tted_core.errors import MapFormatError
from tted_core.explain.changes import Change
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.foundations.tables import csv_text, spreadsheet_cell
from tted_core.words.splitting import without_surrogates

COLUMNS = ("kind", "source", "target", "left", "right", "choice", "by", "note")


def log_rows(comparison: Comparison, merged: Merge) -> list[dict[str, Any]]:
    """One row for each change, with the values of ``COLUMNS``; nodes are preorder indices of the topmost ones."""
    return [_row(comparison, each) for each in merged.log]


def _row(comparison: Comparison, settled: Settled) -> dict[str, Any]:
    left, right = _texts(comparison, settled.change)
    change = settled.change
    values = (
        change.kind,
        change.source,
        change.target,
        left,
        right,
        settled.choice,
        settled.by,
        settled.note,
    )
    return dict(zip(COLUMNS, values, strict=True))


def _texts(comparison: Comparison, change: Change) -> list[str | None]:
    sides = (comparison.left.tree, change.source), (comparison.right.tree, change.target)
    return [None if node is None else tree.labels[node] for tree, node in sides]


def log_json(comparison: Comparison, merged: Merge) -> str:
    """The log with the signature of the comparison."""
    content = {"signature": comparison.signature, "changes": log_rows(comparison, merged)}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def log_csv(comparison: Comparison, merged: Merge) -> str:
    """The rows of the log alone."""
    return csv_text(COLUMNS, [list(row.values()) for row in log_rows(comparison, merged)])


def read_decisions(content: bytes, comparison: Comparison) -> dict[str, Decision]:
    """The decisions in a log, for ``merge``; changes that nothing settled stay open.

    Args:
        content: JSON or CSV, as written here.
        comparison: of the maps that the log is of, by the same method.

    Raises:
        MapFormatError: no such log, or one of other maps.
        LimitError: more than ``MAX_BYTES`` bytes.
    """
    check_limit(len(content), MAX_BYTES, "bytes of decisions", "decide fewer changes at once")
    try:
        text = content.decode("utf-8-sig")
        changes = json.loads(text)["changes"] if text.lstrip().startswith("{") else _csv_rows(text)
        rows = [{name: row[name] for name in COLUMNS} for row in changes]
    except (ValueError, TypeError, KeyError, RecursionError, csv.Error) as error:
        raise MapFormatError("this is no log of decisions, which tted merge writes") from error
    known = {change_key(change): change for change in open_changes(comparison)}
    decisions: dict[str, Decision] = {}
    for number, row in enumerate(rows, start=1):
        if not row["choice"] or row["by"] == "default":
            continue
        key = ":".join("" if row[name] is None else str(row[name]) for name in COLUMNS[:3])
        texts = [row["left"] or "", row["right"] or ""]
        if key not in known or texts not in _as_written(_texts(comparison, known[key])):
            raise MapFormatError(
                f"decision {number} of the log ({quoted(key)}) is for a change that these maps don't have; give "
                "the maps and the options with which the log was written"
            )
        if row["choice"] not in CHOICES:
            raise MapFormatError(
                f"decision {number} of the log takes {quoted(str(row['choice']))}; take {', '.join(CHOICES)}"
            )
        decisions[key] = Decision(row["choice"], without_surrogates(str(row["note"] or "")))
    return decisions


def _as_written(texts: list[str | None]) -> tuple[list[str], list[str]]:
    """Texts as JSON has them, and as CSV does."""
    return [each or "" for each in texts], [spreadsheet_cell(each or "") for each in texts]


def _csv_rows(text: str) -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    if not rows and not text.startswith(COLUMNS[0]):
        raise ValueError
    return rows
