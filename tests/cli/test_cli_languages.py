"""Every command that scores by an encoder says so where it wasn't trained on the maps' language."""

import json
import shutil

import pytest
from helpers.encoders import sentence_encoder
from helpers.trees import SAMPLES

from tted_core.cli import shared

NOTICE = (
    "the texts are in German, and the encoder minilm was trained on English only, so results are unreliable; "
    "choose use-multilingual"
)


@pytest.fixture
def english_only(monkeypatch):
    def load(name, **_options):
        return sentence_encoder(name=name, english_only=True)

    monkeypatch.setattr(shared, "load_encoder", load)


def commands(folder, topic):
    left, right = (str(SAMPLES / topic / f"{name}.json") for name in ("base", "paraphrase_1"))
    shutil.copytree(SAMPLES / topic, folder / "samples" / topic)
    for name in ("one", "two"):
        (folder / "maps" / name).mkdir(parents=True)
    for name in ("base", "paraphrase_1"):
        shutil.copy(SAMPLES / topic / f"{name}.json", folder / "maps" / "one")
        shutil.copy(SAMPLES / topic / f"{name}.json", folder / "maps" / "two")
    samples, maps = str(folder / "samples"), str(folder / "maps")
    return {
        "compare": ("compare", left, right),
        "corpus": ("corpus", left, right, "--masked-model=none", "--language=none"),
        "quality": ("quality", samples),
        "annotators": ("annotators", maps),
    }


@pytest.mark.parametrize("command", ["compare", "corpus", "quality", "annotators"])
@pytest.mark.parametrize("topic", ["buchdruck", "bread"])
def test_german_maps_have_a_notice_and_english_ones_have_none(tted, english_only, tmp_path, command, topic):
    shutil.rmtree(tmp_path / "samples", ignore_errors=True)
    status, out, err = tted(*commands(tmp_path, topic)[command], "--json")
    assert status == 0
    found = [line.partition(": ")[2] for line in err.splitlines() if "trained on English only" in line]
    assert found == ([NOTICE] if topic == "buchdruck" else [])
    notices = json.loads(out).get("notices")
    if notices is not None:
        assert [each for each in notices if "trained on" in each] == found
