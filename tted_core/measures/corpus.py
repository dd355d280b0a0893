"""Properties of a generated set of sentences, compared with a reference set.

Source: Zwerdling et al., "Understanding the Properties of Generated Corpora". Maps are read as a bag of
sentences, one per node: how many are new and different, which words are new, whether they are grammatical and
plausible, and how close they are to the reference in meaning and in wording. The reference is the paper's
training set; an optional test set serves for the meaning.

Grammatical errors are counted by LanguageTool (only this file imports language_tool_python), a Java program of
about 250 MB that the package fetches. It is never fetched implicitly, and no text goes to its public server: it
runs on this machine, or the error says what is missing and how to install it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np

from tted_core.distances.ndd import TokenizedText
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import MaskedModel
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import (
    EncoderError,
    Interrupted,
    MapFormatError,
    MissingExtraError,
    ToolError,
    TTEDError,
    check_limit,
    require,
)
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.tables import csv_text
from tted_core.measures.sentence_sets import (
    SetSimilarity,
    bare_words,
    new_words,
    semantic_similarity,
    syntactic_similarity,
    unique_flags,
)
from tted_core.notices import encoder_notices
from tted_core.tree import TextTree
from tted_core.version import VERSION

_Model = TypeVar("_Model")

MAX_CORPUS_SENTENCES = 5_000  # maximum sentences in each of two sets that are compared


# n sentences, monitor -> number of errors in each.
GrammarCheck: TypeAlias = Callable[[Sequence[str], Monitor], list[int]]

FETCH = (
    'python -c "from language_tool_python.download_lt import LocalLanguageTool as Tool; '
    'Tool.from_version_name().download()"'
)


def load_grammar_check(language: str = "en-US") -> GrammarCheck:
    """A grammar check by LanguageTool in one of its languages ("en-US", "ru-RU", "de-DE" ...)."""
    require("grammar")
    from language_tool_python.download_lt import LocalLanguageTool, confirm_java_compatibility

    try:
        confirm_java_compatibility()
    except (Exception, SystemExit) as error:  # it exits if it can't read Java's version
        raise ToolError(
            f"grammar needs Java 17 or newer on this machine ({' '.join(str(error).split())}); install it, for "
            "example from adoptium.net"
        ) from error
    tool = LocalLanguageTool.from_version_name()
    try:
        tool.get_directory_path()
    except OSError as error:
        raise ToolError(
            f"grammar needs LanguageTool, which is not on this machine; fetch it once (about 250 MB) with: {FETCH}"
        ) from error
    return lambda sentences, monitor: _count_errors(sentences, language, monitor)


def _count_errors(sentences: Sequence[str], language: str, monitor: Monitor) -> list[int]:
    from language_tool_python import LanguageTool

    counts = []
    try:
        with LanguageTool(language) as tool:
            for sentence in sentences:
                if monitor.stopped:
                    break
                counts.append(len(tool.check(sentence)))
    except Exception as error:  # its own errors, requests' and the operating system's
        cause = " ".join(str(error).split()) or type(error).__name__
        raise ToolError(
            f"LanguageTool failed ({cause[:300]}); check that {language!r} is one of its languages, or leave the "
            "grammar out"
        ) from error
    if len(counts) < len(sentences):
        raise Interrupted("stopped before every sentence was checked; run it again")
    return counts


@dataclass(frozen=True)
class Missing:
    """The reason why a number is missing."""

    reason: str


ABSENCES = (EncoderError, MissingExtraError, ToolError)  # errors of a model or program that isn't there


def try_loading(
    load: Callable[[], _Model], left_out: str = "", tolerated: tuple[type[TTEDError], ...] = ABSENCES
) -> _Model | Missing:
    """Load a model, or return the reason why it is missing: that it was ``left_out``, or a tolerated error."""
    if left_out:
        return Missing(left_out)
    try:
        return load()
    except tolerated as error:
        return Missing(str(error))


@dataclass(frozen=True)
class GeneratedSentence:
    """A generated sentence with its measurements.

    Attributes:
        text: the sentence.
        unique: True if no other sentence, generated or reference, has the same words.
        semantic: the largest cosine to a sentence of the test set or, without one, the reference, and that
            sentence.
        edit_share: EdDist / max length to the reference sentence closest in wording, and that sentence.
        grammar_errors: errors found by LanguageTool, None if it is missing.
        perplexity: by the masked model, None if it is missing or the sentence has no words.
    """

    text: str
    unique: bool
    semantic: tuple[float, str]
    edit_share: tuple[float, str]
    grammar_errors: int | None
    perplexity: float | None


@dataclass(frozen=True)
class CorpusProperties:
    """The properties of a generated set G against a reference set T and, if there is one, a test set.

    Attributes:
        unique: Unique(n) = U_n / n, the share of G's n sentences that no other sentence of G or T equals, in
            lower case and without punctuation.
        new_words: words of G that T doesn't have, compared likewise.
        grammar: mean over G of grammatical errors per word, lower is better; or why it is missing.
        grammar_reference: the mean over T.
        plausibility: mean over G of the sentences' pseudo-perplexity, lower is more plausible; or why it is
            missing.
        plausibility_reference: the mean over T.
        semantic: similarity of meaning, to the test set or, without one, to T.
        syntactic: similarity of wording to T.
        sentences: G, sentence by sentence.
        reference_size: number of T's sentences.
        notices: warnings about the sentences and the encoder.
        test_size: number of the test set's sentences; 0 without one.
        sets: the means of "reference", "test" (if there is one) and "generated" by name, such as "semantic F1".
    """

    unique: float
    new_words: tuple[str, ...]
    grammar: float | Missing
    grammar_reference: float | Missing
    plausibility: float | Missing
    plausibility_reference: float | Missing
    semantic: SetSimilarity
    syntactic: SetSimilarity
    sentences: tuple[GeneratedSentence, ...]
    reference_size: int
    notices: tuple[str, ...] = ()
    test_size: int = 0
    sets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def sentences_of(trees: Iterable[TextTree]) -> tuple[str, ...]:
    """Texts of all nodes of all trees, in order, without empty ones."""
    return tuple(label for tree in trees for label in tree.labels if label.strip())


def measure_corpus(
    generated: Sequence[str],
    reference: Sequence[str],
    test: Sequence[str] = (),
    *,
    encoder: Encoder,
    masked_model: MaskedModel | Missing,
    grammar: GrammarCheck | Missing,
    monitor: Monitor = UNWATCHED,
) -> CorpusProperties:
    """Measure all properties.

    Args:
        generated: n sentences.
        reference: m sentences; the paper's training set, for uniqueness, vocabulary and wording.
        test: the paper's test set, for meaning; by default the reference.
        encoder: for the semantic similarity; any.
        masked_model: for plausibility, or why it is missing.
        grammar: for the grammar score, or why it is missing.
        monitor: receives the stages.
    """
    sets = {"reference": reference, **({"test": test} if test else {}), "generated": generated}
    for name, texts in sets.items():
        if not texts:
            raise MapFormatError(f"the {name} maps have no sentences; give others")
        check_limit(len(texts), MAX_CORPUS_SENTENCES, f"{name} sentences", "give fewer maps at a time")

    every = list(dict.fromkeys(text for texts in sets.values() for text in texts))
    monitor.stage(f"Encoding {len(every)} sentences")
    vectors = embed(encoder, every, monitor)
    by_set = {name: np.array([vectors[text] for text in texts]) for name, texts in sets.items()}
    aim = "test" if test else "reference"
    semantic = semantic_similarity(by_set["generated"], by_set[aim])
    monitor.stage("Comparing the wording", 0.0)
    split = {name: [TokenizedText.of(text) for text in texts] for name, texts in sets.items()}
    words = {name: [each.spoken for each in sentences] for name, sentences in split.items()}
    bare = {name: [bare_words(text) for text in texts] for name, texts in sets.items()}
    syntactic = syntactic_similarity(words["generated"], words["reference"])

    errors: dict[str, int] = {}
    if not isinstance(grammar, Missing):
        monitor.stage("Checking the grammar", 0.0)
        errors = dict(zip(every, grammar(every, monitor), strict=True))
    perplexities: dict[str, float | None] = {}
    if not isinstance(masked_model, Missing):
        stage = f"Predicting the words of {len(every)} sentences"
        perplexities = {text: masked_model.perplexity(text) for text in monitor.over(every, stage)}

    unique = unique_flags(bare["generated"], bare["reference"])
    numbers = {name: _mean_numbers(sentences, errors, perplexities) for name, sentences in split.items()}
    for name in sets.keys() - {"reference"}:
        numbers[name]["unique"] = float(np.mean(unique_flags(bare[name], bare["reference"])))
        numbers[name]["new words"] = float(len(new_words(bare[name], bare["reference"])))
    similarities = [("generated", "semantic", semantic), ("generated", "syntactic", syntactic)]
    if test:
        own = semantic_similarity(by_set["reference"], by_set["test"])
        tested = syntactic_similarity(words["test"], words["reference"])
        similarities += [("reference", "semantic", own), ("test", "syntactic", tested)]
    for name, kind, each in similarities:
        numbers[name] |= {f"{kind} {score}": value for score, value in _scores(each).items()}

    shares = 1.0 / syntactic.best - 1.0  # EdDist / max(|s|, |t|) from SynSim
    sentences = tuple(
        GeneratedSentence(
            text,
            unique[at],
            (float(semantic.best[at]), sets[aim][semantic.partner[at]]),
            (float(shares[at]), reference[syntactic.partner[at]]),
            errors.get(text),
            perplexities.get(text),
        )
        for at, text in enumerate(generated)
    )
    return CorpusProperties(
        sum(unique) / len(generated),
        new_words(bare["generated"], bare["reference"]),
        _number_or_reason(numbers["generated"].get("grammar"), grammar),
        _number_or_reason(numbers["reference"].get("grammar"), grammar),
        _number_or_reason(numbers["generated"].get("plausibility"), masked_model),
        _number_or_reason(numbers["reference"].get("plausibility"), masked_model),
        semantic,
        syntactic,
        sentences,
        len(reference),
        encoder_notices(encoder, every, "none"),
        len(test),
        numbers,
    )


def _mean_numbers(
    sentences: Sequence[TokenizedText], errors: Mapping[str, int], perplexities: Mapping[str, float | None]
) -> dict[str, float]:
    """The means over a set's sentences that there are; a sentence without words counts as one word."""
    found = {}
    if errors:
        found["grammar"] = float(
            np.mean([errors[each.text] / max(len(each.spoken), 1) for each in sentences])
        )
    if known := [value for each in sentences if (value := perplexities.get(each.text)) is not None]:
        found["plausibility"] = float(np.mean(known))
    return found


def _number_or_reason(number: float | None, model: object) -> float | Missing:
    """The number, or why there is none: the model is missing, or knows no word."""
    if number is not None:
        return number
    return (
        model if isinstance(model, Missing) else Missing("no sentence has a word that the masked model knows")
    )


def corpus_json(properties: CorpusProperties) -> dict[str, object]:
    """Everything except the sentences; a missing number is null, with a reason in ``missing``."""
    optional = {
        "grammar": properties.grammar,
        "grammar_reference": properties.grammar_reference,
        "plausibility": properties.plausibility,
        "plausibility_reference": properties.plausibility_reference,
    }
    return {
        "sentences": len(properties.sentences),
        "reference_sentences": properties.reference_size,
        "test_sentences": properties.test_size,
        "unique": properties.unique,
        "new_vocabulary": len(properties.new_words),
        "new_words": list(properties.new_words),
        **{name: None if isinstance(value, Missing) else value for name, value in optional.items()},
        "missing": {name: value.reason for name, value in optional.items() if isinstance(value, Missing)},
        "semantic": _scores(properties.semantic),
        "syntactic": _scores(properties.syntactic),
        "sets": {name: dict(numbers) for name, numbers in properties.sets.items()},
        "notices": list(properties.notices),
        "version": VERSION,
    }


def _scores(similarity: SetSimilarity) -> dict[str, float]:
    return {"precision": similarity.precision, "recall": similarity.recall, "f1": similarity.f1}


def sentences_csv(properties: CorpusProperties) -> str:
    """A row for each generated sentence with its numbers and its closest reference sentences."""
    return csv_text(
        (
            "sentence",
            "unique",
            "semantic_similarity",
            "nearest_in_meaning",
            "edit_share",
            "nearest_in_wording",
            "grammar_errors",
            "perplexity",
        ),
        (
            (
                each.text,
                "yes" if each.unique else "no",
                *each.semantic,
                *each.edit_share,
                each.grammar_errors,
                each.perplexity,
            )
            for each in properties.sentences
        ),
    )
