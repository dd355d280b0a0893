"""The Annotate page without models, with what users see and do there."""

from helpers.trees import SAMPLES
from streamlit.testing.v1 import AppTest

from ui.annotate import PARTS

HOSTILE = "<img src=x onerror=alert(1)> :red[x] 2*3*4 $a$"


def opened(tab: str | None = None, address: dict[str, str] | None = None, **state) -> AppTest:
    """The page with a tab open, at an address."""
    app = AppTest.from_file(str(SAMPLES.parent / "app.py"), default_timeout=60).switch_page(
        "pages/Annotate.py"
    )
    app.query_params.update(address or {})
    if tab:
        app.query_params["tab"] = next(name for name, part in PARTS.items() if part.title == tab)
    for key, value in state.items():
        app.session_state[key.replace("_", "-")] = value
    app.run()
    assert not app.exception
    return app


def button(app: AppTest, label: str):
    """The first button with this text in its label."""
    return next(each for each in app.button if label in each.label)


def texts(app: AppTest) -> str:
    """The texts on screen, without Markdown's backslashes."""
    shown = (*app.markdown, *app.caption, *app.info, *app.success)
    written = "\n".join(each.value for each in shown).replace("\\", "")
    return "\n".join((written, *(each.proto.body for each in app.html)))
