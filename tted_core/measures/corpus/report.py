"""The properties of a corpus as JSON, and its sentences as CSV."""

from dataclasses import asdict

from tted_core.measures.corpus.properties import CorpusProperties, Missing
from tted_core.measures.corpus.similarity import SetSimilarity
from tted_core.tables import csv_text
from tted_core.version import VERSION


def corpus_json(properties: CorpusProperties) -> dict[str, object]:
    """Everything but the sentences; a number that is missing is null, and ``missing`` says why."""
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
        "sets": {
            name: {number: found._asdict() for number, found in numbers.items()}
            for name, numbers in properties.sets.items()
        },
        "curve": [asdict(point) for point in properties.curve],
        "notices": list(properties.notices),
        "flags": {flag.name: flag.reason for flag in properties.flags},
        "version": VERSION,
    }


def _scores(similarity: SetSimilarity) -> dict[str, float]:
    return {"precision": similarity.precision, "recall": similarity.recall, "f1": similarity.f1}


def sentences_csv(properties: CorpusProperties) -> str:
    """A line for each generated sentence: its numbers and its nearest reference sentences."""
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
