"""Masked language models: loading them, what is no such model, and their predictions."""

import shutil

import numpy as np
import pytest
from helpers.masked import save_tiny_masked_model
from helpers.ndd_reference import SlowModel

from tted_core.encoders import masked_model as module
from tted_core.encoders.masked_model import MASKED_MODELS, MaskedSpan, load_masked_model
from tted_core.errors import EncoderError, LimitError, UnknownNameError


def test_a_model_in_a_folder(masked_model, tiny_masked_folder):
    assert (masked_model.name, masked_model.max_pieces, masked_model.vocabulary_size) == (
        "tiny-masked",
        48,
        42,
    )
    assert len(masked_model.fingerprint) == 8
    assert load_masked_model(str(tiny_masked_folder), device="cpu").fingerprint == masked_model.fingerprint


def test_predictions_are_log_probabilities_whatever_the_batch(masked_model, tiny_masked_folder, monkeypatch):
    slow = SlowModel(tiny_masked_folder)
    long, short = ["I", "am", "walking", "in", "the", "cold", "rain", "."], ["plants", "drink"]
    gaps = [MaskedSpan(" ".join(long), 20, 24), MaskedSpan(" ".join(short), 0, 6), MaskedSpan("", 0, 0)]
    expected = [slow.probabilities(long, 5), slow.probabilities(short, 0), slow.probabilities(["[MASK]"], 0)]
    for values in (1, 1 << 25):
        monkeypatch.setattr(module, "BATCH_VALUES", values)
        assert np.exp([*masked_model.distributions(gaps)]) == pytest.approx(np.array(expected), abs=1e-6)
    assert list(masked_model.distributions([])) == []


def test_a_mask_in_the_text_is_not_the_gap(masked_model):
    """The word behind it is predicted, not it."""
    (second,) = masked_model.distributions([MaskedSpan("[MASK] rain", 7, 11)])
    (first,) = masked_model.distributions([MaskedSpan("[MASK] rain", 0, 6)])
    (also_second,) = masked_model.distributions([MaskedSpan("[MASK] snow", 7, 11)])
    assert np.array_equal(second, also_second)
    assert not np.allclose(first, second)


def test_perplexity_masks_each_piece_by_itself(masked_model, tiny_masked_folder):
    slow = SlowModel(tiny_masked_folder)
    for text in ("I am walking in the cold rain.", "plants drinking", "zebras", "sea"):
        assert masked_model.perplexity(text) == pytest.approx(slow.perplexity(text), rel=1e-6)
    assert masked_model.perplexity("") is masked_model.perplexity("  ") is None


def test_a_too_long_sentence_is_refused(masked_model):
    masked_model.perplexity("sea " * 46)
    for call in (
        masked_model.perplexity,
        lambda text: list(masked_model.distributions([MaskedSpan(text, 0, 3)])),
    ):
        with pytest.raises(LimitError, match="49 word pieces in a sentence for the masked model tiny-masked"):
            call("sea " * 47)


def test_an_encoder_without_a_head_is_refused_instead_of_guessing(tmp_path, capfd):
    folder = save_tiny_masked_model(tmp_path / "plain", head=False)
    capfd.readouterr()
    with pytest.raises(
        EncoderError, match=r"'plain' can't be loaded \(it has no weights for cls\.predictions"
    ):
        load_masked_model(str(folder))
    assert capfd.readouterr().err == ""


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(EncoderError, match=r"can't be loaded \(.*check that .* is a folder with a masked"):
        load_masked_model(str(tmp_path))


@pytest.mark.parametrize("name", ["bert-base-cased", "nobody/no-such-model", "bert-none"])
def test_a_model_out_of_reach_names_model_cause_and_command(name, no_network):
    with pytest.raises(EncoderError) as caught:
        load_masked_model(name)
    message = str(caught.value)
    source = MASKED_MODELS[name].model if name in MASKED_MODELS else name
    assert message.startswith(f"the masked model {name!r} can't be loaded (")
    assert "onnect" in message
    assert f"hf download {source}; or name a folder" in message


def test_a_model_in_the_cache_of_the_hub_needs_no_network(tiny_masked_folder, masked_model, no_network):
    repository = no_network / "models--google-bert--bert-base-cased"
    shutil.copytree(tiny_masked_folder, repository / "snapshots" / ("0" * 40))
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0" * 40)
    cached = load_masked_model("bert-base-cased", device="cpu")
    assert (cached.name, cached.fingerprint) == ("bert-base-cased", masked_model.fingerprint)
    assert cached.perplexity("sea rain") == masked_model.perplexity("sea rain")


def test_an_empty_name_is_refused():
    with pytest.raises(UnknownNameError, match="unknown masked model ''; choose one of: bert-base-cased"):
        load_masked_model("")
