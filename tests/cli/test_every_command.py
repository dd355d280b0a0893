"""Every command explains itself and reports unknown languages; saved comparisons, and banks of exercises."""

import json
import shutil

import pytest
from helpers.command import refused
from helpers.encoders import sentence_encoder
from helpers.trees import SAMPLES

from tted_core.cli import SUMMARIES, shared

CORAL = SAMPLES / "coral-reefs"

BASE, DEMO = str(CORAL / "base.json"), str(CORAL / "demo.json")


def as_json(tted, *arguments):
    status, out, _ = tted(*arguments, "--json")
    assert status == 0
    return json.loads(out)


def test_replay_a_saved_comparison(tted, tmp_path):
    file = tmp_path / "coral.json"
    file.write_text(json.dumps(as_json(tted, "compare", BASE, DEMO)), encoding="utf-8")
    saved = tmp_path / "replay.json"
    assert tted("compare", BASE, DEMO, "--replay", str(saved))[0] == 0
    status, out, _ = tted("replay", str(saved))
    assert (status, "Same result as in the file" in out, "confirmed by edist" in out) == (0, True, True)


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_explains_itself(tted, name):
    status, out, _ = tted(name, "--help")
    assert (status, out.startswith(f"usage: tted {name}")) == (0, True)


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
        "quality": ("quality", samples),
        "annotators": ("annotators", maps),
    }


@pytest.mark.parametrize("command", ["compare", "quality", "annotators"])
@pytest.mark.parametrize("topic", ["buchdruck", "bread"])
def test_german_maps_have_a_notice_and_english_ones_have_none(tted, english_only, tmp_path, command, topic):
    shutil.rmtree(tmp_path / "samples", ignore_errors=True)
    status, out, err = tted(*commands(tmp_path, topic)[command], "--json")
    assert status == 0
    found = [line.partition(": ")[2] for line in err.splitlines() if "trained on English only" in line]
    counted = "4 maps: " if command == "annotators" else ""
    assert found == ([counted + NOTICE] if topic == "buchdruck" else [])
    notices = json.loads(out).get("notices")
    if notices is not None:
        assert [each for each in notices if "trained on" in each] == found


@pytest.mark.parametrize(("name", "begins"), [("bank.gift", b"$CATEGORY: TTED/"), ("bank.txt", b"$CATEGORY")])
def test_a_seed_gives_the_same_bank_to_everybody(name, begins, tted, tmp_path):
    files = [tmp_path / f"{number}-{name}" for number in range(2)]
    for file in files:
        status, out, err = tted(
            "exercises", "--out", str(file), "--seed", "7", "--variants", "2", "--kinds", "score,cost"
        )
        assert (status, err) == (0, "")
        assert out == f"2 variants of 2 exercises: {file}\n"
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().startswith(begins)


def test_sheets_and_solutions(tted, tmp_path):
    sheet, solutions = tmp_path / "sheet.pdf", tmp_path / "solutions.pdf"
    for file, more in ((sheet, []), (solutions, ["--solutions"])):
        status, _, _ = tted("exercises", "--out", str(file), "--variants", "1", "--kinds", "score", *more)
        assert status == 0
        assert file.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--out", "bank.xml"], "bank.xml ends in none of .gift, .txt, .pdf"),
        (["--out", "bank.gift", "--solutions"], "--solutions are for a PDF"),
        (["--out", "bank.gift", "--variants", "0"], "1 to 500 students"),
        (["--out", "bank.gift", "--kinds", "knitting"], "unknown kind of exercise 'knitting'"),
    ],
)
def test_what_goes_wrong_is_one_sentence(given, message, tted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused(tted("exercises", *given), message)
