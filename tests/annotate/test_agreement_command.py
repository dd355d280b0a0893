"""The command agreement: what it prints and dumps, and how it reads what annotators wrote."""

import json


def test_the_command_prints_and_dumps(tted, tmp_path):
    for document in ("tides", "tables"):
        for annotator in ("anna", "ben"):
            file = tmp_path / document / f"{annotator}.txt"
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"{document}\n  one\n  {annotator}\n", encoding="utf-8")
    (tmp_path / "tides" / "broken.json").write_text('{"a": ', encoding="utf-8")
    status, out, err = tted("annotators", str(tmp_path))
    assert status == 0
    assert "Krippendorff's alpha" in out
    assert "medoid: anna, ben" in out
    assert "tides/broken.json: can't be read: line 1" in err
    err_of_all = err
    content = json.loads(tted("annotators", str(tmp_path), "--json")[1])
    assert [each["name"] for each in content["documents"]] == ["tables", "tides"]
    assert content["alpha"]["documents"] == 2
    assert (content["options"]["gap"], content["options"]["power"]) == (0.0, 1.0)
    assert content["signature"].startswith("ALPHA|score:normalized|of:plain|seed:0|")
    assert "|gap:=0.8|p:8|" in tted("annotators", str(tmp_path), "--preset", "proofreading")[1]
    status, out, _ = tted("annotators", str(tmp_path / "tides"))
    assert "alpha is undefined" in out
    assert json.loads(tted("annotators", str(tmp_path / "tides"), "--json")[1])["alpha"]["value"] is None
    assert tted("annotators", str(tmp_path / "none"))[0] == 2
    assert "annotators: anna, ben" in err_of_all
    assert "annotators: tables, tides" in tted("annotators", str(tmp_path), "--swap")[2]
