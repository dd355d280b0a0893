"""The one longest common subsequence that the package rouge 1.0.1 picks, without its table of all prefixes.

Rows of the table come from bit vectors: Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004.
"""

from collections.abc import Iterable, Mapping, Sequence


class Sentence:
    """A sequence of words and, for each of them, the bits of its places."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = words
        self.places: dict[int, int] = {}
        for place, word in enumerate(words):
            self.places[word] = self.places.get(word, 0) | 1 << place


def holders(sentences: Iterable[Sentence]) -> dict[int, list[Sentence]]:
    """The sentences that hold each word."""
    found: dict[int, list[Sentence]] = {}
    for sentence in sentences:
        for word in sentence.places:
            found.setdefault(word, []).append(sentence)
    return found


def union_size(references: Iterable[Sentence], hypotheses: Mapping[int, list[Sentence]], common: int) -> int:
    """Distinct words in the subsequences of all pairs of sentences together, as summary-level ROUGE-L counts.

    ``hypotheses`` are the other text's sentences by the words that they hold: only with these is there a
    common subsequence. There can't be more words in it than ``common``, the distinct ones of both texts.
    """
    chosen: set[int] = set()
    for reference in references:
        for hypothesis in {partner for word in reference.places for partner in hypotheses.get(word, ())}:
            chosen |= lcs_words(reference, hypothesis)
        if len(chosen) == common:
            break
    return len(chosen)


def lcs_words(x: Sentence, y: Sentence) -> set[int]:
    """The words of the longest common subsequence that the package reads from its table T.

    T[i, j] is the length for the first i words of x and the first j of y. From (i, j) the package steps to
    (i-1, j-1), taking the word, if x_i = y_j; otherwise to (i-1, j) if T[i-1, j] > T[i, j-1]; otherwise to
    (i, j-1). Let k = T[i, j] > 0 and c the first column with T[i, c] = k. The word it takes next is y_c, at
    the last place r <= i of x that has it, and k - 1 is left in row r - 1, in whatever column:

    - It goes left from j to c unless x_i = y_j on the way. In that case T[i-1, j-1] = k - 1, so T[i-1, c] < k;
      T[i, c] is also above T[i, c-1], so x_i = y_c. The word is y_c, r = i, and T[i-1, c-1] = k - 1 as well.
    - At c it goes up until x_r = y_c, because T[i, c-1] < k; c remains the first column with k in those rows.

    So the first columns of each row are enough. They are the zero bits of the row's vector.
    """
    words = [word for word in x.words if word in y.places]  # the others don't change a row
    if len(words) == 1:
        return set(words)
    row = below = (1 << len(y.words)) - 1
    rows = []
    for word in words:
        rows.append(row)
        places = row & y.places[word]
        row = (row + places) | (row - places)  # the carry beyond the last column is cut off by ``below``
    chosen = set()
    while first_columns := ~row & below:
        column = first_columns.bit_length() - 1
        word = y.words[column]
        chosen.add(word)
        while words.pop() != word:
            rows.pop()
        row = rows.pop()
        below = (1 << column) - 1
    return chosen
