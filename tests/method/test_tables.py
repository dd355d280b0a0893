"""Tables in files: what is written, and what is said of a table that can't be read."""

import csv
import io
import math

import pyarrow as pa
import pytest
from pyarrow import parquet

from tted_core.errors import MapFormatError
from tted_core.foundations.tables import (
    csv_text,
    delimiter_of,
    latex_table,
    read_rows,
    text_bytes,
    write_csv,
    write_parquet,
)


def test_values_are_written_so_that_they_can_be_read_again():
    rows = [("=1+1", 0.1 + 0.2, None, True), ("a\nb", -5, math.nan, False)]
    text = csv_text(("name", "x", "y", "-flag"), rows)
    assert text == "name,x,y,'-flag\n'=1+1,0.30000000000000004,,true\n\"a\nb\",-5,,false\n"
    assert next(csv.reader(io.StringIO(text))) == ["name", "x", "y", "'-flag"]
    assert text_bytes("ä\ud800") == b"\xc3\xa4\\ud800"
    assert text_bytes("ä", excel=True) == b"\xef\xbb\xbf\xc3\xa4"


@pytest.mark.parametrize("source", ["text", "file"])
def test_rows_are_read_with_the_line_that_they_end_in(source, tmp_path):
    text = 'a, b\n\n"x\ny", z \n , \n'
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8", newline="")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(read_rows(text if source == "text" else opened, ",", first_line=11))
    assert rows == [(11, ["a", "b"]), (14, ["x\ny", "z"])]
    assert list(read_rows(" a, b", ",", exact=True)) == [(1, [" a", " b"])]


def test_a_table_with_a_wrong_quote_names_the_line():
    with pytest.raises(MapFormatError, match=r"^line 2: p\.csv can\'t be read .*check the quotes"):
        list(read_rows('a,b\n"x"y,z\n', ",", name="p.csv"))


@pytest.mark.parametrize(
    ("text", "expected"), [("a;b;c,d", ";"), ("\n\na\tb", "\t"), ("one column", ","), ("a,b;c", ",")]
)
def test_the_delimiter_is_the_most_frequent_of_the_first_filled_line(text, expected):
    assert delimiter_of(text) == expected


def test_a_latex_table_with_comments_that_stay_comments():
    table = latex_table("lr", ("a", "b"), [("c", "d")], comments=("one\ntwo",))
    assert table.splitlines() == [
        "% one two",
        r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}.",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"c & d \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_arrow_tables_become_one_csv_and_one_parquet_file(tmp_path):
    parts = [pa.table({"id": ["=a", "b"], "x;=": [0.1, None], "proven": [True, False]}) for _ in range(2)]
    write_csv(parts, tmp_path / "all.csv")
    rows = "'=a,0.1,true\nb,,false\n"
    assert (tmp_path / "all.csv").read_text(encoding="utf-8") == f"id,x;'=,proven\n{rows}{rows}"
    write_csv(parts, tmp_path / "excel.csv", excel=True)
    assert (tmp_path / "excel.csv").read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "all.csv").read_bytes()
    write_parquet(parts, tmp_path / "all.parquet")
    assert parquet.read_table(tmp_path / "all.parquet").to_pylist() == [*parts[0].to_pylist()] * 2
