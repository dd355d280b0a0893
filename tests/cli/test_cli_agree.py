"""tted agree: measures against people's scores, of maps or of columns."""

import json

import pytest
from helpers.trees import SAMPLES

KINDS = {"paraphrase_1": 5, "structure_1": 3, "meaning_1": 1}
TOPICS = ("bread", "baikal", "photosynthesis", "urban-heat")


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "judged.csv"
    rows = [
        f"{SAMPLES}/{topic}/base.json,{SAMPLES}/{topic}/{kind}.json,{topic},{kind},{score},{6 - score + column}"
        for column, topic in enumerate(TOPICS)
        for kind, score in KINDS.items()
    ]
    file.write_text("\n".join(["left,right,item,system,score,ter", *rows]), encoding="utf-8")
    return file


@pytest.mark.thorough
def test_maps_and_columns_together(tted, table, tmp_path):
    out = tmp_path / "agreement.csv"
    arguments = (str(table), "--baselines", "rouge_bag", "--lower-is-better", "ter")
    status, output, _ = tted("agree", *arguments, "--csv", str(out))
    assert status == 0
    assert "12 judged maps" in output
    plain = out.read_bytes()
    assert plain.startswith(b"coefficient,measure,n,value")
    assert tted("agree", *arguments, "--csv", str(out), "--excel")[0] == 0
    assert out.read_bytes() == b"\xef\xbb\xbf" + plain
    content = json.loads(tted("agree", *arguments, "--json")[1])
    names = {row["measure"] for row in content["agreements"]}
    assert names == {"TTED constrained", "rouge_bag", "ter"}
    found = {(row["coefficient"], row["measure"]): row for row in content["agreements"]}
    assert 0.5 < found["spearman", "ter"]["value"] < 1
    assert len(content["tests"]) == 9
    assert content["lower_is_better"] == ["TTED constrained", "rouge_bag", "ter"]


def test_columns_alone(tted, table):
    status, output, _ = tted("agree", str(table), "--columns-only", "--json")
    content = json.loads(output)
    assert status == 0
    assert {row["measure"] for row in content["agreements"]} == {"ter"}
    assert all(row["value"] < 0 for row in content["agreements"])


def test_maps_of_a_collection(tted, tmp_path):
    rows = [f"base.json,{kind}.json,{score}" for kind, score in KINDS.items()]
    file = tmp_path / "judged.csv"
    file.write_text("\n".join(["left,right,score", *rows]), encoding="utf-8")
    assert tted("agree", str(file), "--maps", str(SAMPLES / "periodic-table"))[0] == 0


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("item,system,score\na,b,1", (), "has no measures"),
        ("left,right,score\na.json,b.json,1", (), "a.json"),
        ("left,right,score,m\na,b,1,2", ("--maps", "{samples}/bread"), "there is no map 'a' in"),
        (
            "item,system,score,m\na,b,1,2",
            ("--lower-is-better", "k"),
            "--lower-is-better names 'k'; choose of m, score",
        ),
        (
            "item,system,m\na,b,1",
            (),
            "the table needs left and right (or pair, or item and system), and score",
        ),
        ("item,system,score,m\na,b,1,2", ("--seed", "-3"), "argument --seed: '-3' is not a whole number"),
    ],
)
def test_what_cannot_be_held_against_people_is_one_sentence(tted, tmp_path, text, arguments, message):
    (tmp_path / "judged.csv").write_text(text, encoding="utf-8")
    given = (each.format(samples=SAMPLES) for each in arguments)
    status, output, err = tted("agree", str(tmp_path / "judged.csv"), *given)
    assert (status, output) == (2, "")
    assert message in err.strip().split("\n")[-1]
