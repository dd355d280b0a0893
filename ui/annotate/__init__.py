"""The parts of the Annotate page; each is drawn with the page's options."""

from ui.annotate.agreement import compare_annotators
from ui.annotate.checks import check_a_map
from ui.annotate.review import review
from ui.annotate.settle import TITLE, settle
from ui.annotate.study import study
from ui.part import Part

PARTS: dict[str, Part] = {
    "check": Part("Check a map", check_a_map, always=True),
    "compare": Part("Compare annotators", compare_annotators),
    "study": Part("Study", study),
    "review": Part("Review a mapping", review),
    "settle": Part(TITLE, settle),
}
