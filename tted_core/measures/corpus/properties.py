"""``measure_corpus``: every property of a generated set of sentences against a reference set, in one record."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import MaskedModel
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import Interrupted, MapFormatError
from tted_core.limits import MAX_CORPUS_SENTENCES, check_limit
from tted_core.measures.corpus.flags import Flag, flags
from tted_core.measures.corpus.grammar import GrammarCheck
from tted_core.measures.corpus.similarity import (
    SetSimilarity,
    edit_share,
    semantic_similarity,
    syntactic_similarity,
)
from tted_core.notices import encoder_notices
from tted_core.words.splitting import Sentence

Progress: TypeAlias = Callable[[str, float], None]
ShouldStop: TypeAlias = Callable[[], bool]


@dataclass(frozen=True)
class Missing:
    """Why a number is not there."""

    reason: str


@dataclass(frozen=True)
class GeneratedSentence:
    """A generated sentence and where it lies.

    Attributes:
        text: the sentence.
        unique: whether no other sentence, generated or reference, has the same words.
        semantic: the largest cosine to a reference sentence, and which sentence that is.
        edit_share: EdDist / max length to the reference sentence nearest in wording, and which that is.
        grammar_errors: errors that LanguageTool finds, None if it is missing.
        perplexity: by the masked model, None if it is missing or the sentence has no word.
    """

    text: str
    unique: bool
    semantic: tuple[float, str]
    edit_share: tuple[float, str]
    grammar_errors: int | None
    perplexity: float | None


@dataclass(frozen=True)
class CorpusProperties:
    """The properties of a generated set G against a reference set T.

    Attributes:
        unique: Unique(n) = U_n / n, the share of G's n sentences that no other sentence of G or T equals, in
            lower case and without punctuation.
        new_words: words of G that T doesn't have.
        grammar: mean over G of grammatical errors per word; lower is better. Or why there is none.
        grammar_reference: the same of T.
        plausibility: mean over G of the sentences' pseudo-perplexity; lower is more plausible. Or why there
            is none.
        plausibility_reference: the same of T.
        semantic: similarity of meaning.
        syntactic: similarity of wording.
        flags: what the numbers hint at.
        sentences: G, sentence by sentence.
        reference_size: the number of T's sentences.
        notices: what a reader of the numbers should know of the sentences and the encoder.
    """

    unique: float
    new_words: tuple[str, ...]
    grammar: float | Missing
    grammar_reference: float | Missing
    plausibility: float | Missing
    plausibility_reference: float | Missing
    semantic: SetSimilarity
    syntactic: SetSimilarity
    flags: tuple[Flag, ...]
    sentences: tuple[GeneratedSentence, ...]
    reference_size: int
    notices: tuple[str, ...] = ()


def measure_corpus(
    generated: Sequence[str],
    reference: Sequence[str],
    *,
    encoder: Encoder,
    masked_model: MaskedModel | Missing,
    grammar: GrammarCheck | Missing,
    progress: Progress = lambda _stage, _share: None,
    should_stop: ShouldStop = lambda: False,
) -> CorpusProperties:
    """Measure everything.

    Args:
        generated: n sentences.
        reference: m sentences; they serve as the paper's training set (uniqueness, vocabulary, wording) and
            as its test set (meaning).
        encoder: for the semantic similarity; any.
        masked_model: for plausibility, or why there is none.
        grammar: for the grammar score, or why there is none.
        progress: is told the stages.
        should_stop: asked often.

    Raises:
        MapFormatError: a set without a sentence.
        LimitError: too many sentences, or one longer than the masked model reads.
        EncoderError: the encoder's vectors can't be used.
        ToolError: LanguageTool failed.
        Interrupted: ``should_stop`` said yes.
    """
    for name, texts in (("generated", generated), ("reference", reference)):
        if not texts:
            raise MapFormatError(f"the {name} maps hold no sentence; give others")
        check_limit(len(texts), MAX_CORPUS_SENTENCES, f"{name} sentences", "give fewer maps at a time")

    def encoding(done: int, total: int) -> None:
        if should_stop():
            raise Interrupted("stopped before there was a result; run it again")
        progress(f"Encoding {total} sentences", done / total)

    vectors = embed(encoder, (*generated, *reference), encoding)
    semantic = semantic_similarity(
        *(np.array([vectors[text] for text in side]) for side in (generated, reference))
    )
    progress("Comparing the wording", 0.0)
    words, known = ([Sentence.of(text).spoken for text in side] for side in (generated, reference))
    syntactic = syntactic_similarity(words, known)

    errors = _grammar_errors((*generated, *reference), grammar, progress, should_stop)
    perplexities = _perplexities((*generated, *reference), masked_model, progress, should_stop)
    occurrences = Counter((*words, *known))
    shares = edit_share(syntactic.best)
    sentences = tuple(
        GeneratedSentence(
            text,
            occurrences[words[at]] == 1,
            (float(semantic.best[at]), reference[semantic.partner[at]]),
            (float(shares[at]), reference[syntactic.partner[at]]),
            None if isinstance(errors, Missing) else errors[at],
            None if isinstance(perplexities, Missing) else perplexities[at],
        )
        for at, text in enumerate(generated)
    )
    n = len(generated)
    return CorpusProperties(
        sum(sentence.unique for sentence in sentences) / n,
        tuple(sorted({word for text in words for word in text} - {word for text in known for word in text})),
        _errors_per_word(errors, words, 0),
        _errors_per_word(errors, known, n),
        perplexities if isinstance(perplexities, Missing) else _mean(perplexities[:n]),
        perplexities if isinstance(perplexities, Missing) else _mean(perplexities[n:]),
        semantic,
        syntactic,
        flags(semantic, syntactic),
        sentences,
        len(reference),
        encoder_notices(encoder, (*generated, *reference), "none"),
    )


def _grammar_errors(
    texts: Sequence[str], check: GrammarCheck | Missing, progress: Progress, should_stop: ShouldStop
) -> list[int] | Missing:
    if isinstance(check, Missing):
        return check
    progress("Checking the grammar", 0.0)
    return check(texts, should_stop)


def _errors_per_word(
    errors: list[int] | Missing, texts: Sequence[tuple[str, ...]], start: int
) -> float | Missing:
    """The mean share of errors in a sentence's words; a sentence without words counts as one word long."""
    if isinstance(errors, Missing):
        return errors
    return float(np.mean([errors[start + at] / max(len(words), 1) for at, words in enumerate(texts)]))


def _perplexities(
    texts: Sequence[str], model: MaskedModel | Missing, progress: Progress, should_stop: ShouldStop
) -> list[float | None] | Missing:
    if isinstance(model, Missing):
        return model
    found: dict[str, float | None] = {}
    distinct = dict.fromkeys(texts)
    for number, text in enumerate(distinct):
        if should_stop():
            raise Interrupted("stopped before there was a result; run it again")
        progress(f"Predicting the words of {len(distinct)} sentences", number / len(distinct))
        found[text] = model.perplexity(text)
    return [found[text] for text in texts]


def _mean(values: Sequence[float | None]) -> float | Missing:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else Missing("no sentence has a word that the masked model knows")
