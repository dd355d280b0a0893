"""Tables are downloaded by the program's own buttons, whose CSV has no formulas."""

import pandas as pd

from ui import exports


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
