"""``benchmarks.docs``: which command made a table at which commit, and which of its cells are stale."""

import pytest
from helpers.paths import ROOT

from benchmarks import docs

TABLES = [table for file in sorted((ROOT / "docs").glob("*.md")) for table in docs.tables(file)]


def test_what_is_recomputed_is_there():
    assert {table.name for table in TABLES if table.made} >= docs.CHECKS.keys()
    assert len([table for table in TABLES if table.made]) > 20
    for file, heads in docs.DEFINITIONS.items():
        assert set(heads) <= {table.name[1] for table in TABLES if table.file == file}


@pytest.mark.parametrize(
    ("cell", "now", "alike"),
    [
        (".63", ".64", True),
        (".63", ".65", False),
        ("0.74 ± 0.17", "0.74 ± 0.18", True),
        ("0.74 ± 0.17", "0.74", False),
        ("1 of 9,212", "1 of 9,213", True),
        ("1 of 9,212", "3 of 9,212", False),
        ("98.2 %", "98.3 %", True),
        ("**.890**", ".89", True),
    ],
)
def test_a_cell_comes_out_but_for_its_last_digit(cell, now, alike):
    assert docs.same(cell, now) == alike


def test_stale_cells_and_rows_that_are_gone_are_named(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "| by | 1 |\n| --- | ---: |\n| *one*, *off* | .63 |\n| `two` | .5 |\n\nMade by `x y` at `0123abc`, 3 s.\n",
        encoding="utf-8",
    )
    (table,) = docs.tables(page)
    assert table.made == ("x y", "0123abc", "3 s")
    assert docs.stale(table, {"one": {"1": ".63"}, "two": {"1": ".5"}}) == []
    told = docs.stale(table, {"one": {"1": ".73"}, "three": {"1": "1"}})
    assert told == ["one, 1: .63 is .73", "three: there is no such row"]


def test_a_table_that_is_quick_comes_out():
    (table,) = (table for table in TABLES if table.name == ("annotation.md", "check | finds"))
    assert docs.stale(table, docs.of_use("")) == []
