"""The tabs of the Research page: quality of settings, and measures of texts and of generated maps."""

from ui.part import Part
from ui.research.corpora import CORPORA
from ui.research.settings import SETTINGS
from ui.research.texts import TEXTS

PARTS: dict[str, Part] = {"settings": SETTINGS, "texts": TEXTS, "corpora": CORPORA}
