"""Judgements as CSV, for spreadsheets; the maps aren't in it, and must be known to a database that takes it in."""

from tted_core.annotate.reviews.exchange import (
    ImportReport,
    check_filed,
    check_visitor,
    text_in,
)
from tted_core.annotate.reviews.plain import judgement_of, plain_judgement, with_numbers
from tted_core.annotate.reviews.records import FiledTask, Judgement
from tted_core.annotate.reviews.store import ReviewStore
from tted_core.errors import MapFormatError, ReviewError
from tted_core.foundations.limits import MAX_REVIEW_ROWS, check_limit
from tted_core.foundations.tables import csv_text, read_rows, text_of_cell

COLUMNS = (
    "document",
    "left_name",
    "right_name",
    "role",
    "person",
    "source",
    "target",
    "decision",
    "partner",
    "comment",
    "source_label",
    "target_label",
    "partner_label",
    "revision",
    "saved",
    "left_digest",
    "right_digest",
    "study",
    "signature",
)
LATER = ("study", "signature")
"""Columns that older files lack."""


def export_csv(store: ReviewStore, study: str | None = None) -> str:
    """All judgements, or those of a study, as CSV, one a row; (no source, no target) is the whole map.

    A text that begins like a formula, or with an apostrophe, gets an apostrophe in front; the import takes it off.

    Raises:
        NotAllowedError: the visitor is a reviewer.
    """
    check_visitor(store)
    rows = []
    for task in (store.task(each.number) for each in store.tasks(study=study)):
        for each in store.judgements(task):
            partners = task.left if each.source is None else task.right
            row = {
                **plain_judgement(each),
                "document": task.document,
                "left_name": task.left_name,
                "right_name": task.right_name,
                "source_label": "" if each.source is None else task.left.labels[each.source],
                "target_label": "" if each.target is None else task.right.labels[each.target],
                "partner_label": "" if each.partner is None else partners.labels[each.partner],
                "left_digest": task.left.digest,
                "right_digest": task.right.digest,
                "study": task.study,
                "signature": task.fixed.signature if task.fixed else "",
            }
            rows.append([_kept(row[name]) for name in COLUMNS])
    return csv_text(COLUMNS, rows)


def import_csv(store: ReviewStore, content: str | bytes, *, replacing: bool = False) -> ImportReport:
    """Add what ``export_csv`` wrote; CSV holds no maps, so the tasks must be known to this database.

    Raises:
        ReviewError: not such a file, a task that isn't known, or a row that isn't valid; says where.
        LimitError: too large.
        DatabaseError: the database can't be written.
    """
    try:
        header, *rows = [*read_rows(text_in(content), ",", name="the file", exact=True)] or [(1, [])]
    except MapFormatError as error:
        raise ReviewError(str(error)) from error
    columns = header[1]
    missing = [name for name in COLUMNS if name not in (*columns, *LATER)]
    if missing:
        raise ReviewError(f"the file lacks the columns {', '.join(missing)}; export it again")
    check_limit(len(rows), MAX_REVIEW_ROWS, "rows in the file", "split it")
    names = ("study", "document", "left_digest", "right_digest")
    known = {tuple(getattr(each, name) for name in names): each for each in store.tasks()}
    found: dict[int, list[Judgement]] = {}
    for number, (_, row) in enumerate(rows, start=2):
        if len(row) != len(columns):
            raise ReviewError(f"row {number}: it has another number of cells than the header; mend it")
        cells = dict(zip(columns, map(text_of_cell, row), strict=True))
        here = known.get(tuple(cells.get(name, "") for name in names))
        if here is None:
            raise ReviewError(
                f"row {number}: the document {cells['document'][:80]!r} with these maps is not in the database; "
                "import the JSON, which holds the maps"
            )
        if cells.get("signature") and here.signature not in {"", cells["signature"]}:
            raise ReviewError(
                f"row {number}: the mapping is fixed here as {here.signature}, and in the file as "
                f"{cells['signature'][:300]}; judgements of one can't be added to the other"
            )
        found.setdefault(here.number, []).append(judgement_of(with_numbers(cells, number), f"row {number}"))
    filed = [FiledTask(store.task(each), tuple(judgements)) for each, judgements in found.items()]
    for each in filed:
        check_filed(each)
    counts = store.save_all(filed, replacing=replacing)
    return ImportReport(**vars(counts), replaced=replacing)


def _kept(value: object) -> object:
    """With one more apostrophe if it begins with one, since the import takes one off."""
    return f"'{value}" if str(value).startswith("'") else value
