"""A client that isn't a browser and sends hostile maps, links, widgets' values and files."""

import json
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from helpers.hostile_files import CANARY, UPLOADS
from helpers.payloads import ALL, ENCODABLE
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tools.session import Session
from tted_core.errors import UnknownNameError
from ui import samples
from ui.compare.link import compare_link
from ui.page import FAULT, MENU

pytestmark = pytest.mark.thorough

PAGES = [name.replace("Compare", "") for names in MENU.values() for name in names]

# One file of each kind; tests/formats tries all of them on all readers.
FILES = (
    "billion laughs",
    "a path upwards",
    "a link to another file",
    "a zip that is all entries at once",
    "a picture behind a zip's head",
    "names that are commands",
    "huge numbers",
)


@pytest.fixture
def user(server) -> Iterator[Session]:
    with Session(server) as session:
        session.run()
        yield session
        assert served_well(session)


def alerts(session):
    return [each.alert.body for each in session.shown("alert")]


def served_well(session):
    """Check that the page ran to its end, with at most a sentence about bad input and no bug."""
    assert session.failures == []
    fault = FAULT.partition("{")[0]
    assert not [body for body in alerts(session) if body.startswith(fault) or "Traceback" in body]
    return True


def test_all_hostile_texts_at_once_are_compared(user):
    for side, more in (("left", ()), ("right", ("more",))):
        user.set(f"{side}-text", string_value=json.dumps({"Root": {text: {} for text in (*ALL, *more)}}))
    user.run()
    assert served_well(user)
    assert any(user.shown("metric"))
    for each in user.shown("html"):
        assert "<img src=x" not in each.html.body
        assert "<script>hit" not in each.html.body
    for tab in ("Cost receipt", "Download and cite"):
        user.set("more", string_value=tab)
        user.run()
        assert served_well(user)
    user.set("outline", json_value=json.dumps({"picked": [None, None, "script", "graph", 1]}))
    user.run()
    assert served_well(user)


def test_hostile_links_get_a_sentence(user):
    """Each text is tried in a parameter, all parameters at a time."""
    names = [each.name for each in compare_link()]
    texts = [text[:200] for text in ENCODABLE]
    for start in range(0, len(texts), len(names)):
        values = dict(zip(names, texts[start : start + len(names)], strict=False))
        with Session(user.address) as session:
            session.run(query=urlencode(values))
            assert served_well(session)


@pytest.mark.parametrize("page", PAGES)
def test_values_that_no_widget_offers_are_ignored(user, page):
    """For example a path as the encoder's name: users choose among offered values."""
    user.run(page=page)
    for text in ("../../etc/passwd", "<img src=x onerror=hit()>", "__proto__"):
        chosen = [each for each in user.widgets() if type(each).__name__ in {"Selectbox", "Radio"}]
        user.run(*(WidgetState(id=each.id, string_value=text) for each in chosen))
        assert served_well(user)


def test_only_sample_files_can_be_opened_as_samples(user, tmp_path):
    """Not even a folder whose files have the names of samples."""
    for name in ("base.json", "demo.json"):
        (tmp_path / name).write_text(f'{{"{CANARY}": {{}}}}', encoding="utf-8")
    with pytest.raises(UnknownNameError):
        samples.check_sample(f"{tmp_path}/base.json")
    user.run(WidgetState(id=user.widget("left-sample"), string_value=f"{tmp_path}/base.json"))
    assert served_well(user)
    assert any(user.shown("metric"))
    assert not [each for each in user.shown() if CANARY in str(each)]


def test_hostile_uploads_get_a_sentence(user):
    for number, name in enumerate(FILES):
        content = UPLOADS[name]()
        content = content if isinstance(content, bytes) else content.encode()
        assert user.upload(user.widget(f"left-upload-{number}"), ("../\x1b[31mmap.json", content)) == [204]
        user.run()
        assert served_well(user), name
