"""Tables are downloaded by the program's own buttons, whose CSV has no formulas."""

import tomllib

import pandas as pd
from helpers.paths import ROOT

from ui import exports

OTHERWISE = {
    "ui/map_card.py",
    *(f"ui/evaluate/{name}.py" for name in ("pairs", "ranking", "results")),
}
"""Modules that save the map itself, or all rows of the results and not only those on screen."""


def test_every_table_has_download_buttons():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["client"]["disableDataExport"] is True
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in (ROOT / "ui").rglob("*.py")
    }
    tables = {name for name, text in texts.items() if "st.dataframe(" in text}
    assert tables
    saved = ("    table_exports(", "    data_table(")
    assert tables - OTHERWISE <= {name for name, text in texts.items() if any(each in text for each in saved)}


def test_missing_values_are_empty_cells_in_downloads(monkeypatch):
    files = {}
    monkeypatch.setattr(
        exports.st, "download_button", lambda label, make, **_options: files.update({label: make})
    )
    table = pd.DataFrame(
        {
            "count": pd.array([1, None], dtype="Int64"),
            "share": [float("nan"), 0.5],
            "said": pd.array(["a", None], dtype="string"),
        }
    )
    exports.table_exports(table, "table")
    assert files["CSV"]() == "count,share,said\n1,,a\n,0.5,\n"
