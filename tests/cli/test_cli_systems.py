"""tted systems: from folders of maps, or a table of scores, to everything that a paper needs."""

import json
import shutil

import pytest
from helpers.trees import SAMPLES

from tted_core.arithmetic import NORMALISATIONS
from tted_core.matching.records import STATUSES

TOPICS = ("bread", "baikal", "photosynthesis", "urban-heat")


@pytest.fixture
def folders(tmp_path):
    """References and three systems, made of the variants of samples."""
    for kind in ("base", "paraphrase_1", "structure_1", "meaning_1"):
        (tmp_path / kind).mkdir()
        for topic in TOPICS:
            shutil.copy(SAMPLES / topic / f"{kind}.json", tmp_path / kind / f"{topic}.json")
    return tmp_path


def test_from_maps_to_a_table_and_files(tted, folders):
    names = ("csv", "pairs-csv", "items", "latex")
    files = {name: folders / f"{name}.txt" for name in names} | {
        "means": folders / "m.svg",
    }
    written = [word for name in names for word in (f"--{name}", str(files[name]))]
    written += ["--figure", str(files["means"])]
    status, output, err = tted(
        "systems",
        str(folders / "base"),
        f"words={folders / 'paraphrase_1'}",
        str(folders / "structure_1"),
        "--baselines",
        "rouge_bag",
        "--pairs",
        "--differences",
        *written,
    )
    assert status == 0
    assert "normalized ↓" in output
    assert "words - structure_1" in output
    assert " differ most on: " in output
    assert "the sentences by status" in output
    assert "with 4 documents bootstrap intervals are too narrow" in err
    assert all(file.stat().st_size > 100 for file in files.values())
    status, again, _ = tted("systems", "--scores", str(files["items"]), "--json")
    assert status == 0
    rows = {(row["system"], row["measure"]): row for row in json.loads(again)["systems"]}
    assert f"{rows['words', 'normalized']['mean']:.3f}" in output
    assert "preset published, minilm, cosine, constrained" in files["latex"].read_text(encoding="utf-8")


def test_one_json_object(tted, folders):
    systems = [str(folders / kind) for kind in ("paraphrase_1", "meaning_1")]
    status, output, _ = tted("systems", str(folders / "base"), *systems, "--json", "--against", "meaning_1")
    content = json.loads(output)
    assert status == 0
    assert {pair["b"] for pair in content["pairs"]} == {"meaning_1"}
    assert {row["measure"] for row in content["systems"]} == {
        *({"tted", *NORMALISATIONS} - {"steinhaus"}),
        *("coverage", "support"),
    }
    found = content["operations"]["meaning_1"]
    assert found["missing"]["count"] > 0
    assert found["replace"]["cost"] > 0
    assert not any("cost" in found[status] for status in STATUSES), "a cost is an operation's"
    assert "|refs:1|missing:drop|docs:4|TTED|" in content["signature"]


def test_several_references_and_missing_documents(tted, folders):
    (folders / "meaning_1" / "baikal.json").unlink()
    arguments = (str(folders / "base"), str(folders / "meaning_1"), "--refs", str(folders / "paraphrase_1"))
    how = ("--over", "mean", "--missing", "empty", "--controls", "none", "--json")
    status, output, err = tted("systems", *arguments, *how)
    assert status == 0
    assert "1 document of meaning_1 counted as the empty map: baikal (no map of this name)" in err
    assert "refs:2,mean|missing:empty" in json.loads(output)["signature"]
    assert not any(row["control"] for row in json.loads(output)["systems"])


def test_a_table_of_scores(tted, tmp_path):
    table = tmp_path / "scores.csv"
    rows = [
        f"d{number},{system},{number + better * 2}"
        for number in range(6)
        for better, system in enumerate("ab")
    ]
    table.write_text("\n".join(["item,system,ter", *rows]), encoding="utf-8")
    status, output, _ = tted("systems", "--scores", str(table), "--lower-is-better", "ter", "--json")
    (pair,) = json.loads(output)["pairs"]
    assert status == 0
    assert (pair["a"], pair["difference"], pair["wins"], pair["p_randomization"]) == ("a", -2, 6, 2 / 64)
    status, output, err = tted("systems", "--scores", str(table))
    assert "higher ter is taken as better" in err
    assert "ter ↑" in output


def test_the_results_of_a_batch(tted, folders):
    rows = [
        f"{topic},{folders}/base/{topic}.json,{folders}/{kind}/{topic}.json,{kind}"
        for topic in TOPICS
        for kind in ("paraphrase_1", "meaning_1")
    ]
    (folders / "pairs.csv").write_text("\n".join(["id,left,right,system", *rows]), encoding="utf-8")
    out = folders / "out"
    arguments = (
        "--out",
        str(out),
        "--workers",
        "1",
        "--csv",
        str(folders / "rows.csv"),
        "--baselines",
        "rouge_bag",
    )
    assert tted("batch", str(folders / "pairs.csv"), *arguments)[0] == 0
    found = [
        json.loads(tted("systems", "--scores", str(path), "--json")[1])
        for path in (out, folders / "rows.csv")
    ]
    assert found[0] == found[1]
    direct = ("systems", str(folders / "base"), str(folders / "paraphrase_1"), str(folders / "meaning_1"))
    means = [
        {(row["system"], row["measure"]): row["mean"] for row in each["systems"]}
        for each in (found[0], json.loads(tted(*direct, "--json")[1]))
    ]
    for key in (("paraphrase_1", "normalized"), ("meaning_1", "tted")):
        assert means[0][key] == pytest.approx(means[1][key], rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name references and at least one system, or a table with --scores"),
        (("{base}",), "name references and at least one system"),
        (("{base}", "{base}", "x={none}"), "can't be read"),
        (("{base}", "a={base}", "a={base}"), "two systems are called a"),
        (("{base}", "{base}", "--measures", "ter"), "unknown measure 'ter'"),
        (("{base}", "--scores", "x.csv"), "--scores replaces references"),
        (("--scores", "{none}"), "can't be read"),
        (("--scores", "x.csv", "--missing", "empty"), "--missing empty needs maps"),
        (("--scores", "x.csv", "--figure", "{none}/d.svg"), "can't be written"),
        (("--scores", "x.csv", "--by-depth"), "scores alone have no levels"),
        (("{base}", "{base}", "--figure", "means.doc"), "unknown ending of a picture's file 'doc'"),
        (("{base}", "{base}", "--against", "b"), "unknown system 'b'; choose one of: base"),
        (("{base}", "{base}", "--resamples", "98"), "'98' is not a whole number from 99 to 100000"),
        (("{base}", "{base}", "--resamples", "100000000000"), "from 99 to 100000"),
        (("{base}", __file__), "test_cli_systems.py is a single file; name a folder, a zip archive or"),
        (("{base}", "{base}", "--seed", "-1"), "argument --seed: '-1' is not a whole number from 0 on"),
    ],
)
def test_systems_that_cannot_be_compared_get_one_sentence(tted, folders, arguments, message):
    paths = {"base": folders / "base", "none": folders / "none"}
    status, output, err = tted("systems", *(each.format(**paths) for each in arguments))
    last = err.strip().split("\n")[-1]
    assert (status, output) == (2, "")
    assert last.startswith("error: ")
    assert message in last
    assert "Comparing" not in err


def test_the_records_of_a_program_are_systems_by_the_field_that_is_named(tted, folders):
    rows = [
        {
            "article": topic,
            "answer": {"text": json.loads((folders / "structure_1" / f"{topic}.json").read_text())},
        }
        for topic in TOPICS
    ]
    (folders / "ours.json").write_text(json.dumps(rows), encoding="utf-8")
    (folders / "lines.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    systems = [str(folders / name) for name in ("structure_1", "ours.json", "lines.jsonl")]
    arguments = ("systems", str(folders / "base"), *systems, "--controls", "none", "--json")
    status, out, err = tted(*arguments, "--field", "answer.text", "--id", "article")
    assert status == 0, err
    rows = {(row["system"], row["measure"]): row["mean"] for row in json.loads(out)["systems"]}
    assert {rows[name, "tted"] for name in ("structure_1", "ours", "lines")} == {rows["ours", "tted"]}
    status, _, err = tted(*arguments, "--field", "answer.text", "--id", "name")
    assert status == 2
    assert "the record has no id; name its key with --id: article, answer" in err
