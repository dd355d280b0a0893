"""The parts of the Research page: which settings to trust, and other measures of texts and sentences."""

from ui.part import Part
from ui.research.quality import QUALITY
from ui.research.sentences import SENTENCES
from ui.research.texts import TEXTS

PARTS: dict[str, Part] = {
    "quality": QUALITY,
    "texts": TEXTS,
    "sentences": SENTENCES,
}
