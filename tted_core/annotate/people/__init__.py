"""The people of a team: who annotates, leads or reads, and how each of them is known again."""

from tted_core.annotate.people.table import People, Person
from tted_core.annotate.reviews import ANNOTATOR, LEAD, READER, ROLES

__all__ = ["ANNOTATOR", "LEAD", "READER", "ROLES", "People", "Person"]
