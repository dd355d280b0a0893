"""tted corpus GENERATED REFERENCE: the properties of generated maps as sets of sentences."""

from functools import partial

from tted_core.cli.method import ENCODER_ARGUMENTS, masked_model_argument
from tted_core.cli.shared import (
    JSON,
    READING,
    Options,
    argument,
    check_outputs,
    command,
    csv_of,
    file_name,
    loading,
    progress,
    read_chosen_maps,
    show,
    tell,
    write_table,
)
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, load_masked_model
from tted_core.foundations.messages import counted
from tted_core.measures.corpus import (
    ABSENCES,
    CorpusProperties,
    Missing,
    corpus_json,
    load_grammar_check,
    measure_corpus,
    sentences_csv,
    sentences_of,
    try_loading,
)
from tted_core.measures.sentence_sets import SetSimilarity


@command(
    argument("generated", type=file_name, help="a file, folder or archive of maps, or - for standard input"),
    argument("reference", type=file_name, help="the reference maps; the paper's training set"),
    argument(
        "--test",
        type=file_name,
        metavar="MAPS",
        help="maps to compare the meaning with, instead of the reference",
    ),
    *ENCODER_ARGUMENTS,
    masked_model_argument(default=None),
    argument(
        "--language",
        default="en-US",
        metavar="CODE|none",
        help="the language whose grammar LanguageTool checks, such as ru-RU (default: en-US)",
    ),
    *csv_of("all generated sentences"),
    *READING,
    JSON,
    description=(
        "Uniqueness, new vocabulary, grammar, plausibility, and similarity of meaning and wording (Zwerdling et "
        "al.), each node being a sentence. Every map of a file, a folder or an archive counts, unless --sheet "
        "names one."
    ),
)
def corpus_command(options: Options) -> str:
    """Measure, and return what to print."""
    check_outputs([options.csv], [options.generated, options.reference, options.test])
    generated, reference, test = (
        read_chosen_maps(file, options) if file else ()
        for file in (options.generated, options.reference, options.test)
    )
    for word, maps in (("generated", generated), ("reference", reference), ("test", test)):
        for each in maps:
            tell(each.notices, f"{word} map {each.sheet}")
    properties = measure_corpus(
        *(sentences_of(each.tree for each in maps) for maps in (generated, reference, test)),
        encoder=loading(options)(options.encoder),
        masked_model=try_loading(
            partial(load_masked_model, options.masked_model or DEFAULT_MASKED_MODEL),
            "left out by --masked-model none" if options.masked_model == "none" else "",
            () if options.masked_model else ABSENCES,  # one that is named is needed
        ),
        grammar=try_loading(
            partial(load_grammar_check, options.language),
            "left out by --language none" if options.language == "none" else "",
        ),
        monitor=progress(),
    )
    tell(properties.notices)
    write_table(sentences_csv(properties), options)
    counts = {"maps": len(generated), "reference_maps": len(reference), "test_maps": len(test)}
    return show(
        options,
        lambda: {**corpus_json(properties), **counts},
        lambda: _text(properties, *counts.values()),
    )


def _text(properties: CorpusProperties, maps: int, reference_maps: int, test_maps: int) -> str:
    size, reference_size = len(properties.sentences), properties.reference_size
    grammar = _with_reference(properties.grammar, properties.grammar_reference, "errors per word")
    plausibility = _with_reference(properties.plausibility, properties.plausibility_reference, "perplexity")
    unique = f"Unique({size})"
    test = f"; test: {_count_both(properties.test_size, test_maps)}" if test_maps else ""
    lines = [
        f"generated: {_count_both(size, maps)}; reference: {_count_both(reference_size, reference_maps)}{test}",
        "",
        f"{unique:<16} {properties.unique:.4f}  (share of sentences that no other one equals)",
        f"new vocabulary   {len(properties.new_words)}  (words that the reference doesn't have)",
        f"grammar          {grammar}",
        f"plausibility     {plausibility}",
        f"semantic         {_scores(properties.semantic)}",
        f"syntactic        {_scores(properties.syntactic)}",
    ]
    lines.append("")
    for name, numbers in properties.sets.items():
        lines += [f"{name:<10} {number:<19} {value:.4g}" for number, value in numbers.items()]
    return "\n".join(lines)


def _count_both(sentences: int, maps: int) -> str:
    return f"{counted(sentences, 'sentence')} of {counted(maps, 'map')}"


def _with_reference(value: float | Missing, reference: float | Missing, what: str) -> str:
    if isinstance(value, Missing):
        return f"not computed: {value.reason}"
    beside = "" if isinstance(reference, Missing) else f"; reference {reference:.4f}"
    return f"{value:.4f}  ({what}, lower is better{beside})"


def _scores(similarity: SetSimilarity) -> str:
    return f"precision {similarity.precision:.4f}  recall {similarity.recall:.4f}  F1 {similarity.f1:.4f}"
