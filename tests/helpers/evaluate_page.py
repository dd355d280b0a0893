"""The Evaluate page in tests, and a zip of pairs for it."""

import io
import zipfile

from helpers.paths import ROOT
from helpers.trees import SAMPLES
from streamlit.testing.v1 import AppTest

from ui.many.batches import Batch

VARIANTS = tuple(
    f"{kind}_{number}" for kind in ("meaning", "paraphrase", "structure") for number in (1, 2, 3)
)
TOPICS = ("bread", "coral-reefs", "photosynthesis", "solar-system")


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


def evaluate_page(**address: str) -> AppTest:
    """The page, opened at an address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/Evaluate.py")
    app.query_params.update(address)
    return app.run()


def uploaded(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Upload files."""
    kinds = [(name, content, "application/octet-stream") for name, content in files]
    return app.file_uploader(key="evaluate-upload").set_value(kinds).run()


def click(app: AppTest, label: str) -> AppTest:
    """Click the button whose label begins with ``label``."""
    (button,) = (each for each in app.button if each.label.startswith(label))
    return button.click().run()


def shown(app: AppTest) -> str:
    """All sentences on the page, without Markdown's backslashes."""
    texts = (*app.markdown, *app.warning, *app.error, *app.caption, *app.info)
    return " ".join(each.value for each in texts).replace("\\", "")


def batch_of(app: AppTest) -> Batch:
    """The batch that the page shows."""
    return app.session_state["batches"][app.session_state["evaluate-looked-at"]]
