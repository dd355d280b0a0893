"""The Learn page in a real browser: the step player is played, stopped, stepped, and jumped about in."""

import re

import pytest
from helpers.browser import IN_BROWSER, opened_tab, settle
from helpers.trees import tree_of
from playwright.sync_api import Page, expect

from tted_core.learn.exercises import exercise
from tted_core.learn.mappings import unit_costs
from tted_core.learn.stepper import player_data
from tted_core.learn.stepper.ordered import trace

pytestmark = IN_BROWSER

LEFT, RIGHT = tree_of("a(b(c d) e)"), tree_of("a(c d f(e))")
RUN = trace(LEFT, RIGHT, unit_costs(LEFT, RIGHT))
STEPS = player_data("ordered", LEFT, RIGHT)[0]["steps"]


def at(page: Page, step: int) -> None:
    """The player shows this step, and says the core's sentence about it."""
    expect(page.locator(".stepper .number")).to_have_value(str(step))
    expect(page.locator(".stepper output")).to_have_text(f"of {len(STEPS) - 1}")
    expect(page.locator(".stepper .sentence")).to_have_text(STEPS[step]["text"])


def first_cell(table: int) -> int:
    return next(index for index, step in enumerate(STEPS) if step["grids"][0] == table and "cell" in step)


@pytest.mark.thorough
def test_the_player_plays_pauses_steps_and_jumps(page, server):
    page.goto(f"{server}/Learn?part=steps")
    at(page, 0)
    settle(page)
    page.get_by_label("Speed").select_option("very fast")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".stepper .number")).to_have_value(re.compile("^[1-9][0-9]$"))
    page.get_by_role("button", name="Pause").click()
    reached = int(page.locator(".stepper .number").input_value())
    at(page, reached)
    expect(page).to_have_url(re.compile(f"step={reached}\\b"))

    page.get_by_role("button", name="Step back").click()
    at(page, reached - 1)
    page.get_by_role("button", name="Step forward").click()
    at(page, reached)

    last = len(RUN.grids) - 2
    page.get_by_label("Go to").select_option("keyroots 5, 5")
    at(page, first_cell(last) - 1)
    cells = [cell for cell in RUN.cells if cell.position[0] == last]
    page.locator(".forest").get_by_role("button", name="f(5, 5), not filled yet").click()
    at(page, first_cell(last) + len(cells) - 1)
    shown = page.locator(".forest td button").all_inner_texts()
    assert shown == [f"{cell.value:g}" for cell in cells]
    distances = page.locator(".subtrees td button").all_inner_texts()
    assert distances == [f"{value:g}" for value in RUN.trees[1:, 1:].flat]

    page.get_by_label("Step number").fill("17")
    page.keyboard.press("Enter")
    at(page, 17)
    page.get_by_role("button", name="Last step").click()
    at(page, len(STEPS) - 1)
    kinds = page.locator(".trees .node").evaluate_all("nodes => nodes.map(node => node.classList[1])")
    assert sorted(kinds) == ["delete", "insert", *["match"] * 8]
    assert page.locator(".trees .link").count() == 4


@pytest.mark.thorough
def test_keys_and_links_lead_to_a_step_on_any_screen(page, server):
    page.goto(f"{server}/Learn?part=steps&step=30")
    at(page, 30)
    settle(page)
    page.keyboard.press("ArrowRight")
    at(page, 31)
    page.locator(".stepper").focus()
    page.keyboard.press("PageDown")
    at(page, 32)
    page.keyboard.press("PageUp")
    at(page, 31)
    page.keyboard.press("n")
    following = next(index for index, step in enumerate(STEPS) if step["kind"] == "table" and index > 31)
    at(page, following)
    page.keyboard.press("End")
    at(page, len(STEPS) - 1)
    page.keyboard.press("Home")
    at(page, 0)
    expect(page).not_to_have_url(re.compile("step="))
    for width in (1024, 390):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator(".trees svg")).to_be_visible()
        sides = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert sides[0] <= sides[1], width


@pytest.mark.thorough
def test_hostile_labels_are_shown_and_not_run(page, server):
    page.add_init_script("window.hits = 0; window.hit = () => { window.hits += 1; };")
    hostile = "%3Cimg+src%3Dx+onerror%3Dhit()%3E"
    page.goto(f"{server}/Learn?part=steps&left_tree={hostile}&right_tree={hostile}&step=4")
    expect(page.locator(".stepper .legend")).to_contain_text("<img src=x onerror=hit()>")
    assert page.evaluate("window.hits") == 0


@pytest.mark.thorough
def test_a_visit_to_another_page_loses_nothing_and_an_exercise_is_printed_without_controls(page, server):
    page.goto(f"{server}/Learn?part=exercises&exercise=mapping&exercise_seed=4")
    options = page.get_by_role("radiogroup", name="Your answer")
    expect(options).to_be_visible()
    settle(page)
    first = options.inner_text()
    page.get_by_role("link", name="Method").click()
    expect(page.get_by_role("heading", name="How the distance is computed")).to_be_visible()
    page.get_by_role("link", name="Learn").click()
    expect(options).to_be_visible()
    settle(page)
    assert options.inner_text() == first

    page.emulate_media(media="print")
    expect(page.get_by_text("isn't a valid mapping")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_test_id("stButtonGroup").first).to_be_hidden()
    for number_input in page.get_by_test_id("stNumberInput").all():
        expect(number_input).to_be_hidden()


@pytest.mark.thorough
def test_an_exercise_is_answered_on_a_phone(browser, server):
    """By touch: a wrong answer brings a hint, a right one is confirmed, and nothing is too wide."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = opened_tab(context)
    page.goto(f"{server}/Learn?part=exercises&exercise=mapping&exercise_seed=2")
    posed = exercise("mapping", 2)
    (right,) = posed.answer
    for answer, said in ((1 - min(right, 1), "Not quite."), (right, "Right.")):
        settle(page)
        page.get_by_test_id("stRadio").get_by_text(posed.options[answer], exact=True).last.tap()
        page.get_by_role("button", name="Check").tap()
        expect(page.get_by_text(said)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
