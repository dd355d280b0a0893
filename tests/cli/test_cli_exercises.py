"""tted exercises: banks and sheets, by the command."""

import pytest
from helpers.command import refused


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
