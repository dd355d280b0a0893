"""Reports and pictures: all of the result is in them, and nothing that a text could do."""

import html
import json
import re
import shutil
import subprocess
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from helpers.command import LEFT, RIGHT
from helpers.encoders import hashed
from helpers.markup import Reader
from helpers.payloads import ENCODABLE, HOSTILE
from helpers.trees import tree_of

from tted_core import MindMap, TextTree, compare
from tted_core.errors import OptionsError, UnknownNameError
from tted_core.foundations.output import printable
from tted_core.foundations.tables import latex_escaped
from tted_core.report.exports import EXPORTS, latex_row, write_export
from tted_core.report.html_report import html_report
from tted_core.report.outline_picture import PAGE_HEIGHT, choose_families, note_missing, outline_picture
from tted_core.report.palette import STYLES
from tted_core.report.readings import read_script, read_sentences

SVG = "{http://www.w3.org/2000/svg}"
LEGIT = {"svg", "title", "desc", "path", "g", "defs", "symbol", "use", "clipPath"}


def hostile_pair():
    """Both maps' names and all texts are hostile; some are matched, some replaced, deleted, inserted."""
    left = TextTree(ENCODABLE, (-1, *[0] * (len(ENCODABLE) - 1)))
    texts = (*ENCODABLE[:-4], "new", *(f"{text}!" for text in ENCODABLE))
    right = TextTree(texts, (-1, *[0] * (len(texts) - 1)))
    name = HOSTILE["script"]
    maps = (MindMap(tree, "tree", notices=(HOSTILE["image"],), name=name) for tree in (left, right))
    return compare(*maps, encoder=hashed, baselines=["rouge_sim"])


@pytest.fixture(scope="module")
def hostile():
    return hostile_pair()


@pytest.fixture(scope="module")
def small():
    left, right = tree_of("r(a(b c) d)"), tree_of("r(d(x) e)")
    return compare(left, right, encoder=hashed, order="unordered", baselines=["rouge_sim"])


def test_the_picture_is_well_formed_and_refers_to_nothing_outside(hostile):
    root = ET.fromstring(outline_picture(hostile.explain()))
    attributes = [item for element in root.iter() for item in element.attrib.items()]
    assert {element.tag for element in root.iter()} <= {SVG + name for name in LEGIT}
    assert not [name for name, _ in attributes if name.startswith("on") or name == "style"]
    assert all(value.startswith("#") for name, value in attributes if "href" in name)
    assert HOSTILE["script"] in root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text


def test_a_picture_has_a_box_for_every_node_and_is_as_wide_as_columns_of_a_paper(small):
    nodes = Counter(node.status for row in small.explain().rows for node in row if node)
    for columns, millimetres in ((1, 86), (2, 178)):
        root = ET.fromstring(outline_picture(small.explain(), columns))
        assert float(root.get("width").removesuffix("pt")) == pytest.approx(millimetres * 72 / 25.4)
        fills = Counter(each.get("fill") for each in root.iter(f"{SVG}path"))
        for kind in nodes.keys() - {"same"}:  # same ones are white; one more is in the legend
            assert fills[STYLES[kind].light[0]] == nodes[kind] + 1
    with pytest.raises(OptionsError, match="1 or 2 text columns wide, not 3"):
        outline_picture(small.explain(), 3)


@pytest.mark.parametrize("order", [(-1, *[0] * 299), (-1, *range(299))])
def test_a_picture_of_a_large_map_fits_a_page(order):
    """Of 300 nodes beside each other, or of 300 levels."""
    for changed in (1, 200):
        maps = [
            TextTree(tuple(f"{word if n < changed else 'a'} sentence number {n}" for n in range(300)), order)
            for word in ("one", "another")
        ]
        root = ET.fromstring(outline_picture(compare(*maps, encoder=hashed).explain()))
        assert 50 < float(root.get("height").removesuffix("pt")) < PAGE_HEIGHT + 20


def test_characters_come_from_another_font_or_are_named(monkeypatch):
    import matplotlib as mpl
    import typst

    own = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[f"{mpl.get_data_path()}/fonts/ttf"],
    )
    monkeypatch.setattr("tted_core.report.outline_picture.installed_fonts", lambda: own)
    assert choose_families("Größe, Чай, شاي, ≤ →") == (["DejaVu Sans"], set())
    families, missing = choose_families("茶 and カ")
    assert (families, missing) == (["DejaVu Sans"], {"茶", "カ"})
    assert "2 characters (CJK, KATAKANA: U+30AB, U+8336). Install one" in note_missing(missing)


def test_the_report_shows_every_text_and_runs_none(hostile):
    content = html_report(hostile.explain(), replay='{"a": 1}')
    found = Reader(content)
    assert not found.elements & {"script", "img", "iframe", "object", "embed", "link", "base", "form"}
    for _, attributes in found.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith(("#", "data:application/json;base64,"))
        assert "src" not in attributes
    shown = "".join(found.words)
    for text in ENCODABLE:
        assert printable(text).strip() in shown, text
    assert html.escape(HOSTILE["script"]) in content
    assert "default-src 'none'" in content
    for _, attributes in found.tags:
        named = {name for name, value in attributes.items() if re.search(r"//|url\(", value or "")}
        assert named <= {"xmlns", "title", "aria-label"}
    for style in re.findall(r"<style>(.*?)</style>", content, re.DOTALL):
        assert not re.search(r"//|url\(|@import", style)


def test_the_report_has_all_rows_and_sums(small):
    content = html_report(small.explain())
    nodes = len(small.left.tree) + len(small.right.tree)
    assert len(set(re.findall(r' id="([lr]\d+)"', content))) == nodes
    assert len(set(re.findall(r' id="(s[lr]\d+)"', content))) == nodes
    for reading in (read_script(small.explain()), read_sentences(small.explain())):
        part = content[content.index('<h2 id="receipt">') :]
        part = part[part.index(f'<section class="{reading.name}">') :].partition("</section>")[0]
        kinds = re.findall(r'<tr><td class="(\w+)">', part)
        assert kinds == [line.kind for line, _ in reading.receipt if line.amount]
        assert f"<td>{small.tted:.4f}</td></tr></tfoot>" in part
    assert content.count(f"<b>Σ {small.tted:.4f}</b>") == 2
    assert small.signature in content
    assert '<html lang="en">' in content


def test_a_label_that_no_file_can_hold_is_replaced():
    tree = TextTree((HOSTILE["surrogate"], HOSTILE["control"]), (-1, 0))
    result = compare(tree, tree, encoder=lambda texts: [[1.0 + len(text), 1.0] for text in texts])
    for kind in EXPORTS:
        content = write_export(result.explain(), kind)
        if kind not in {"png", "pdf"}:
            content.decode("utf-8")
    assert "x�y" in html_report(result.explain())
    assert "a␀b␛[31mc␡d e�" in html_report(result.explain())
    assert json.loads(write_export(result.explain(), "json"))["left"]["labels"] == list(tree.labels)


def test_every_kind_begins_as_such_files_do(small):
    starts = {"html": b"\n", "svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF", "json": b"{", "tex": b"% "}
    for kind, start in starts.items():
        assert write_export(small.explain(), kind).lstrip(b"\n").startswith(start.strip(b"\n")), kind
    assert write_export(small.explain(), "csv").startswith(b"op,")
    assert write_export(small.explain(), "csv", excel=True) == b"\xef\xbb\xbf" + write_export(
        small.explain(), "csv"
    )
    assert write_export(small.explain(), "json", excel=True) == write_export(small.explain(), "json")
    with pytest.raises(UnknownNameError, match="html, svg, png"):
        write_export(small.explain(), "docx")


def test_a_latex_row_is_one_row_whatever_the_names(hostile):
    head, row, fonts, foot = latex_row(hostile.explain()).splitlines()
    assert head == "% left map & right map & nodes & TTED & norm. & Avg"
    assert foot.endswith(f": {hostile.signature}")
    assert foot.startswith("% ")
    assert row.endswith(r" \\")
    assert row.replace(r"\&", "").count("&") == head.replace(r"\&", "").count("&")
    assert f"{hostile.tted:.3f}" in row
    assert fonts.startswith("% Columns: @{}llrrrr@{}; needs ")


TEX = r"""\documentclass{article}
\usepackage{booktabs}
\usepackage%s
\begin{document}
\noindent
\begin{tabular}{@{}llrrrr@{}}
\toprule
left map & right map & nodes & TTED & norm. & Avg \\
\midrule
%s\bottomrule
\end{tabular}
\end{document}
"""


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_a_row_is_typeset_without_warnings(engine, tmp_path):
    """On a page of article, by a TeX that is installed: Latin-1 by pdfLaTeX, other scripts by XeLaTeX."""
    if not shutil.which(engine):
        pytest.skip(f"{engine} isn't installed")
    latin = "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100)))
    names = [latin[start : start + 24] for start in range(0, len(latin), 24)] + [
        "a\\b~c^d_e#f%g&h{i}$j<k>|l",
        "W" * 40,
        "Coral reefs, by a model with three examples",
    ]
    if engine == "xelatex":
        names += ["Кораллы и 100 % воды", "三、好处_健康", "שלום #1", "😀 \x00"]
    fonts = {"pdflatex": "[T1]{fontenc}", "xelatex": "{fontspec}"}[engine]
    rows = []
    for name in names:
        maps = [MindMap(tree_of(tree), "tree", name=name) for tree in ("r(a b)", "r(a c)")]
        row = latex_row(compare(*maps, encoder=hashed).explain())
        assert ("fontspec" in row) == any(ord(sign) > 0xFF for sign in name)
        rows.append(row)
    source = TEX % (fonts, "".join(rows))
    (tmp_path / "row.tex").write_text(source, encoding="utf-8")
    done = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "row.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=120,
    )
    log = (tmp_path / "row.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    found = re.findall(r".*(?:Warning|Underfull|Overfull).*", log)
    assert not [line for line in found if "infwarerr" not in line]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b & 100%", r"a\_b \& 100\%"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("$x^2$ #1 ~", r"\$x\textasciicircum{}2\$ \#1 \textasciitilde{}"),
        ("a\nb\u202ec", "a bc"),
    ],
)
def test_latex_specials_are_escaped(text, expected):
    assert latex_escaped(text) == expected


def test_the_command_line_writes_reports_and_replays(tted, tmp_path):
    files = [tmp_path / f"r.{kind}" for kind in EXPORTS]
    arguments = [part for file in files for part in ("--report", str(file))]
    replay = tmp_path / "r.replay.json"
    status, out, _ = tted("compare", LEFT, RIGHT, "--depth", "2", *arguments, "--replay", str(replay))
    assert status == 0
    assert all(file.stat().st_size > 100 for file in files)
    status, again, _ = tted("replay", str(replay))
    assert status == 0
    assert out.splitlines()[-1].removesuffix("|eq:0.5") in again
    content = json.loads(replay.read_text())
    content["result"]["tted"] += 0.5
    replay.write_text(json.dumps(content))
    status, again, _ = tted("replay", str(replay))
    assert status == 1
    assert "The result differs from the file" in again
    assert "tted: " in again


def test_an_unknown_kind_of_report_is_refused_before_the_work(tted):
    status, out, err = tted("compare", LEFT, RIGHT, "--report", "r.docx")
    assert (status, out) == (2, "")
    assert err.startswith("error: unknown kind of report 'docx'; choose one of: html, svg")
