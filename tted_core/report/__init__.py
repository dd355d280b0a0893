"""What goes out of a comparison: JSON, CSV."""

from tted_core.report.data import comparison_json, map_json, script_csv

__all__ = ["comparison_json", "map_json", "script_csv"]
