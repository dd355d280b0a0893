"""The NDD paper's tables 2, 6 and 7: files that are read, each number by hand, and the paper's examples."""

import json
import math

import numpy as np
import pytest
from helpers.floats import by_a_model
from helpers.monitors import STOPPED, telling
from helpers.ndd_reference import SlowModel, slow_ndd

from tted_core.distances.ndd import Compressor, Weights
from tted_core.errors import Interrupted, LimitError, MapFormatError
from tted_core.foundations.stats import auc
from tted_core.measures.ndd_tables import NDD_TABLES
from tted_core.measures.ndd_tables.compressing import GoldCompression, bleu, compression_table, f1, read_gold
from tted_core.measures.ndd_tables.parsed import read_parsed
from tted_core.measures.ndd_tables.predicates import (
    Asked,
    average_precision,
    predicate_table,
    proportions,
    pruning_table,
    random_spans,
    word_scores,
)
from tted_core.words.splitting import Sentence

PARSED = NDD_TABLES["pruning"].example.encode()
GOLD = NDD_TABLES["compression"].example.encode()

# Table 3 of the paper: edit, gold, F1 and BLEU as printed. The first edit comes out without its full stop.
TABLE_3 = [
    (
        "The speed limit will be 70 mph despite opposition from organizations",
        "The speed limit on highways in Illinois will be raised to 70 mph next year.",
        51.9,
        28.7,
    ),
    (
        "New US ambassador to Lebanon presents credentials to Lebanese President Michel Sleiman.",
        "New US ambassador presents credentials to Michel Sleiman.",
        87.0,
        36.6,
    ),
]


@pytest.mark.parametrize(("edit", "gold", "published_f1", "published_bleu"), TABLE_3)
def test_f1_and_bleu_are_those_that_the_paper_prints(edit, gold, published_f1, published_bleu):
    assert round(100 * f1(edit, gold), 1) == published_f1
    assert round(100 * np.mean(bleu(edit, gold)), 1) == published_bleu


def test_f1_and_bleu_by_hand():
    """Left: 3 of 4 words are gold; gold: all 4 words are there, "a" once for both."""
    assert f1("a sea a reef", "a reef a rock") == pytest.approx(2 * 0.75 * 0.75 / 1.5)
    assert bleu("a sea a reef", "a reef a rock") == pytest.approx((3 / 4, 1 / 3, 0, 0))
    assert f1("sea", "reef") == f1("", "reef") == 0.0
    assert bleu("", "reef") == (0, 0, 0, 0)


def test_the_parsed_example_by_hand():
    """Walking governs I, am, rain and the stop; rain governs in, the and cold."""
    one, two = read_parsed(PARSED)
    assert one.sentence.text == "I am walking in the cold rain."
    assert [word.text for word in one.sentence.words] == [
        "I",
        "am",
        "walking",
        "in",
        "the",
        "cold",
        "rain",
        ".",
    ]
    assert one.heads == (2, 2, -1, 6, 6, 6, 2, 2)
    assert one.depths == (2, 2, 1, 3, 3, 3, 2, 2)
    assert {frozenset({3, 4, 5, 6}), frozenset({1}), frozenset(range(8))} <= one.subtrees
    assert frozenset({5, 6}) not in one.subtrees
    assert (one.predicates, two.predicates, one.marked) == ({2}, {1}, False)
    assert read_parsed(PARSED, 1) == [one]


def conll_2009(*rows):
    return "".join(
        "\t".join([str(n), form, *"______", head, head, "_", "_", mark, "_", "_"]) + "\n"
        for n, (form, head, mark) in enumerate(rows, start=1)
    ).encode()


def test_conll_2009_marks_predicates():
    (found,) = read_parsed(conll_2009(("He", "2", "_"), ("runs", "0", "Y"), (".", "2", "_")))
    assert (found.sentence.text, found.heads) == ("He runs .", (1, -1, 1))
    assert (found.predicates, found.marked) == ({1}, True)


def test_multiword_tokens_empty_nodes_and_comments_are_left_out():
    extra = ["# text = du lac", "1-2\tdu" + "\t_" * 8, "1.1\tghost" + "\t_" * 8]
    words = ["1\tde\t_\tADP\t_\t_\t2\tcase\t_\t_", "2\tlac\t_\tNOUN\t_\t_\t0\troot\t_\t_"]
    (found,) = read_parsed("\n".join([*extra, *words]).encode())
    assert found.sentence.text == "de lac"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there is no sentence"),
        (b"1\ta\tb\n", "line 1: 3 columns, but CoNLL-U has 10 and CoNLL-2009 14 or more"),
        (PARSED.replace(b"\t3\tnsubj", b"\t9\tnsubj"), "a head is '9' instead of a number from 0 to 8"),
        (PARSED.replace(b"\t3\tnsubj", b"\t_\tnsubj"), "a head is '_'"),
        (
            PARSED.replace(b"\t0\troot", b"\t1\troot", 1),
            "line 1: in the sentence that begins here, heads go in a circle",
        ),
    ],
)
def test_parsed_files_that_are_refused(content, message):
    with pytest.raises(MapFormatError) as error:
        read_parsed(content)
    assert message in str(error.value)


GOOGLE = {"graph": {"sentence": "The sea is  warm."}, "compression": {"text": "The sea."}}


@pytest.mark.parametrize(
    "text",
    [
        "sentence,compression\nThe sea is warm.,The sea.\n",
        "id\tcompression\tsentence\n1\tThe sea.\tThe sea is warm.\n",
        json.dumps(GOOGLE, indent=1) + "\n\n" + json.dumps(GOOGLE) + "\n\n",
    ],
)
def test_gold_files_that_are_read(text):
    assert read_gold(text.encode(), 1) == [GoldCompression("The sea is warm.", "The sea.")]
    assert len(read_gold(text.encode())) == 1 + text.startswith("{")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column sentence and no column compression; begin the table with: sentence,compression"),
        ("sentence,gold\na,b\n", "the first line names no column compression"),
        ("sentence,compression\n", "no sentence with its compression"),
        ("sentence,compression\na,\n", "line 2: a sentence or its compression is empty"),
        ("{", "object 1 is no readable JSON"),
        ("{}", "object 1 has no text in graph.sentence"),
        (
            '{"graph": {"sentence": "a"}, "compression": {"text": 3}}',
            "object 1 has no text in compression.text",
        ),
    ],
)
def test_gold_files_that_are_refused(text, message):
    with pytest.raises(MapFormatError) as error:
        read_gold(text.encode())
    assert message in str(error.value)


def test_compression_is_made_of_the_parts(masked_model):
    pairs = read_gold(GOLD)
    asked = Asked(max_spans=(2,), limits=(3.0,), rate=0.6)
    rows = {row["method"]: row for row in compression_table(pairs, masked_model, asked).rows}
    assert list(rows) == [
        "unedited",
        *(f"{method}, L_max 2, NDD_max 3" for method in ("random", "perplexity", "NDD")),
    ]
    compressor = Compressor(masked_model, 2, Weights(0.9, 0.9, balanced=True))
    results = [compressor.compress(pair.sentence, 3.0, rate=0.6).result for pair in pairs]
    assert results != [pair.sentence for pair in pairs]
    ndd = rows["NDD, L_max 2, NDD_max 3"]
    shares = [bleu(result, pair.compression) for result, pair in zip(results, pairs, strict=True)]
    assert ndd["F1"] == pytest.approx(
        50 * sum(f1(result, pair.compression) for result, pair in zip(results, pairs, strict=True))
    )
    assert [ndd[f"B{n}"] for n in (1, 2, 3, 4)] == pytest.approx((50 * np.sum(shares, axis=0)).tolist())
    assert ndd["B"] == pytest.approx(100 * np.mean(shares))
    assert rows["unedited"]["rate"] == 1.0
    assert all(0 < rows[name]["rate"] < 1 for name in list(rows)[1:])


def test_perplexity_leaves_the_most_fluent(masked_model):
    """The shortest way of leaving 2 of 3 words: the best of the three that miss one."""
    (pair,) = pairs = [GoldCompression("cold rain snow", "rain")]
    asked = Asked(max_spans=(1,), limits=(1e9,), rate=0.7)
    rows = compression_table(pairs, masked_model, asked).rows
    words = pair.sentence.split()
    left = [" ".join(word for at, word in enumerate(words) if at != gone) for gone in range(3)]
    best = min(left, key=masked_model.perplexity)
    assert rows[2]["rate"] == pytest.approx(2 / 3)
    assert rows[2]["F1"] == pytest.approx(100 * f1(best, "rain"))


def test_depths_and_subtrees_by_hand():
    """Pruned: "the cold" (depth 3, 3; no subtree), "I" (2; a subtree), "in the cold rain" (3, 3, 3, 2; one)."""
    one, _ = read_parsed(PARSED)
    found = proportions([(one, 4, 6), (one, 0, 1), (one, 3, 7)])
    assert found["depth 1"] == found["depth ≥ 4"] == 0.0
    assert (found["depth 2"], found["depth 3"]) == pytest.approx((200 / 7, 500 / 7))
    assert (found["subtree 1"], found["subtree 2"], found["subtree ≥ 3"]) == (100.0, 0.0, 100.0)
    assert found["words pruned"] == 7.0
    assert proportions([])["depth 1"] is None


def test_pruning_prunes_what_compression_leaves_out_and_random_as_much(masked_model):
    sentences = read_parsed(PARSED)
    asked = Asked(max_spans=(1, 3), limits=(1.0, 3.0))
    table = pruning_table(sentences, masked_model, asked)
    by = {(row["method"], row["L_max"], row["NDD_max"]): row for row in table.rows}
    assert len(by) == 8
    for longest, limit in ((1, 1.0), (1, 3.0), (3, 1.0), (3, 3.0)):
        words = by["NDD", longest, limit]["words pruned"]
        assert by["random", longest, limit]["words pruned"] == words
        compressor = Compressor(masked_model, longest)
        left = [compressor.compress(each.sentence.text, limit).result for each in sentences]
        assert words == sum(
            len(each.heads) - len(Sentence.of(text).words) for each, text in zip(sentences, left, strict=True)
        )
    assert by["NDD", 3, 3.0]["words pruned"] > 0


def test_random_spans_keep_their_lengths_apart_and_fall_everywhere():
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(200):
        spans = random_spans(6, [2, 1, 2], rng)
        assert sorted(stop - start for start, stop in spans) == [1, 2, 2]
        covered = [at for start, stop in spans for at in range(start, stop)]
        assert len(set(covered)) == 5
        assert set(covered) <= set(range(6))
        seen.add(frozenset(spans))
    assert len(seen) == 12  # three orders of the lengths, four places of the free word
    assert random_spans(3, [], rng) == []


def test_word_scores_are_those_of_the_slow_reference(masked_model, tiny_masked_folder):
    slow = SlowModel(tiny_masked_folder)
    words = ["I", "am", "walking", "near", "reef"]
    found = word_scores(Sentence.of(" ".join(words)), masked_model, "a", Weights(0.9))
    for edit, new in (("delete", []), ("replace by “a”", ["a"])):
        exact = [
            slow_ndd(slow, [*words[:at], ([words[at]], new), *words[at + 1 :]]) for at in range(len(words))
        ]
        assert found[f"NDD, {edit}"] == pytest.approx(exact, abs=1e-6)
    product = np.prod([found[name] for name in list(found)[:3]], axis=0)
    ensemble = found["NDD, ensemble"]
    assert ensemble / ensemble.max() == pytest.approx(product / product.max())
    assert found["perplexity, delete"][0] == by_a_model(masked_model.perplexity("am walking near reef"))
    assert found["perplexity, replace by mask"][1] == by_a_model(
        masked_model.perplexity("I [MASK] walking near reef")
    )


def test_a_masked_word_disturbs_by_what_is_predicted_beside_the_mask(masked_model):
    """Two words: the other one is predicted beside the word, and beside the mask."""
    import torch

    found = word_scores(Sentence.of("cold rain"), masked_model, "a", Weights(0.9))["NDD, replace by mask"]

    def probabilities(text, place):
        pieces = torch.tensor([masked_model._tokenizer(text)["input_ids"]])
        with torch.no_grad():
            return torch.softmax(masked_model._model(pieces).logits[0, place], dim=-1).tolist()

    beside_rain, beside_mask = probabilities("[MASK] rain", 1), probabilities("[MASK] [MASK]", 1)
    divergence = sum(p * math.log(p / q) for p, q in zip(beside_mask, beside_rain, strict=True))
    assert found[1] == pytest.approx(0.9 * divergence, abs=1e-6)


def test_average_precision_and_auc_by_hand():
    """Wanted at ranks 1, 3 and 4 of 5: (1/1 + 2/3 + 3/4) / 3; of 6 pairs the others lie above in 2."""
    scores, wanted = np.array([5.0, 3.0, 4.0, 2.0, 1.0]), np.array([True, True, False, True, False])
    assert average_precision(scores, wanted) == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)
    assert auc(scores[~wanted], scores[wanted]) == pytest.approx(4 / 6)
    assert auc(np.zeros(5)[~wanted], np.zeros(5)[wanted]) == 0.5


def test_the_table_of_predicates_is_the_mean_over_sentences(masked_model):
    sentences = read_parsed(PARSED)
    table = predicate_table(sentences, masked_model, Asked(word="the"))
    rows = {row["method"]: row for row in table.rows}
    scores = [word_scores(each.sentence, masked_model, "the", Weights(0.9)) for each in sentences]
    wanted = [np.isin(np.arange(len(each.heads)), list(each.predicates)) for each in sentences]
    assert len(rows) == 6
    for method, row in rows.items():
        each = [(found[method], known) for found, known in zip(scores, wanted, strict=True)]
        assert row["mAP"] == pytest.approx(50 * sum(average_precision(*one) for one in each))
        assert row["AUC"] == pytest.approx(50 * sum(auc(values[~of], values[of]) for values, of in each))
    assert table.notes == ("2 of 2 sentences, with 2 verbs (UPOS VERB) for predicates",)


def test_a_file_without_predicates_is_refused(masked_model):
    with pytest.raises(MapFormatError, match="no sentence has both a predicate and another word"):
        predicate_table(read_parsed(PARSED.replace(b"VERB", b"NOUN")), masked_model, Asked())


@pytest.mark.parametrize("name", NDD_TABLES)
def test_every_example_makes_its_table_and_can_be_stopped(name, masked_model):
    table = NDD_TABLES[name]
    sentences = table.read(table.example.encode(), None)
    stages = []
    made = table.make(sentences, masked_model, table.asked, telling(stages))
    assert len({tuple(row) for row in made.rows}) == 1
    assert len({stage for stage, _ in stages}) == 1
    assert stages[0][0].endswith(f"of {len(sentences)} sentences")
    with pytest.raises(Interrupted, match="run it again"):
        table.make(sentences, masked_model, table.asked, monitor=STOPPED)


def test_the_rate_is_reached_where_the_limit_lets_it(masked_model):
    compressor = Compressor(masked_model, max_span=2)
    text = "I am walking in the cold rain and snow ."
    words = len(Sentence.of(text).spoken)
    for rate in (0.9, 0.6, 0.3):
        result = Sentence.of(compressor.compress(text, 1e9, rate=rate).result)
        assert 1 <= len(result.spoken) <= rate * words
        assert len(result.spoken) > rate * words - 2  # no more is deleted than the last span needs
    assert compressor.compress(text, 0.0, rate=0.3).result == text
    assert compressor.compress(text, 1e9, rate=1.0).result == text
    once = compressor.compress(text, 1e9, 1, rate=0.1)
    assert len(once.rounds) == 1
    with pytest.raises(LimitError, match=r"the rate is 1\.5"):
        compressor.compress(text, rate=1.5)
