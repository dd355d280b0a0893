"""Which measure agrees with people's scores, and is one better than another?"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import pandas as pd
import streamlit as st

from tted_core import TextTree, TTEDError
from tted_core.annotate.agreement import is_collection, unpacked_files
from tted_core.baselines import BASELINES
from tted_core.batch.settings import combined
from tted_core.contexts import CONTEXTS
from tted_core.errors import Interrupted, MapFormatError
from tted_core.figures import judgement_scatter
from tted_core.formats import parse_maps
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_BYTES, MAX_MAPS, MAX_UNPACKED_BYTES, check_limit
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.tables import csv_text
from tted_core.lab import map_measures
from tted_core.lab.people import (
    CORRELATIONS,
    Correlation,
    JudgedPairs,
    MeasuredPairs,
    correlate,
    difference,
    measure_pairs,
    read_judged_pairs,
)
from tted_core.solvers import SOLVERS
from ui import cache, samples
from ui.errors import show_errors
from ui.exports import data_table, figure
from ui.fields import several
from ui.options import UNORDERED_SECONDS, encoder_field
from ui.part import Part
from ui.processes import loading
from ui.running import watched, watched_on_demand
from ui.text import markdown_escaped, plural

ABOUT = """**Which measure agrees with people?** Upload their scores of pairs of maps: a CSV with the columns
`left`, `right` and `score`. A map is named as a file you upload with it (in a zip, by its path: `folder/a.md`),
or as a sample (`coral-reefs/base.json`). Further columns count as measures computed elsewhere."""

COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}


ENCODER = encoder_field("judgements-encoder")
MEASURES = {
    "orders": several("judgements-orders", "Orders", lambda: SOLVERS, ("ordered", "constrained")),
    "contexts": several("judgements-contexts", "Contexts", lambda: CONTEXTS, ("none", "ancestors")),
    "baselines": several("judgements-baselines", "Other measures", lambda: BASELINES, ("rouge_sim",)),
}


@dataclass(frozen=True)
class Asked:
    """What is to be measured: the pairs, the maps' contents by name, and the measures."""

    table: bytes
    files: tuple[tuple[str, bytes], ...]
    encoder: str
    orders: tuple[str, ...]
    contexts: tuple[str, ...]
    baselines: tuple[str, ...]


def judgements() -> None:
    """Draw the tab: uploads, run, coefficients, differences, scatter plots."""
    st.markdown(ABOUT)
    st.download_button(
        "An example to start from",
        example_table,
        file_name="judgements.csv",
        mime="text/csv",
        on_click="ignore",
        help="Pairs of samples. The scores are not people's: they follow from how each sample was made "
        "(5 for a paraphrase down to 0 for other claims).",
    )
    with show_errors():
        asked = _asked()
        if asked is None:
            return
        read_judged_pairs(asked.table)  # what is wrong with it is said before anything is run
        result = watched_on_demand("judgements", asked, partial(_measured, asked))
        if result:
            _show(asked, result)


def example_table() -> str:
    """Judged pairs of samples, scored by the kind of variant."""
    grades = {"paraphrase": 5, "structure": 3, "meaning": 1}
    rows = []
    for topic in samples.topics():
        for file in samples.files(topic):
            kind, _, number = file.removesuffix(".json").partition("_")
            if file.endswith(".json") and kind in grades:
                step = (int(number) - 1) / 2  # the third variant of a kind goes furthest
                rows.append((f"{topic}/base.json", f"{topic}/{file}", grades[kind] - step))
    return csv_text(("left", "right", "score"), rows)


def _asked() -> Asked | None:
    left, right = st.columns(2)
    with left:
        table = st.file_uploader(
            "Judgements (CSV)", key="judgements-table", max_upload_size=MAX_BYTES // 1_000_000
        )
    with right:
        files = st.file_uploader(
            "Maps, or a zip of them (not needed for samples)",
            key="judgements-maps",
            accept_multiple_files=True,
            max_upload_size=MAX_BYTES // 1_000_000,
        )
    with st.expander("More: encoder, orders, contexts, other measures", key="judgements-measures"):
        encoder = ENCODER.draw()
        chosen = {name: tuple(field.draw()) for name, field in MEASURES.items()}
    if table is None:
        return None
    contents = tuple((file.name, file.getvalue()) for file in files)
    return Asked(table.getvalue(), contents, encoder, **chosen)


def _measured(asked: Asked, monitor: Monitor) -> MeasuredPairs:
    judged = read_judged_pairs(asked.table)
    measures = map_measures(
        combined(orders=asked.orders, contexts=asked.contexts, time_limit=UNORDERED_SECONDS),
        loading.encoder(asked.encoder),
        asked.baselines,
    )
    maps = _maps(judged, asked.files) if measures else {}
    result = measure_pairs(judged, maps, measures, monitor=monitor)
    if not result.names:
        raise Interrupted("stopped before anything was measured; start it again")
    return result


def _maps(judged: JudgedPairs, files: tuple[tuple[str, bytes], ...]) -> Mapping[str, TextTree]:
    """The maps that the visitor uploaded and the samples, those that a pair names."""
    wanted = {name for pair in judged.pairs for name in pair}
    maps = _uploaded(files, wanted)
    for topic in samples.topics():
        for file in samples.files(topic):
            name = f"{topic}/{file}"
            if name not in maps and name in wanted:
                maps[name] = cache.read(cache.sample_content(samples.FOLDER / topic / file), name).tree
    return maps


def _uploaded(files: tuple[tuple[str, bytes], ...], wanted: Collection[str]) -> dict[str, TextTree]:
    """The maps in these files by the names that pairs can give them.

    A map is called like its file, and in a zip archive as there; of several maps in a file, "file: title", or the
    title if there is no other file. What can't be read is passed over, unless a pair names it.
    """
    found: list[tuple[str, bytes]] = []
    for name, content in files:
        found += unpacked_files(content) if is_collection(content) else [(name, content)]
    check_limit(len(found), MAX_MAPS, "files of maps", "give fewer of them")
    total = sum(len(content) for _, content in found)
    check_limit(total, MAX_UNPACKED_BYTES, "bytes in the files of maps", "give fewer of them")
    alone = found == list(files) and len(files) == 1
    maps: dict[str, TextTree] = {}
    for name, content in found:
        try:
            several = parse_maps(content, name=name)
        except TTEDError as error:
            if name in wanted:
                raise MapFormatError(f"{quoted(name)} can't be read: {error}") from error
            continue
        for each, title in zip(several, several[0].maps, strict=True):
            called = name if len(several) == 1 else title if alone else f"{name}: {title}"
            if called in maps:
                raise MapFormatError(f"two of the maps are called {quoted(called)}; rename one")
            maps[called] = each.tree
    return maps


def _show(asked: Asked, result: MeasuredPairs) -> None:
    if not result.complete:
        st.warning(
            f"Stopped: the figures are of the {plural(len(result.names), 'pair')} measured until then."
        )
    if result.left_out:
        st.warning(
            f"{plural(len(result.left_out), 'pair')} left out, as a measure is undefined for them: "
            + markdown_escaped(", ".join(result.left_out[:5]))
        )
    alike = st.radio(
        "A higher score means",
        ["the maps are more alike", "the maps differ more"],
        horizontal=True,
        key="judgements-direction",
        help="All measures here are distances. What is shown is agreement: 1 perfect, 0 none, below 0 reverse.",
    )
    sign = -1.0 if alike.endswith("alike") else 1.0
    kind = st.segmented_control(
        "Coefficient",
        list(CORRELATIONS),
        default="spearman",
        required=True,
        format_func=COEFFICIENTS.__getitem__,
        key="judgements-coefficient",
    )
    found, differences = watched(
        "judgements/agreement",
        (asked, sign, kind),
        partial(_agreement, result, sign, kind),
        stop_help="Ends without a result.",
        kept=2 * len(CORRELATIONS),
    )
    reasons = {each.why_not for each in found.values() if each.why_not}
    for reason in sorted(reasons):
        st.info(reason[0].upper() + reason[1:] + ".")
    table = pd.DataFrame(
        [
            {
                "measure": name,
                "pairs": each.n,
                "agreement": each.value,
                "95 % from": each.low,
                "to": each.high,
                "p": each.p,
            }
            for name, each in found.items()
        ]
    )
    _table(table, "judgements-agreement")
    if len(result.measured) > 1 and not reasons:
        st.markdown(
            "**Is one measure better than another?** Paired permutation tests, not corrected for their number."
        )
        _table(differences, "judgements-differences")
    figure(judgement_scatter(result.names, result.scores, result.measured), "judgements-scatter")


def _agreement(
    result: MeasuredPairs, sign: float, kind: str, monitor: Monitor
) -> tuple[dict[str, Correlation], pd.DataFrame]:
    """How each measure agrees with people's scores, times ``sign``, and each two measures compared."""
    scores = [sign * score for score in result.scores]
    names = list(result.measured)
    found = {
        name: correlate(result.measured[name], scores, kind)
        for name in monitor.over(names, "Correlating with people's scores")
    }
    rows = []
    for one, other in monitor.over(list(combinations(names, 2)), "Comparing measures"):
        contest = difference(result.measured[one], result.measured[other], scores, kind)
        rows.append({"measure": one, "against": other, "difference": contest.value, "p": contest.p})
    return found, pd.DataFrame(rows)


def _table(table: pd.DataFrame, name: str) -> None:
    numbers = table.select_dtypes("float").columns
    config = {column: st.column_config.NumberColumn(format="%.3f") for column in numbers}
    data_table(table, name, column_config=config, width="stretch", key=f"{name}-frame")


JUDGEMENTS = Part("Ask people", judgements, (ENCODER, *MEASURES.values()))
