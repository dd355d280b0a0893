"""One palette: a status looks the same on every page, in every chart and in every file."""

from pathlib import Path

from tted_core.figures.systems import edit_bars
from tted_core.report.palette import STYLES

ROOT = Path(__file__).parents[2]
COLOURS = {colour for style in STYLES.values() for pair in (style.light, style.dark) for colour in pair}
SURFACES = {"#ffffff", "#0e1117"}  # the fills of what is the same: any surface may have them


def test_no_other_file_writes_the_colour_of_a_status():
    files = (each for top in ("tted_core", "ui", "pages") for each in (ROOT / top).rglob("*.*"))
    written = {
        (each.relative_to(ROOT).as_posix(), colour)
        for each in files
        if each.suffix in {".py", ".js", ".css", ".html", ".toml"} and each.name != "palette.py"
        for colour in COLOURS - SURFACES
        if colour in each.read_text(encoding="utf-8").lower()
    }
    assert not written


def test_the_chart_of_edits_has_the_colours_of_a_comparison():
    chart = edit_bars([{"system": "a", "kind": kind, "sentences": 1} for kind in STYLES])
    colours = chart["encoding"]["color"]["scale"]
    expected = {kind: style.light[1] for kind, style in STYLES.items()}
    assert dict(zip(colours["domain"], colours["range"], strict=True)) == expected
