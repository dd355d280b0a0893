"""The NDD paper's tables, from data and a masked language model that the user brings.

Table 2: compression held against a gold set. Table 6: what compression prunes of dependency trees. Table 7: which
words are predicates. Table 1 is ``tted_core.distances.ndd.ndd_table``. Source: "A Novel Metric for Evaluating
Semantics Preservation" (anonymous ACL submission).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tted_core.encoders.masked_model import MaskedModel
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.measures.ndd_tables.compressing import GOLD_EXAMPLE, compression_table, read_gold
from tted_core.measures.ndd_tables.parsed import PARSED_EXAMPLE, read_parsed
from tted_core.measures.ndd_tables.predicates import Asked, PaperTable, predicate_table, pruning_table

__all__ = ["NDD_TABLES", "Asked", "NddTable", "PaperTable"]


@dataclass(frozen=True)
class NddTable:
    """One of the paper's tables.

    Attributes:
        title: for people.
        paper: what it is called in the paper.
        reading: how to read it.
        file: which files are read.
        read: a file's content and how many sentences at most, from its start -> the sentences.
        function: these, a model, what is asked, and who watches -> the table.
        example: a small file.
        asked: the paper's settings.
    """

    title: str
    paper: str
    reading: str
    file: str
    read: Callable[[bytes, int | None], Sequence[Any]]
    function: Callable[[Any, MaskedModel, Asked, Monitor], PaperTable]
    example: str
    asked: Asked

    def make(
        self,
        sentences: Sequence[Any],
        model: MaskedModel,
        asked: Asked,
        monitor: Monitor = UNWATCHED,
    ) -> PaperTable:
        """The table of these sentences.

        Raises:
            MapFormatError: nothing in them to make it of.
            LimitError: a sentence is too long for the model, or for trying all spans.
            Interrupted: the monitor said stop.
        """
        return self.function(sentences, model, asked, monitor)


_PARSED = "CoNLL-U, or the format of CoNLL-2009"

NDD_TABLES: dict[str, NddTable] = {
    "compression": NddTable(
        "Compression held against a gold set",
        "Table 2",
        "F1 and BLEU-1 to BLEU-4 with the gold compressions, B the mean of the four, in percent; rate is the "
        "share of words that are left. Random and perplexity leave as many words as NDD.",
        "CSV or TSV with the columns sentence and compression, or the JSON of Google's sentence compression set",
        read_gold,
        compression_table,
        GOLD_EXAMPLE,
        Asked(rate=0.6),
    ),
    "pruning": NddTable(
        "What compression prunes of dependency trees",
        "Table 6",
        "Depth: the share of the pruned words that stand so deep in the tree, the root being 1. Subtree: the "
        "share of the pruned spans of so many words that are whole subtrees. In percent; random prunes as many "
        "spans of the same lengths.",
        _PARSED,
        read_parsed,
        pruning_table,
        PARSED_EXAMPLE,
        Asked(max_spans=(3, 5), limits=(1.0, 2.0)),
    ),
    "predicates": NddTable(
        "Which words are predicates",
        "Table 7",
        "Every word is edited in turn, and the words of a sentence are ranked by the NDD of that, or by the "
        "perplexity of what comes out. mAP and AUC are means over sentences, in percent; by chance the AUC is 50.",
        f"{_PARSED}. Predicates are the words with a Y in CoNLL-2009's FILLPRED; CoNLL-U names none, and there "
        "the verbs (UPOS VERB) stand in for them",
        read_parsed,
        predicate_table,
        PARSED_EXAMPLE,
        Asked(),
    ),
}
"""Name -> one of the paper's tables."""
