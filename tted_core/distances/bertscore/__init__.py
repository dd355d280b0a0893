"""BERTScore of texts, with the package bert-score.

Zhang, Kishore, Wu, Weinberger and Artzi, "BERTScore: Evaluating Text Generation with BERT", ICLR 2020; its use
for Russian: Koroteev 2020.

Every word piece of a text has a vector from one layer of a language model. Recall R is the mean, over the word
pieces of the reference, of the cosine with the most similar one of the candidate; precision P is the same with
the texts exchanged, and F1 = 2PR / (P + R). With IDF, the means are weighted by the rarity of a word piece among
given texts: log((N + 1) / (c + 1)) for one that occurs in c of N texts.

The package embeds both texts of every pair and pads each batch of pairs to its longest text. Here each distinct
text is embedded once, and pairs are matched by matrix products; the numbers equal the package's for single
pairs. In a batch, the package gives padding a similarity of 0, so that a word piece whose best cosine is below 0
depends on the batch. Two cases differ: with transformers 5 the package fails on an empty text (here P, R and F1
are 0, as in earlier releases), and if all weights of a text are 0 it returns NaN (here 0).
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
