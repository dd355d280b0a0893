"""The NDD paper's tables on the Measures page: of sentences that the visitor brings, or of the small example."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.limits import MAX_BYTES
from tted_core.measures.ndd_tables import NDD_TABLES, Asked, PaperTable
from tted_core.monitor import Monitor
from ui import cache
from ui.errors import show_errors
from ui.exports import table_exports
from ui.fields import amount, choice
from ui.masked_models import masked_model_input
from ui.part import Part
from ui.running import watched_on_demand
from ui.text import markdown_escaped

MOST = 100
"""Sentences that the page takes; the command takes any number."""

ABOUT = """**What NDD is good for**, by the tables of its paper: how well it compresses sentences, what it prunes
of dependency trees, and which words it finds to be predicates. The paper's data sets are not ours to give;
bring a file, or see the numbers of two small sentences."""


@dataclass(frozen=True)
class Wanted:
    """The table, its sentences, the model and the settings."""

    name: str
    sentences: tuple[Any, ...]
    model: str
    asked: Asked


def ndd_tables() -> None:
    """Draw the part: which table, of what, and the table."""
    st.markdown(ABOUT)
    with show_errors():
        wanted = _wanted()
        found = watched_on_demand(
            "ndd-tables", wanted, partial(_made, wanted), label="Make the table", in_server=True
        )
        if found:
            _show(wanted.name, found)


TABLE = choice(
    "ndd-tables-name",
    "Table",
    list(NDD_TABLES),
    next(iter(NDD_TABLES)),
    format_func=lambda name: f"{NDD_TABLES[name].title} ({NDD_TABLES[name].paper})",
)
MOST_SENTENCES = amount(
    "ndd-tables-most", "Sentences, from the start of the file", (1, MOST, 1), default="20"
)


def _wanted() -> Wanted:
    left, right = st.columns(2)
    with left:
        name = TABLE.draw()
        table = NDD_TABLES[name]
        file = st.file_uploader(
            "Sentences; without a file, two examples",
            key=f"ndd-tables-{name}-file",
            max_upload_size=MAX_BYTES // 1_000_000,
            help=table.file,
        )
        st.caption(markdown_escaped(f"{table.file}."))
        ending = "csv" if name == "compression" else "conllu"
        st.download_button(
            "The example as a file", table.example, f"{name}.{ending}", "text/plain", on_click="ignore"
        )
    with right:
        model = masked_model_input("ndd-tables-model")
        most = MOST_SENTENCES.draw()
        asked = table.asked
        if name == "predicates":
            word = st.text_input("Word that replaces each", asked.word, key="ndd-tables-word").strip()
            asked = replace(asked, word=word or asked.word)
    content = file.getvalue() if file else table.example.encode()
    return Wanted(name, tuple(table.read(content, int(most))), model, asked)


def _made(wanted: Wanted, monitor: Monitor) -> PaperTable:
    monitor.stage("Loading the masked model", 0.0)
    model = cache.masked_model(wanted.model)
    return NDD_TABLES[wanted.name].make(wanted.sentences, model, wanted.asked, monitor)


def _show(name: str, made: PaperTable) -> None:
    table = pd.DataFrame(made.rows)
    config = {
        column: st.column_config.NumberColumn(format="%.2f" if column == "rate" else "%.4g")
        for column in table.columns[1:]
    }
    st.dataframe(table, hide_index=True, width="stretch", column_config=config, key="ndd-tables-frame")
    table_exports(table, f"ndd-{name}")
    st.caption(markdown_escaped(f"{NDD_TABLES[name].reading} {'; '.join(made.notes)}."))


NDD_TABLES_PART = Part(
    "What NDD is good for",
    ndd_tables,
    (TABLE, MOST_SENTENCES),
)
