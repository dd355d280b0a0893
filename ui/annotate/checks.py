"""Check maps: one, many files or an archive; what their readers repaired and what checks find is a worklist."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TypeAlias

import streamlit as st

from tted_core import MindMap, TextTree, TTEDError, parse_map
from tted_core.annotate.checks import CHECKS, Finding, check_map
from tted_core.errors import Interrupted
from tted_core.foundations.monitor import Monitor
from ui import models
from ui.annotate.editing import EditedMap, records
from ui.annotate.worklist import draw_worklist
from ui.fields import choice
from ui.map_card import card, own_source, source_of, try_reading, warn_of_problems
from ui.map_source import PASTED, Given
from ui.model_choice import label_model, list_encoders
from ui.running import NotYet, run_watched
from ui.text import counted

CHECK_ENCODER = choice("check-encoder", "Encoder", list_encoders, "minilm", format_func=label_model)
SIDE = "check"  # session key of the source of the maps

# The example, checked until maps are uploaded.
EXAMPLE_MAP = """# Coral reefs are built by small animals
- Polyps build cups of limestone around their bodies
  - Cups grow by about 2 centimetres a year
    - Cups grow by about 20 centimetres a year
  - Old cups carry the polyps that follow
- Algae live within the polyps and feed them
  - Algae need light, so reefs grow in shallow water
  - Warm water drives the algae out, and the
- Reefs shelter a quarter of all fish in the sea
  - Young fish hide between the branches of corals
  - Young fish hide between the branches of corals
- The midfielder scored from a free kick in the second half
  - The goalkeeper had saved two penalties before
"""


Findings: TypeAlias = tuple[Finding, ...]


@st.cache_resource(max_entries=2_000, show_spinner=False, hash_funcs={TextTree: attrgetter("digest")})
def _findings(
    tree: TextTree, notices: tuple[str, ...], checks: tuple[str, ...], encoder: str, _monitor: Monitor
) -> Findings:
    return check_map(tree, notices=notices, encoder=models.encoder(encoder), checks=checks, monitor=_monitor)


def check_maps() -> None:
    """Draw the choice of maps, the options, and the findings."""
    if not source_of(SIDE):  # the generated map of Compare is usually the right one
        st.session_state[SIDE] = own_source("right") or own_source("left")
    st.session_state.setdefault(f"{SIDE}-tab", "Upload")
    with st.container(gap="xsmall"):  # so that the buttons of the example's finding are on the first screen
        maps, errors = _maps()
    worklist = st.container()  # above the options, so that its buttons are on the first screen
    checks, encoder = _options()
    if maps:
        with worklist:
            _draw_checked(maps, errors, checks, encoder)


def _draw_checked(
    maps: Sequence[MindMap], errors: dict[str, str], checks: tuple[str, ...], encoder: str
) -> None:
    """Draw the findings in these maps; ``errors`` says why others can't be read."""
    kept = records(maps)
    found = run_watched(
        "check",
        (
            tuple(
                (each.name, each.tree.digest, each.notices, record.mind_map.tree.digest)
                for record, each in zip(kept, maps, strict=True)
            ),
            checks,
            encoder,
        ),
        partial(_check_each, kept, checks, encoder),
        stop_help="Ends without a result.",
        long=len(maps) > 1,
        shared=len(maps) == 1,
    )
    checked = []
    for record, each in zip(kept, found, strict=True):
        if isinstance(each, TTEDError):
            errors[record.original.name or PASTED] = str(each)
        else:
            checked.append((record, *each))
    warn_of_problems(errors, "checked")
    if checked:
        draw_worklist(checked, len(checks))


def _maps() -> tuple[tuple[MindMap, ...], dict[str, str]]:
    """Draw the card of maps; return them, an example while there are none, and why others can't be read."""
    found = try_reading(SIDE)
    if not isinstance(found, Given):
        label = "" if found else "**Your maps**: drop one map, many files or a zip"
        card(SIDE, "Maps", found, expanded=True, label=label)
        if isinstance(found, NotYet):
            raise found
        if found:
            return (), {}
        st.caption("Showing an example until there is a map of your own.")
        return (replace(parse_map(EXAMPLE_MAP), name="example"),), {}
    several = f"**Your maps**: {counted(len(found.maps), 'map')}"
    card(SIDE, "Maps", found, expanded=False, label=several if len(found.maps) > 1 or found.unread else "")
    return found.maps, dict(found.unread)


def _options() -> tuple[tuple[str, ...], str]:
    """Draw the choice of checks and of the encoder; return their names."""
    with st.expander("Checks", key="check-options"):
        chosen = st.pills(
            "Checks",
            list(CHECKS),
            selection_mode="multi",
            default=list(CHECKS),
            format_func=lambda name: CHECKS[name].title,
            key="check-names",
            persist_state="session",
        )
        encoder = CHECK_ENCODER.draw()
        st.caption("Thresholds of meaning were measured with MiniLM; other encoders find more or less.")
    return tuple(name for name in CHECKS if name in chosen), encoder


def _check_each(
    kept: Sequence[EditedMap], checks: tuple[str, ...], encoder: str, monitor: Monitor
) -> list[tuple[Findings, Findings] | TTEDError]:
    """For each map its findings before and after its edits, or why it can't be checked."""
    checked: list[tuple[Findings, Findings] | TTEDError] = []
    for number, record in enumerate(kept):
        monitor.check()
        monitor.stage(f"Checking {record.original.name}", number / len(kept))
        find = partial(
            _findings,
            notices=record.original.notices,
            checks=checks,
            encoder=encoder,
            _monitor=monitor.part(number, len(kept)),
        )
        try:
            checked.append((find(record.original.tree), find(record.mind_map.tree)))
        except Interrupted:
            raise
        except TTEDError as error:
            checked.append(error)
    return checked
