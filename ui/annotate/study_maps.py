"""The maps of studies, which stay in the database whatever happens to the window in which they were uploaded."""

from functools import partial

from tted_core.annotate.studies import Studies
from tted_core.errors import TTEDError
from ui.annotate.collection import ReadStudy
from ui.annotate.people import store
from ui.annotate.unsaved import recalled


def studies_with_maps() -> dict[str, ReadStudy]:
    """By name what reads the maps of each study, for a lead; none for others, or without a database."""
    try:
        reviews = store()
        if not reviews.visitor.leads:
            return {}
        studies = Studies(reviews.engine, reviews.visitor)
        return {
            each.name: partial(studies.documents, each.name) for each in recalled(("studies",), studies.all)
        }
    except TTEDError:  # told where reviews are what it is about
        return {}
