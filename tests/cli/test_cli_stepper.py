"""tted stepper: a page of its own, by the command."""

import json
import re

import pytest

from tted_core.learn.stepper import ORDERS


@pytest.fixture
def maps(tmp_path):
    files = tmp_path / "left.md", tmp_path / "right.md"
    files[0].write_text("- a\n  - b</script>\n    - c\n    - d\n  - e\n", encoding="utf-8")
    files[1].write_text("- a\n  - e\n  - d\n  - c\n", encoding="utf-8")
    return [str(file) for file in files]


@pytest.mark.parametrize("order", ORDERS)
def test_the_page_holds_all_it_needs(order, tted, maps, tmp_path):
    page = tmp_path / "lecture.html"
    status, out, err = tted("stepper", *maps, "--out", str(page), "--order", order)
    assert (status, err) == (0, "")
    assert re.fullmatch(rf"{order}: \d+, in \d+ steps: .*lecture.html\n", out)
    content = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in content
    assert "src=" not in content
    assert "@import" not in content
    assert not set(re.findall(r"https?://[^\"'\s]+", content)) - {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
    }
    assert content.count("</script>") == 2  # a text of a map ends none
    data = json.loads(re.search(r'id="run">(.*?)</script>', content, re.DOTALL)[1])
    assert "b</script>" in data["sides"][0]["labels"]
    assert data["steps"]


def test_costs_of_an_encoder(tted, maps, tmp_path):
    page = tmp_path / "lecture.html"
    status, out, _ = tted("stepper", *maps, "--out", str(page), "--costs", "distances")
    assert status == 0
    assert re.match(r"ordered: \d+\.\d{3}, in", out)
    assert "Costs are cosine distances of " in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda maps, page: [*maps], "the following arguments are required: --out"),
        (lambda maps, page: [*maps, "--out", maps[0]], "is read and would be written over"),
        (lambda maps, page: [*maps, "--out", str(page / "none" / "x.html")], "can't be written"),
        (lambda maps, page: [maps[0], str(page / "gone"), "--out", str(page / "x.html")], "gone"),
    ],
)
def test_what_goes_wrong_is_one_sentence(change, message, tted, maps, tmp_path):
    status, out, err = tted("stepper", *change(maps, tmp_path))
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


def test_too_large_a_map_is_refused(tted, maps, tmp_path):
    large = tmp_path / "large.md"
    large.write_text("- a\n" + "  - b\n" * 12, encoding="utf-8")
    status, _, err = tted("stepper", str(large), maps[1], "--out", str(tmp_path / "x.html"))
    assert status == 2
    assert "13 nodes in the left map" in err
    assert not (tmp_path / "x.html").exists()
