"""Actions of users on a page, and what the outline shows."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest


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
