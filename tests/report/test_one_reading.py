"""Page, command, JSON, report and notebook say the same of one pair, in words and in amounts."""

import html
import json
import re

import pytest
from helpers.encoders import hashed

from tted_core import compare, parse_map
from tted_core.explain.build import explain
from tted_core.matching.records import STATUSES
from tted_core.report.exports import describe
from tted_core.report.html_report import html_report
from tted_core.report.readings import read_script, read_sentences
from tted_core.report.wording import change_in_words, what_happened
from tted_core.script import GLYPHS
from ui.mapping.view import outline_rows

LEFT = """# App
- mobile
  - docs
    - partial includes
    - shared readme
  - tests
  - budget
- web
  - expo
  - bare
"""
RIGHT = """# App
- mobile
  - tests
  - budget: 40 euros per person and day
- web
  - expo or bare
  - docs
    - partial includes
    - shared readme
"""


def test_a_branch_that_moved_is_said_once_and_all_say_the_same(tted, tmp_path):
    files = []
    for name, text in (("left", LEFT), ("right", RIGHT)):
        files.append(str(tmp_path / f"{name}.md"))
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    found = explain(compare(*(parse_map(text, name="map.md") for text in (LEFT, RIGHT)), encoder=hashed))
    changes = [(change.kind, change.size) for change in found.changes]
    assert sorted(changes) == [("merged", 2), ("moved", 3), ("reworded", 1)]
    counts = found.matching.counts

    lines = tted("compare", *files, "--encoder", "hashed")[1].splitlines()
    signs = "".join(STATUSES.values())
    statements = [line for line in lines if re.match(rf"[{re.escape(signs)}] ", line)]
    assert sum(line[0] != STATUSES["same"] for line in statements) == 4  # two merged, one moved, one reworded
    (moved,) = (line for line in statements if line[0] == STATUSES["moved"])
    assert moved == "→ docs  [from under “mobile” to under “web”, with 2 nodes below it]"
    assert what_happened(found) in lines

    content = json.loads(json.dumps(describe(found)))["sentences"]
    assert content["counts"] == counts
    heads = [each for each in content["outcomes"] if each["status"] == "moved" and "with" not in each]
    assert [each["source"] for each in heads] == [2]
    assert {each["with"] for each in content["outcomes"] if "with" in each} == {2}

    rows = outline_rows(found, read_sentences(found), table=True)
    words = [change_in_words(change) for change in found.changes]
    assert [each["words"] for each in rows["changes"]] == words
    assert {kind: style["count"] for kind, style in rows["styles"].items()} == counts
    assert [op["kind"] for op in rows["ops"]] == [each["status"] for each in content["outcomes"]]

    report = html_report(found)
    assert all(each in report for each in words)
    assert what_happened(found) in report
    assert all((f" {kind} {count}</span>" in report) == bool(count) for kind, count in counts.items())
    script = found.comparison.script
    assert all(
        (f" {kind} {script.count(kind)}</span>" in report) == bool(script.count(kind)) for kind in GLYPHS
    )


@pytest.mark.parametrize("power", [1.0, 2.0])
@pytest.mark.parametrize("read", [read_script, read_sentences])
def test_page_report_and_notebook_show_the_same_amounts_that_add_up(read, power):
    result = compare(*(parse_map(text, name="map.md") for text in (LEFT, RIGHT)), encoder=hashed, power=power)
    found, whole = result.explain(), result.tted if power == 1 else 1.0
    rows = outline_rows(found, read(found))
    assert sum(op["cost"] for op in rows["ops"]) == pytest.approx(whole)
    page = {}
    for side in ("left", "right"):
        for node in rows[side]["nodes"]:
            page.setdefault(node["op"], (f"{side[0]}{node['node']}", rows["ops"][node["op"]]["amount"]))
    framed = html.unescape(re.search(r'srcdoc="([^"]*)"', result._repr_html_())[1])
    for file in (html_report(found), framed):
        part = file[file.index(f'<section class="{rows["reading"]}" aria-label') :].partition("</section>")[0]
        shown = {}
        for row in part.split("<tr>\n")[1:]:
            end = re.search(r' id="s?([lr]\d+)"', row)[1]
            shown[end] = re.search(r'<td class="m .*?</span>([^<]*)<', row)[1].replace("!", "").strip()
        assert {end: shown[end] for end, _ in page.values()} == dict(page.values())
