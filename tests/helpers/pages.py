"""The pages in tests: opened at an address, clicked, and read as texts and tables."""

import io
import json
import re
import zipfile
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
from helpers.paths import ROOT, SAMPLES
from streamlit.testing.v1 import AppTest

from ui.evaluate.batches import Batch

# The address of the opening sample pair, with both sides chosen.
SAMPLE_PAIR = {"left": "coral-reefs/base.json", "right": "coral-reefs/demo.json"}

VARIANTS = tuple(
    f"{kind}_{number}" for kind in ("meaning", "paraphrase", "structure") for number in (1, 2, 3)
)
TOPICS = ("bread", "coral-reefs", "photosynthesis", "solar-system")
# State of Compare with its last tab and everything else open.
UNFOLDED = {
    **dict.fromkeys(("more-scores", "left-tools", "right-tools"), True),
    "more": "Download and cite",
}


def opened(page: str = "Compare", state: dict[str, Any] | None = None, /, **address: str) -> AppTest:
    """A page at an address with a state of its session; Compare is unfolded, unless the state is given."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    if page != "Compare":
        app.switch_page(f"pages/{page}.py")
    elif state is None:
        state = UNFOLDED
    for key, value in (state or {}).items():
        app.session_state[key] = value
    app.query_params.update(address)
    app.run()
    assert not app.exception
    return app


def address(app: AppTest) -> dict[str, str]:
    """The parameters of the address."""
    return {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}


def option(app: AppTest, name: str) -> Any:
    """The input of an option of the setting, or of its preset; its key also has a number."""
    inputs = (*app.radio, *app.selectbox, *app.number_input)
    (found,) = (each for each in inputs if each.key and re.fullmatch(rf"{name}-\d+", each.key))
    return found


def open_tab(app: AppTest, page: str, title: str) -> AppTest:
    """Open a tab of a page by its title."""
    app.session_state[page] = title
    app.run()
    assert not app.exception
    return app


def button(app: AppTest, label: str) -> Any:
    """The first button with this text in its label."""
    return next(each for each in app.button if label in each.label)


def click(app: AppTest, label: str) -> AppTest:
    """Click the first button with this text in its label."""
    button(app, label).click().run()
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Click the button with this key."""
    app.button(key=key).click().run()
    assert not app.exception
    return app


def shown(app: AppTest) -> str:
    """All sentences on the page, without Markdown's backslashes."""
    kinds = (app.markdown, app.caption, app.warning, app.error, app.info, app.success)
    return "\n".join(str(each.value) for kind in kinds for each in kind).replace("\\", "")


def html(app: AppTest) -> str:
    """All HTML on the page."""
    return "\n".join(each.proto.body for each in app.html)


def metric(app: AppTest, label: str) -> str:
    """The number on the first tile with this label."""
    return next(each.value for each in app.metric if each.label == label)


def frame(app: AppTest, column: str) -> pd.DataFrame:
    """The first table that has this column."""
    return next(each.value for each in app.dataframe if column in each.value.columns)


def copied(app: AppTest) -> dict[str, str]:
    """The parameters of the link to copy."""
    return {name: texts[0] for name, texts in parse_qs(urlsplit(app.code[-1].value).query).items()}


def all_scores(app: AppTest) -> dict[str, str]:
    """The scores and measures of "All scores", as written there, by their titles."""
    body = next(each.proto.body for each in app.html if 'class="scores"' in each.proto.body)
    scores = re.findall(r"<dt>(.*?)</dt><dd><b>(.*?)</b>", body)
    measures = re.findall(r'<th scope="row">(.*?)</th><td class="figure">(.*?)</td>', body)
    return {unescape(title): value for title, value in (*scores, *measures)}


def unfold(app: AppTest, side: str = "left") -> AppTest:
    """Open the card of a map of Compare, as a click on its line does."""
    app.session_state[f"{side}-card"] = True
    return app.run()


def upload(app: AppTest, *files: tuple[str, bytes, str]) -> None:
    """Upload files, all at once, as the left map of Compare."""
    unfold(app)
    uploader = next(each for each in app.file_uploader if each.key.startswith("left-upload-"))
    uploader.set_value(list(files)).run()
    assert not app.exception


def paste(app: AppTest, text: str, side: str = "left") -> AppTest:
    """Paste a text as a map of Compare."""
    unfold(app, side)
    return app.text_area(key=f"{side}-text").set_value(text).run()


def shown_operations(app: AppTest) -> list[dict[str, Any]]:
    """The outcomes that the outline is given, each with what its operations cost."""
    (shown,) = app.get("bidi_component")
    operations: list[dict[str, Any]] = json.loads(shown.proto.json)[0]["rows"]["ops"]
    return operations


def shown_foot(app: AppTest) -> dict[str, str]:
    """The sum and the notes below the outline."""
    (shown,) = app.get("bidi_component")
    foot: dict[str, str] = json.loads(shown.proto.json)[0]["foot"]
    return foot


def zip_of_pairs(count: int, *, broken: int | None = None) -> bytes:
    """Two folders of ``count`` maps with the same names; one map of the pair ``broken`` can't be read."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            topic = SAMPLES / TOPICS[number % len(TOPICS)]
            variant = VARIANTS[number // len(TOPICS) % len(VARIANTS)]
            name = f"{number:03d}-{topic.name}-{variant}.json"
            archive.writestr(f"all/references/{name}", (topic / "base.json").read_bytes())
            content = b"{" if number == broken else (topic / f"{variant}.json").read_bytes()
            archive.writestr(f"all/generated/{name}", content)
    return out.getvalue()


def uploaded(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Upload files to Evaluate."""
    kinds = [(name, content, "application/octet-stream") for name, content in files]
    return app.file_uploader(key="evaluate-upload").set_value(kinds).run()


def batch_of(app: AppTest) -> Batch:
    """The batch that Evaluate shows."""
    return app.session_state["batches"][app.session_state["evaluate-looked-at"]]
