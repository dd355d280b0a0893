"""Studies: what a lead lets reviewers judge. Who gets what, how far they are, and how far they agree."""

from tted_core.annotate.reviews import Assignment, Judged, Studies, Study
from tted_core.annotate.studies.plan import (
    MapPair,
    Pace,
    PersonProgress,
    assigned,
    fixed_tasks,
    is_finished,
    mappings_of,
    mappings_of_pairs,
    pace_of,
    progress_of,
    unopened,
)
from tted_core.annotate.studies.votes import (
    Accuracy,
    StudyAgreement,
    TwoReviewers,
    accuracy_of,
    agreement_of_study,
    agreement_table,
    setting_of,
)

__all__ = [
    "Accuracy",
    "Assignment",
    "Judged",
    "MapPair",
    "Pace",
    "PersonProgress",
    "Studies",
    "Study",
    "StudyAgreement",
    "TwoReviewers",
    "accuracy_of",
    "agreement_of_study",
    "agreement_table",
    "assigned",
    "fixed_tasks",
    "is_finished",
    "mappings_of",
    "mappings_of_pairs",
    "pace_of",
    "progress_of",
    "setting_of",
    "unopened",
]
