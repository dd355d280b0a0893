"""The tabs of the Research page: quality of settings, and measures of texts."""

from ui.page import PagePart
from ui.research.settings import SETTINGS
from ui.research.texts import TEXTS

RESEARCH_TABS: dict[str, PagePart] = {"settings": SETTINGS, "texts": TEXTS}
