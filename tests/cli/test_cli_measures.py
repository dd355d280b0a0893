"""The command agree: measures held against people."""

import json

import pytest
from helpers.trees import SAMPLES

KINDS = {"paraphrase_1": 5, "structure_1": 3, "meaning_1": 1}

TOPICS = ("bread", "baikal", "photosynthesis", "urban-heat")


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "judged.csv"
    rows = [
        f"{SAMPLES}/{topic}/base.json,{SAMPLES}/{topic}/{kind}.json,{topic},{human},{human + column}"
        for column, topic in enumerate(TOPICS)
        for kind, human in KINDS.items()
    ]
    file.write_text("\n".join(["left,right,group,human,chrf", *rows]), encoding="utf-8")
    return file


@pytest.mark.thorough
def test_measures_of_maps_and_columns_beside_controls(tted, table, tmp_path):
    out = tmp_path / "agreement.csv"
    arguments = (str(table), "--preset", "published,similarity")
    status, output, err = tted("agree", *arguments, "--csv", str(out))
    assert status == 0, err
    assert "12 pairs, 4 clusters; mean of Kendall's tau-b in 4 groups." in output
    assert "best control without structure" in output
    plain = out.read_bytes()
    assert plain.startswith(b"measure,agreement,low,high,difference")
    assert tted("agree", *arguments, "--csv", str(out), "--excel")[0] == 0
    assert out.read_bytes() == b"\xef\xbb\xbf" + plain
    content = json.loads(tted("agree", *arguments, "--json")[1])
    found = {row["measure"]: row["value"] for row in content["agreements"]}
    assert {"TTED published", "TTED similarity", "text_beginning", "best_match", "rouge_sim", "chrf"} <= set(
        found
    )
    assert found["chrf"] == 1
    assert (content["pairs"], content["groups"], content["left_out"]) == (12, 4, [])


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("left,right,human\na.json,b.json,1", (), "a.json"),
        ("left,right,human\njudged.csv,a,1", (), "judged.csv: line 1: "),
        ("left,right,m\na,b,1", (), "the table needs left, right and human"),
        ("left,right,human\na,b,1", ("--seed", "-3"), "argument --seed: '-3' is not a whole number"),
        ("left,right,human\na,b,1", ("--preset", "best"), "unknown preset 'best'"),
    ],
)
def test_what_cannot_be_held_against_people_is_one_sentence(tted, tmp_path, text, arguments, message):
    (tmp_path / "judged.csv").write_text(text, encoding="utf-8")
    given = (each.format(samples=SAMPLES) for each in arguments)
    status, output, err = tted("agree", str(tmp_path / "judged.csv"), *given)
    assert (status, output) == (2, "")
    assert message in err.strip().split("\n")[-1]
