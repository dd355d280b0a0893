"""BERTScore of texts, through the package bert-score.

Zhang, Kishore, Wu, Weinberger and Artzi, "BERTScore: Evaluating Text Generation with BERT", ICLR 2020; its use
for Russian: Koroteev 2020.

Every word piece of a text has a vector from one layer of a language model. Recall R is the mean, over the word
pieces of the reference, of the cosine with the most similar one of the candidate; precision P is the mean the
other way round, and F1 = 2PR / (P + R). With IDF, the means are weighted by how rare a word piece is among
given texts: log((N + 1) / (c + 1)) for one that stands in c of N texts.

The package embeds both texts of every pair and pads each batch of pairs to its longest text. Here each distinct
text is embedded once, and pairs are matched by products of matrices; the numbers are those that the package
gives for a pair by itself. In a batch it lets padding take part with a similarity of 0, so that a word piece
whose best cosine is below 0 depends on the batch. Two things it leaves open: with transformers 5 it fails on an
empty text (P, R and F1 are 0, as with earlier releases), and where all weights of a text are 0 it gives NaN
(here 0).
"""

from tted_core.distances.bertscore.loading import load_bertscorer
from tted_core.distances.bertscore.scorer import (
    BERTScorer,
    TokenSimilarity,
    baseline_languages,
    missing_baseline,
    rescaled,
)

__all__ = [
    "BERTScorer",
    "TokenSimilarity",
    "baseline_languages",
    "load_bertscorer",
    "missing_baseline",
    "rescaled",
]
