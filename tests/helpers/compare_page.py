"""The Compare page, opened by its address."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

SAMPLE_PAIR = {"left": "coral-reefs/base.json", "right": "coral-reefs/demo.json"}
"""The address of the opening sample pair, with both sides chosen."""


def unfolded(app: AppTest) -> AppTest:
    """The page before its first run, with its last tab and everything else open."""
    for key in ("more-scores", "receipt-costs", "left-tools", "right-tools"):
        app.session_state[key] = True
    app.session_state["more"] = "Download and cite"
    return app


def opened(**address: str) -> AppTest:
    """The page at this address, unfolded."""
    app = unfolded(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60))
    app.query_params.update(address)
    return app.run()


def address(app: AppTest) -> dict[str, str]:
    """The parameters of the address."""
    return {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}


def copied(app: AppTest) -> dict[str, str]:
    """The parameters of the link to copy."""
    return {name: texts[0] for name, texts in parse_qs(urlsplit(app.code[-1].value).query).items()}


def measures_of_others(app: AppTest) -> pd.DataFrame:
    """The table of baselines."""
    return next(each.value for each in app.table if "What it counts" in each.value)


def upload(app: AppTest, *files: tuple[str, bytes, str]) -> None:
    """Upload files, all at once, as the left map."""
    app.session_state["left-source"] = "Upload"
    app.run()
    app.file_uploader(key="left-upload").set_value(list(files)).run()
    assert not app.exception


def paste(app: AppTest, text: str, side: str = "left") -> AppTest:
    """Paste a text as a map."""
    app.session_state[f"{side}-source"] = "Paste"
    app.run()
    return app.text_area(key=f"{side}-text").set_value(text).run()


def shown_operations(app: AppTest) -> list[dict[str, Any]]:
    """The outcomes that the outline is given, each with what its operations cost."""
    (shown,) = app.get("bidi_component")
    operations: list[dict[str, Any]] = json.loads(shown.proto.json)["rows"]["ops"]
    return operations
