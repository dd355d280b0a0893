"""The parts of the Measures page: texts and sets of sentences by measures besides TTED."""

from ui.measures.bags import BAGS
from ui.measures.corpus import CORPUS
from ui.measures.key_phrases import KEY_PHRASES
from ui.measures.ndd import EDITS
from ui.measures.ndd_tables import NDD_TABLES_PART
from ui.measures.paraphrases import PARAPHRASES
from ui.measures.texts import TEXTS
from ui.part import Part

PARTS: dict[str, Part] = {
    "texts": TEXTS,
    "paraphrases": PARAPHRASES,
    "bags": BAGS,
    "edits": EDITS,
    "phrases": KEY_PHRASES,
    "ndd-tables": NDD_TABLES_PART,
    "corpus": CORPUS,
}
