"""What goes out of a comparison: JSON, CSV."""

from tted_core.report.data import (
    FORMULA_STARTS,
    comparison_json,
    map_json,
    script_csv,
    spreadsheet_cell,
    text_of_cell,
)

__all__ = [
    "FORMULA_STARTS",
    "comparison_json",
    "map_json",
    "script_csv",
    "spreadsheet_cell",
    "text_of_cell",
]
