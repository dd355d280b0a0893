"""The parts of the Annotate page."""

from ui.annotate.agreement import compare_annotators
from ui.annotate.checks import CHECK_ENCODER, check_maps
from ui.annotate.decide import decide
from ui.page import PagePart

ANNOTATE_TABS: dict[str, PagePart] = {
    "check": PagePart("Check maps", check_maps, (CHECK_ENCODER,)),
    "compare": PagePart("Compare annotators", compare_annotators),
    "decide": PagePart("Decide", decide),
}
