"""BERTScore against the package bert-score called directly, the equations of the paper on a small example by hand,
and what makes of it a cost of an edit."""

import numpy as np
import pytest

from tted_core.distances.bertscore import (
    MAX_BERTSCORE_CELLS,
    TokenEmbeddings,
    bertscore_distances,
    greedy_matching,
    load_bertscorer,
)
from tted_core.encoders.minilm import find_model_folder
from tted_core.errors import EncoderError, LimitError, UnknownNameError
from tted_core.foundations.monitor import Monitor

PAIRS = [
    ("Coral reefs are built by small animals.", "Tiny animals build coral reefs."),
    ("Reefs protect coasts from storms.", "Coral reefs shield shores against waves and storms."),
    ("Vaccines train the immune system.", "The moon has no atmosphere."),
    ("a", "b"),
    ("Same words", "Same words"),
    ("The dog bites the man", "The man bites the dog"),
    ("  white   space ", "white space"),
    ("Байкал — самое глубокое озеро.", "Глубже Байкала озёр нет."),
    ("UPPER case!", "upper case"),
    ("A text of a word or two", "cut off"),
]
LONG = ("long " * 700, "Of a long text only the beginning is read.")
WITH_EMPTY = [("", "a reef"), ("a reef", ""), ("", ""), (" ", "a reef")]


@pytest.fixture(scope="module")
def scorer():
    return load_bertscorer("minilm", device="cpu")


@pytest.fixture(scope="module")
def package():
    """The package as its users call it, with what transformers 5 took away from it: the marks of an empty text."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(find_model_folder()), num_layers=6, device="cpu", nthreads=0)
    scorer._tokenizer.build_inputs_with_special_tokens = lambda _: [101, 102]
    return scorer


def called_directly(package, candidate, reference, idf=None):
    package._idf = idf is not None
    if idf is not None:
        package._idf_dict = None
        package.compute_idf(idf)
    return [float(score[0]) for score in package.score([candidate], [reference])]


@pytest.mark.parametrize(
    "idf", [pytest.param(False, marks=pytest.mark.thorough, id="equal weights"), pytest.param(True, id="IDF")]
)
def test_equals_the_package_called_directly(scorer, package, idf):
    pairs = [*PAIRS, *WITH_EMPTY] if idf else [*PAIRS, *WITH_EMPTY, LONG]
    documents = [text for pair in PAIRS for text in pair] if idf else None
    weights = scorer.idf_weights(documents) if idf else None
    candidates, references = zip(*pairs, strict=True)
    precision, recall = scorer.scores(candidates, references, idf=weights)
    for position, pair in enumerate(pairs):
        ours = precision[position, position], recall[position, position]
        assert ours == pytest.approx(called_directly(package, *pair, documents)[:2], abs=1e-5), pair


def test_the_node_distance_is_1_minus_the_f1_of_the_package(scorer, package):
    candidates, references = zip(*PAIRS, strict=True)
    found = np.diagonal(bertscore_distances(candidates, references, scorer))
    expected = [1 - called_directly(package, *pair)[2] for pair in PAIRS]
    assert found == pytest.approx(expected, abs=1e-5)


def test_a_text_whose_weights_are_all_0_scores_0_where_the_package_has_no_number(scorer):
    precision, recall = scorer.scores(["reef", "reef"], ["reef", "sand"], idf=scorer.idf_weights(["reef"]))
    assert precision[:, 0].tolist() == recall[:, 0].tolist() == [0, 0]
    assert recall[0, 1] > 0  # "sand" is rare
    assert precision[0, 1] == 0


def test_the_equations_by_hand():
    """x = (1, 0), (0, 1) against y = (0.6, 0.8): P = 0.8 and R = (0.6 + 0.8) / 2; the mark is never counted."""
    mark = [0.0, 0.0, 1.0]
    one = TokenEmbeddings((1, 7), (True, False), np.array([mark, [0.6, 0.8, 0.0]]))
    two = TokenEmbeddings((1, 8, 9), (True, False, False), np.array([mark, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    assert np.ravel(greedy_matching([one], [two])) == pytest.approx((0.8, 0.7))
    weighted = greedy_matching([one], [two], {1: 0.0, 7: 5.0, 8: 3.0, 9: 1.0})
    assert np.ravel(weighted) == pytest.approx((0.8, 0.75 * 0.6 + 0.25 * 0.8))


@pytest.mark.parametrize("idf", [False, True])
def test_the_node_distance_is_0_for_equal_texts_only_symmetric_and_1_to_the_empty_text(scorer, idf):
    texts = [*(pair[0] for pair in PAIRS[:9]), "hello", "THE cat sat on a mat", "the cat sat on a mat", ""]
    distances = bertscore_distances(texts, texts, scorer, idf=idf)
    assert distances.shape == (len(texts), len(texts))
    assert ((distances >= 0) & (distances <= 1)).all()
    assert np.diagonal(distances).tolist() == [0.0] * len(texts)
    assert distances == pytest.approx(distances.T, abs=1e-12)
    assert distances[-1, :-1].tolist() == distances[:-1, -1].tolist() == [1.0] * (len(texts) - 1)
    assert distances[-3, -2] < 1e-6  # the model knows no capitals, but these are two texts


def test_too_many_word_pieces_are_refused_before_they_are_embedded(scorer, monkeypatch):
    assert MAX_BERTSCORE_CELLS >= 10**8
    monkeypatch.setattr("tted_core.distances.bertscore.MAX_BERTSCORE_CELLS", 17)
    with pytest.raises(LimitError, match=r"18 pairs of word pieces for BERTScore, but the limit is 17; "):
        scorer.scores(["a", "b"], ["c"], monitor=Monitor(lambda *_: pytest.fail("embedded")))
    scorer.scores(["a"], ["c"])  # with its two marks, 3 pieces a text
    monkeypatch.setattr("tted_core.distances.bertscore.MAX_BERTSCORE_CELLS", 18)
    monkeypatch.setattr("tted_core.distances.bertscore.MAX_BERTSCORE_NUMBERS", 17)
    with pytest.raises(LimitError, match="numbers in the vectors for BERTScore, but the limit is 17; "):
        scorer.scores(["a"], ["c"])


def test_a_missing_model_is_an_error(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown encoder 'nothing'"):
        load_bertscorer("nothing")
    with pytest.raises(EncoderError, match=r"can't be loaded .*hf download some/model"):
        load_bertscorer("some/model")
    with pytest.raises(EncoderError, match=r"check that .* is a folder with a transformer"):
        load_bertscorer(str(tmp_path))


def test_a_model_in_a_folder_named_like_another_type(tmp_path, package):
    """The package takes any path with "t5" in it for a T5 model."""
    from transformers import AutoTokenizer, BertConfig, BertModel

    folder = tmp_path / "test5-model"
    config = BertConfig(
        vocab_size=30522, hidden_size=8, num_hidden_layers=3, num_attention_heads=2, intermediate_size=8
    )
    BertModel(config).save_pretrained(folder)
    AutoTokenizer.from_pretrained(find_model_folder()).save_pretrained(folder)
    scorer = load_bertscorer(str(folder), device="cpu")
    assert (scorer.name, scorer.layer) == ("test5-model", 3)
    assert np.ravel(scorer.scores(["a reef"], ["a reef"])) == pytest.approx((1, 1))
