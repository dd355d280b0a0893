"""Tables are taken away by buttons of our own, whose CSV runs no formula."""

import tomllib

import pandas as pd
from helpers.paths import ROOT

from ui import exports

OTHERWISE = {
    "ui/map_tools.py",
    *(f"ui/evaluate/{name}.py" for name in ("pairs", "ranking", "results")),
    "ui/annotate/team.py",
}
"""Here the map itself is saved, in any format; all rows of the results, not only those on screen; or nothing of a
team, whose links let people in."""


def test_every_table_has_buttons_of_our_own_and_no_other():
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


def test_what_is_missing_in_a_table_is_an_empty_cell_of_its_files(monkeypatch):
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
    assert "1 & -- & a" in files["LaTeX"]()
    assert "-- & 0.500 & --" in files["LaTeX"]()
