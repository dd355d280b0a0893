"""Reviews that stay: what reviewers say of a mapping, kept in a database (SQLite by default, or PostgreSQL).

A task is a document with two maps of it. For each pair of the mapping, and for the map as a whole, a reviewer
leaves a judgement; an adjudicator decides where they differ.
"""

from tted_core.foundations.extras import require

require("reviews")

from tted_core.annotate.reviews.adjudication import (
    Judged,
    Outcome,
    blind_votes,
    is_blind,
    outcomes,
    verdict_of,
)
from tted_core.annotate.reviews.exchange import (
    ImportReport,
    export_json,
    import_json,
    json_lines,
    restore_json,
)
from tted_core.annotate.reviews.exchange_csv import export_csv, import_csv
from tted_core.annotate.reviews.people import ANYBODY, LEAD, READER, ROLES, Visitor
from tted_core.annotate.reviews.plain import fixed_by, ops_in_order
from tted_core.annotate.reviews.records import (
    ADJUDICATOR,
    DECISIONS,
    NEW,
    REVIEWER,
    UNDECIDED,
    VERDICTS,
    Assignment,
    Fixed,
    Gold,
    Judgement,
    Study,
    Subject,
    Task,
    TaskSummary,
    clean_name,
)
from tted_core.annotate.reviews.store import ReviewStore, open_store
from tted_core.annotate.reviews.studies import Overruled, Studies

__all__ = [
    "ADJUDICATOR",
    "ANYBODY",
    "DECISIONS",
    "LEAD",
    "NEW",
    "READER",
    "REVIEWER",
    "ROLES",
    "UNDECIDED",
    "VERDICTS",
    "Assignment",
    "Fixed",
    "Gold",
    "ImportReport",
    "Judged",
    "Judgement",
    "Outcome",
    "Overruled",
    "ReviewStore",
    "Studies",
    "Study",
    "Subject",
    "Task",
    "TaskSummary",
    "Visitor",
    "blind_votes",
    "clean_name",
    "export_csv",
    "export_json",
    "fixed_by",
    "import_csv",
    "import_json",
    "is_blind",
    "json_lines",
    "open_store",
    "ops_in_order",
    "outcomes",
    "restore_json",
    "verdict_of",
]
