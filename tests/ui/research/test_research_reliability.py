"""The tab Reliability: from an archive to the table of reliability."""

import io
import zipfile

import pytest
from helpers.evaluate_page import click, shown
from helpers.paths import ROOT
from helpers.trees import SAMPLES
from streamlit.testing.v1 import AppTest

KINDS = {"references": "base", "words": "paraphrase_1", "shape": "structure_2"}


@pytest.mark.thorough
@pytest.mark.usefixtures("hashed_models")
def test_the_reliability_of_uploaded_systems():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for folder, kind in KINDS.items():
            for topic in ("baikal", "bread", "coral-reefs"):
                archive.writestr(f"{folder}/{topic}.json", (SAMPLES / topic / f"{kind}.json").read_bytes())
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.switch_page("pages/Research.py")
    app.query_params["tab"] = "reliability"
    app.run()
    files = [("maps.zip", out.getvalue(), "application/zip")]
    app.file_uploader(key="reliability-upload").set_value(files).run()
    assert "3 references in references, 2 systems" in shown(app)
    app = click(app, "Run")
    assert not app.exception
    assert not app.error
    (table,) = (each.value for each in app.dataframe if "pairs told apart" in each.value.columns)
    assert set(table["documents"]) == {3}
    assert table["setting"].nunique() == 6
    assert "gap 0, power 1 (published)" in set(table["setting"])
