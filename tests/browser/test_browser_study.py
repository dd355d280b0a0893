"""A whole study in a browser: made by a lead, judged blind by two with the keyboard, settled by a third."""

import csv
import io
import zipfile
from collections.abc import Callable, Iterator

import krippendorff
import numpy as np
import pytest
from helpers.accessibility import faults
from helpers.browser import IN_BROWSER, PATIENCE, opened_tab, server_process, settle
from helpers.reviewing import know_without_model, version_1
from playwright.sync_api import Browser, Page, expect

from tted_core.annotate.reviews import ADJUDICATOR, Judgement, open_store
from tted_core.annotate.studies import Studies

pytestmark = [*IN_BROWSER, pytest.mark.thorough]

DOCUMENTS = ("moon", "sun", "tides")
NAMES = ("base", "first", "second", "third")
BY_KEYBOARD = 3
MAPPINGS = len(DOCUMENTS) * (len(NAMES) - 1)


def maps() -> dict[str, str]:
    """A map of each document by each, by file: a root and a branch, never the same."""
    return {
        f"{document}/{name}.txt": f"{document}\n  {document} {name}\n"
        for document in DOCUMENTS
        for name in NAMES
    }


@pytest.fixture
def people(browser: Browser) -> Iterator[Callable[[], Page]]:
    """Makes a browser window for each who works on the study."""
    contexts = []

    def window() -> Page:
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True))
        contexts[-1].set_default_timeout(PATIENCE)
        return opened_tab(contexts[-1])

    yield window
    for context in contexts:
        context.close()


def make(lead: Page, server: str) -> None:
    """Upload once, walk through the tabs, make the study, assign it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in maps().items():
            archive.writestr(name, text)
    lead.goto(f"{server}/Annotate?tab=study")
    lead.get_by_role("textbox", name="Name").fill("Round 1")
    file = {"name": "maps.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}
    lead.locator(".st-key-study-maps-card input[type=file]").set_input_files(file)
    expect(lead.get_by_text("3 documents, 12 maps (uploaded)")).to_be_visible()
    lead.get_by_role("tab", name="Settle disputes").click()
    expect(lead.get_by_text("Write your name to see what was said")).to_be_visible()
    lead.get_by_role("tab", name="Study").click()
    expect(lead.get_by_text("3 documents, 12 maps (uploaded)")).to_be_visible()
    lead.get_by_role("combobox", name="Compared by").click()
    lead.get_by_role("option", name="As published").click()
    settle(lead)
    lead.get_by_role("button", name=f"Make the study of {MAPPINGS} mappings").click()
    expect(lead.get_by_text("Now assign them.")).to_be_visible()
    names = lead.get_by_role("combobox", name="Reviewers")
    for name in ("Anna", "Ben"):
        names.fill(name)
        names.press("Enter")
        settle(lead)
    names.press("Escape")
    lead.get_by_role("button", name="Assign", exact=True).click()
    expect(lead.get_by_text("Assigned 18 mappings to 2 reviewers.")).to_be_visible()
    metric = lead.get_by_test_id("stMetric").filter(has_text="Pairs judged")
    expect(metric).to_contain_text("0 of 36")


def enter(page: Page, server: str, tab: str, name: str) -> None:
    """Open a tab under a name."""
    page.goto(f"{server}/Annotate?tab={tab}")
    field = page.get_by_role("textbox", name="Your name")
    field.fill(name)
    field.press("Tab")


def judge(page: Page, server: str, name: str, rejected: str) -> None:
    """Judge some mappings with the keyboard alone, the others like them; reject the branches of one document."""
    enter(page, server, "review", name)
    expect(page.get_by_text(f"(0 of {MAPPINGS} finished)")).to_be_visible()
    settle(page)
    page.get_by_text("Keys:").click()  # a key belongs to the field that has the focus
    for done in range(BY_KEYBOARD):
        expect(page.get_by_text("Pair 1 of 2")).to_be_visible()
        expect(page.get_by_text("Not judged yet.")).to_be_visible()
        settle(page)
        page.keyboard.press("a")
        expect(page.get_by_text("Pair 2 of 2")).to_be_visible()
        expect(page.get_by_text("What others say is shown here once")).to_be_visible()
        here = rejected in page.locator(".st-key-review-pair").inner_text()
        page.keyboard.press("x" if here else "a")
        expect(page.get_by_text(f"Saved pair 2: {'✗ no' if here else '✓ yes'}")).to_be_visible()
        page.keyboard.press("1")
        expect(page.get_by_text(f"({done + 1} of {MAPPINGS} finished)")).to_be_visible()
        settle(page)
        page.keyboard.press("m")
    store = open_store()
    for number in [each.number for each in store.tasks(assigned_to=name) if not each.verdicts.get(name)]:
        task = store.task(number)
        for op in task.fixed.ops:
            decision = "reject" if op.source and task.document == rejected else "accept"
            store.save(task, Judgement(name, op.source, op.target, decision))
        store.save(task, Judgement(name, None, None, "good"))


def decide(page: Page, server: str) -> None:
    """Settle the three disputes, the first with a reason; nothing that it takes is below the fold."""
    enter(page, server, "settle", "Cleo")
    expect(page.get_by_text("1 of 3", exact=False).first).to_be_visible()
    for shown in (
        page.get_by_text("Anna: ✓ yes"),
        page.get_by_text("Ben: ✗ no"),
        page.get_by_text("Holds: open"),
        page.get_by_role("textbox", name="Why"),
        page.get_by_role("button", name="✗ no"),
    ):
        box = shown.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 900
    assert faults(page) == []
    page.get_by_role("textbox", name="Why").fill("another branch")
    page.get_by_text("Keys:").click()
    for left in (2, 1, 0):
        settle(page)
        page.keyboard.press("2")
        expect(
            page.get_by_text(f"{3 - left} of these settled" if left else "Nothing here is waiting")
        ).to_be_visible()


def expected_alpha() -> float:
    """The package's, of what is in the database."""
    tasks = Studies(open_store().engine).judged("Round 1")
    said = {
        (its.task.number, each.pair, each.person): each.decision
        for its in tasks
        for each in its.judgements
        if each.role != ADJUDICATOR and each.pair != (None, None)
    }
    items = sorted({key[:2] for key in said})
    rows = [[["accept", "reject"].index(said[(*item, name)]) for item in items] for name in ("Anna", "Ben")]
    return float(krippendorff.alpha(reliability_data=np.array(rows), level_of_measurement="nominal"))


def saved(page: Page, label: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).first.click()
    return download.value.path().read_text(encoding="utf-8")


def test_a_whole_study(people, monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_CACHE", str(tmp_path))
    know_without_model((*(line.strip() for text in maps().values() for line in text.splitlines()), ""))
    lead, anna, ben, cleo = (people() for _ in range(4))
    with server_process() as (server, _):
        make(lead, server)
        judge(anna, server, "Anna", rejected="nothing")
        judge(ben, server, "Ben", rejected="sun")
        decide(cleo, server)
        enter(anna, server, "review", "anna")
        expect(anna.get_by_text(f"({MAPPINGS} of {MAPPINGS} finished)")).to_be_visible()
    with server_process() as (server, _):  # what was uploaded and made is there after a restart
        lead.goto(f"{server}/Annotate?tab=study")
        for name, text in (("Pairs judged", "36 of 36"), ("Mappings finished", "18 of 18")):
            expect(lead.get_by_test_id("stMetric").filter(has_text=name)).to_contain_text(text)
        alpha = expected_alpha()
        assert -1 < alpha < 1
        metric = lead.get_by_test_id("stMetric").filter(has_text="Alpha of the judgements")
        expect(metric).to_contain_text(f"{alpha:.3f}")
        assert faults(lead) == []
        rows = list(csv.DictReader(io.StringIO(saved(lead, "Judgements as CSV"))))
        assert len(rows) == 2 * MAPPINGS * 3 + 3
        assert all("|gap:0|p:1|" in row["signature"] for row in rows)
        assert [row["comment"] for row in rows if row["role"] == ADJUDICATOR].count("another branch") == 1
        data = version_1(saved(lead, "Study as JSON Lines"))
        assert len(data["tasks"]) == MAPPINGS
        assert [len(each["fixed"]["ops"]) for each in data["tasks"]] == [2] * MAPPINGS
        assert len(data["studies"][0]["assignments"]) == 2 * MAPPINGS
