"""Every limit of this program, in one place.

Limits are checked before the costly step, and an error names the actual value and the limit.
"""

from tted_core.errors import LimitError

MAX_BYTES = 10_000_000
"""Bytes of one input file or pasted text."""

MAX_SESSION_BYTES = 100_000_000
"""Bytes of all files that are uploaded for one batch, unpacked."""

MAX_NODES_READ = 50_000
"""Nodes read from a file, of all its maps; far above what can be compared, so that a map can be trimmed."""

MAX_NODES_COMPARED = 2_000
"""Nodes of each tree in a comparison, after trimming."""

MAX_NODES_TRACED = 12
"""Nodes of each tree whose comparison is shown step by step; its tables still fit a screen."""

MAX_DEPTH = 500
"""Levels of one map; the root is level 1."""

MAX_GAP = 1_000_000.0
"""What the option gap may add to the cost of a missing node."""

MAX_POWER = 20.0
"""The largest power of costs: beyond it, a cost of half the largest weighs less than a millionth of it."""

MAX_LABEL_CHARACTERS = 10_000
"""Characters of one node's text."""

MAX_LINES = 200_000
"""Lines of a text in a format that is read line by line."""

MAX_LINE_CHARACTERS = 200_000
"""Characters of one line in a format that is read line by line; links and markup count here."""

MAX_MARKDOWN_CHARACTERS = 400_000
"""Characters of all Markdown in one file; its parser takes up to 2 seconds for so many."""

MAX_JSON_VALUES = 300_000
"""Values (objects, lists, texts, numbers) in one JSON text; mind maps carry ids, colours and dates too."""

MAX_JSON_NESTING = 4 * MAX_DEPTH
"""Open brackets at one place of a JSON text; no format takes more than three or four for one level."""

MAX_CONTEXT_CHARACTERS = 20_000_000
"""Characters of all texts of one map after its ancestors' labels were put before each."""

MAX_BASELINE_WORD_PAIRS = 60_000_000
"""Word pairs that a ROUGE baseline looks at: words of the left map times words of the right one."""

MAX_STED_PAIRS = 100_000
"""Pairs of nodes with children on one level of two maps that the baseline STED compares: about 5 seconds."""

MAX_IMPORTANCE_WORDS = 600
"""Words of two texts together whose importance is looked at; each is left out once and the rest encoded."""

MAX_ALTERNATIVES = 200
"""Combinations of options under which two maps are compared at one go."""

MAX_PICTURE_PIXELS = 50_000_000
"""Pixels of a PNG, four bytes each while it is drawn; a larger picture is drawn smaller."""

MAX_DRAWING_SECONDS = 60
"""Seconds that one picture may take to be drawn."""

MAX_EDIT_CELLS = 30_000_000_000
"""Pairs of characters that the Levenshtein distance looks at, of all pairs of texts: 10 seconds."""

MAX_SEQUENCE_MATCHER_CELLS = 400_000_000
"""The same for difflib's SequenceMatcher, which is written in Python: about 30 seconds."""

MAX_BERTSCORE_CELLS = 1_000_000_000
"""Pairs of word pieces that BERTScore compares, of all pairs of texts: about 40 seconds."""

MAX_PARAPHRASE_PAIRS = 2_000
"""Sentences with a paraphrase in a list by which measures are judged; each is held against all others."""

MAX_XML_ELEMENTS = 300_000
"""Elements of one XML text; maps carry fonts, edges and notes as elements too."""

MAX_XML_NESTING = 4 * MAX_DEPTH
"""Open elements at one place of an XML text; XMind takes three for each level."""

MAX_MAPS = 1_000
"""Maps in one file, and map files in an archive."""

MAX_MAPS_CHARACTERS = 3_000_000
"""Characters of all maps together in a file that holds several, as each of them has the limits of a whole
file."""

MAX_SAMPLE_FILES = 5_000
"""Maps in a folder of samples for the evaluation."""

MAX_ZIP_ENTRIES = 5_000
"""Entries of one archive."""

MAX_UNPACKED_BYTES = 20_000_000
"""Bytes that one entry of an archive, or all map files in it together, really unpack to."""

MAX_PREDICTED_VALUES = 100_000_000
"""Numbers in the predictions of a masked model that are held at once, 8 bytes each: words times vocabulary."""

MAX_MASKED_PREDICTIONS = 100_000
"""Masked words predicted for one compression: an hour or two of BERT (base) on two CPU cores."""

MAX_STUDY_BYTES = 200_000_000
"""Bytes of a file of paraphrases that the command line reads."""

MAX_ANNOTATORS = 20
"""Annotators' maps of one document whose agreement is measured."""

MAX_MAPS_COMPARED = 200
"""Maps of all documents that are compared with each other for Krippendorff's alpha; 19,900 comparisons."""

MAX_KEPT_BYTES = 500_000_000
"""Bytes of all visitors' maps together that a server keeps for a reload."""

MAX_KEPT_MAPS = 10_000
"""All visitors' maps together that a server keeps; all of them are looked at once a minute."""

MAX_SESSION_KEPT_BYTES = 50_000_000
"""Bytes of one session's maps that are kept; its own oldest ones give way."""

MAX_SESSION_MAPS = 500
"""Maps of one session that are kept; its own oldest ones give way."""

MAX_PAGE_PAIRS = 200_000
"""Pairs in a batch that is started on the page; the command `tted batch` takes any number."""

MAX_MAPS_IN_MATRIX = 20_000
"""Maps in one matrix of distances, which takes 3.2 GB for so many."""

MAX_CORPUS_SENTENCES = 5_000
"""Sentences in each of two sets that are held against each other."""


def check_limit(value: int, limit: int, what: str, way_out: str) -> None:
    """Raise ``LimitError`` if ``value`` is above ``limit``; ``what`` and ``way_out`` complete the sentence.

    >>> check_limit(3, 2, "nodes in the left map", "trim it to fewer levels")
    Traceback (most recent call last):
    tted_core.errors.LimitError: 3 nodes in the left map, but the limit is 2; trim it to fewer levels
    """
    if value > limit:
        raise LimitError(f"{value:,} {what}, but the limit is {limit:,}; {way_out}")
