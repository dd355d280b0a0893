"""A missing extra is one sentence that names the command which installs it, wherever it is needed."""

import json
import re
import sys

import pytest
from helpers.command import refused
from helpers.encoders import hashed

from tted_core import TextTree, compare, load_encoder
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.masked_model import load_masked_model
from tted_core.errors import MissingExtraError
from tted_core.figures.style import render_figure
from tted_core.learn.sheets import sheets_pdf
from tted_core.report.exports import write_export

TREE = TextTree(("Plants", "They drink"), (-1, 0))


@pytest.mark.parametrize(
    ("package", "use"),
    [
        ("torch", lambda: load_encoder("minilm", device="cuda")),
        ("torch", lambda: load_encoder("some/model-id")),
        ("torch", lambda: compare(TREE, TREE, encoder="labse")),
        ("torch", load_masked_model),
        ("bert_score", lambda: load_bertscorer("minilm")),
        ("bert_score", lambda: compare(TREE, TREE, distance="bertscore")),
        ("typst", lambda: write_export(compare(TREE, TREE, encoder=hashed).explain(), "png")),
        ("vl_convert", lambda: render_figure({}, "svg")),
        ("typst", lambda: sheets_pdf([0])),
    ],
)
def test_a_missing_extra_names_the_command(monkeypatch, package, use):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError) as caught:
        use()
    assert f"needs the package {package}" in str(caught.value)
    extra = "models" if package in {"torch", "bert_score"} else "app"
    assert str(caught.value).endswith(f'".[{extra}]" in a copy of the repository')


def test_on_the_command_line_it_is_bad_input(monkeypatch, tted, tmp_path):
    (tmp_path / "map.txt").write_text("Plants\n  They drink\n")
    both = [str(tmp_path / "map.txt")] * 2
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setitem(sys.modules, "streamlit", None)
    for command in (["compare", *both, "--report", str(tmp_path / "map.png")], ["app"]):
        refused(tted(*command), 'pip install ".[app]" in a copy of the repository\n')
    assert not (tmp_path / "map.png").exists()


def test_measures_of_two_texts_stand_without_an_encoder(monkeypatch, tted):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(sys.modules["tted_core.cli.shared"], "load_encoder", load_encoder)
    status, output, _ = tted("text", "a b", "a c", "--measures", "levenshtein,cosine", "--encoder", "labse")
    assert status == 0
    assert re.search(r"^levenshtein +distance 0\.", output, re.MULTILINE)
    assert re.search(r'^cosine +not computed: .*pip install .*"\.\[models\]"', output, re.MULTILINE)
    status, output, _ = tted("text", "a b", "a c", "--measures", "levenshtein", "--json")
    assert status == 0
    assert json.loads(output)["encoder"] is None
