"""The Annotate page in a real browser: two reviewers by keyboard, and a server killed under them."""

from collections.abc import Iterator

import pytest
from helpers.accessibility import faults
from helpers.browser import IN_BROWSER, PATIENCE, opened_tab, server_process, settle
from helpers.reviewing import know_without_model
from playwright.sync_api import Browser, Page, expect

from tted_core.annotate.reviews import open_store
from tted_core.annotate.reviews.database import writing
from tted_core.tree import TextTree

pytestmark = [*IN_BROWSER, pytest.mark.thorough]

PAIRS = 24
CONFIRMED = 20
TREE = TextTree(tuple(f"leaf number {node}" for node in range(PAIRS)), (-1, *(0 for _ in range(PAIRS - 1))))


@pytest.fixture
def reviewers(browser: Browser) -> Iterator[list[Page]]:
    """A browser window for each of two."""
    contexts = [browser.new_context(viewport={"width": 1280, "height": 900}) for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(PATIENCE)
    yield [opened_tab(context) for context in contexts]
    for context in contexts:
        context.close()


def begin(page: Page, server: str, name: str) -> None:
    """Open the review that is in the database under this name."""
    page.goto(f"{server}/Annotate")
    page.get_by_role("tab", name="Review a mapping").click()
    field = page.get_by_role("textbox", name="Your name")
    field.fill(name)
    field.press("Tab")
    page.get_by_text("Of no study").click()
    expect(page.get_by_text("leaf number 0").first).to_be_visible()
    settle(page)
    page.get_by_text("Keys:").click()  # a key belongs to the field that has the focus


def judged(page: Page, count: int) -> None:
    """The page says how many pairs are in the database."""
    said = page.get_by_test_id("stProgress").filter(has_text=f"{count} of {PAIRS} pairs judged")
    said.wait_for()  # unlike `expect`, this looks at every frame


def test_what_the_page_confirmed_survives_kill_9(reviewers, monkeypatch, tmp_path):
    """With SQLite; that PostgreSQL keeps what a killed process was told is in test_reviews_durability.py."""
    monkeypatch.setenv("TTED_CACHE", str(tmp_path))
    know_without_model((*TREE.labels, ""))
    store = open_store()
    task = store.open_task("a tree of leaves", TREE, TREE)  # the first by name
    anna, ben = reviewers
    with server_process() as (server, process):
        for page, name in ((anna, "Anna"), (ben, "Ben")):
            begin(page, server, name)
            judged(page, 0)
        for done in range(CONFIRMED):
            anna.keyboard.press("a")
            if done % 5 == 0:  # at the same time, in another session
                ben.keyboard.press("x")
            judged(anna, done + 1)
            judged(ben, done // 5 + 1)
        anna.keyboard.press("a")  # under way when the server dies; not confirmed, so it may be there or not
        process.kill()
        process.wait()
    said = store.judgements(task)
    pairs = {name: {each.pair for each in said if each.person == name} for name in ("Anna", "Ben")}
    assert pairs["Anna"] >= {(node, node) for node in range(CONFIRMED)}
    assert len(pairs["Anna"]) <= CONFIRMED + 1
    assert pairs["Ben"] == {(node, node) for node in range(CONFIRMED // 5)}
    assert {each.decision for each in said if each.person == "Ben"} == {"reject"}
    with server_process() as (server, _):
        begin(anna, server, "Anna")
        judged(anna, len(pairs["Anna"]))
        expect(anna.get_by_text(f"Pair {len(pairs['Anna']) + 1} of {PAIRS}")).to_be_visible()


def test_what_a_locked_database_refused_is_saved_later_though_nobody_clicks(reviewers, monkeypatch, tmp_path):
    """And what is being typed at that moment stays in its field."""
    monkeypatch.setenv("TTED_CACHE", str(tmp_path))
    know_without_model((*TREE.labels, ""))
    store = open_store()
    task = store.open_task("a tree of leaves", TREE, TREE)
    page = reviewers[0]
    with server_process() as (server, _):
        begin(page, server, "Anna")
        with writing(store.engine):  # another program's, for as long as this lasts
            page.keyboard.press("a")
            expect(page.get_by_text("1 judgement is not saved yet")).to_be_visible()
            judged(page, 1)
            expect(page.get_by_text("Pair 2 of")).to_be_visible()
            field = page.get_by_role("textbox", name="Comment on this pair")
            field.press_sequentially("half a thou")
            assert store.judgements(task) == ()
        expect(page.get_by_text("Everything is saved now.")).to_be_visible()
        field.press_sequentially("ght")
        field.press("Control+Enter")
        expect(page.get_by_text("Saved pair 2")).to_be_visible()
    said = sorted((each.source, each.decision, each.comment) for each in store.judgements(task))
    assert said == [(0, "accept", ""), (1, "undecided", "half a thought")]


def test_the_parts_of_the_page_are_accessible(page, server):
    page.goto(f"{server}/Annotate")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_text("Checks and thresholds").click()
    page.get_by_role("button", name="Nearer to another branch").click()  # which is off by default
    expect(page.get_by_text("A finding is a hint")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("tab", name="Compare annotators").click()
    expect(page.get_by_role("button", name="Save it as JSON")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("tab", name="Review a mapping").click()
    field = page.get_by_role("textbox", name="Your name")
    field.fill("Anna")
    field.press("Tab")
    page.get_by_text("A sample, to practise").click()
    expect(page.get_by_text("Not judged yet.")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("tab", name="Study").click()
    expect(page.get_by_text("A document needs two maps")).to_be_visible()
    assert faults(page) == []
