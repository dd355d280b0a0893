"""Presenting in a real browser: the player and the mapping alone, at any zoom, by a clicker's keys."""

import re

import pytest
from helpers.browser import IN_BROWSER, drawn, settle
from playwright.sync_api import expect

pytestmark = IN_BROWSER

# Twelve nodes a side.
TREES = (
    "left_tree=a%0A++b%0A++++c%0A++++d%0A++++++e%0A++f%0A++++g%0A++++++h%0A++i%0A++++j%0A++++k%0A++l"
    "&right_tree=a%0A++c%0A++d%0A++++e%0A++f%0A++++g%0A++++++h%0A++++++m%0A++j%0A++++i%0A++++k%0A++l"
)

MEASURED = """(name) => {
  const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(`.${name}`));
  const root = host.shadowRoot.querySelector(`.${name}`);
  const scrolled = root.querySelector(".box");
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const sizes = { texts: [], tables: [] }, outside = [];
  while (texts.nextNode()) {
    const { parentElement: box, data } = texts.currentNode;
    const range = document.createRange();
    range.selectNode(texts.currentNode);
    const rectangle = range.getBoundingClientRect();
    if (!data.trim() || !rectangle.width || box.closest("title, option, .spoken")) continue;
    const scale = box.closest("svg")?.getScreenCTM().a ?? 1;
    const kind = box.closest(".scroll, .trees") ? "tables" : "texts";
    sizes[kind].push(scale * parseFloat(getComputedStyle(box).fontSize) * devicePixelRatio);
    const { left, top, right, bottom } = rectangle;
    const seen = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!seen && !scrolled?.contains(box)) outside.push(data);
  }
  const covers = root.clientWidth === innerWidth && root.clientHeight === innerHeight;
  return { smallest: Math.min(...sizes.texts), tables: Math.min(...sizes.tables), outside, covers };
}"""

WIDER = """(spacing) => {
  const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(".stepper"));
  const style = document.createElement("style");
  style.textContent = `.stepper * { letter-spacing: ${spacing}em; }`;
  host.shadowRoot.append(style);
  window.dispatchEvent(new Event("resize"));
}"""


def presented(page, name, *, window):
    """It fills the window, with everything in view and large enough for the last row, at any zoom.

    A browser's zoom is a smaller window of larger pixels. Tables and drawings may be smaller than texts: how wide
    they come out depends on the machine's fonts.
    """
    expect(page.locator(f".{name}.presented")).to_be_visible()
    for zoom in (1, 2):
        size = {
            "width": int(1920 / zoom),
            "height": int(1080 / zoom),
            "deviceScaleFactor": zoom,
            "mobile": False,
        }
        window.send("Emulation.setDeviceMetricsOverride", size)
        drawn(page)
        found = page.evaluate(MEASURED, name)
        assert found["smallest"] >= 23.99, (name, zoom)
        assert found["tables"] is None or found["tables"] >= 12, (name, zoom)
        assert found["outside"] == [], (name, zoom)
        assert found["covers"], (name, zoom)


@pytest.mark.thorough
def test_the_player_is_presented_and_stepped_through_without_a_click(page, server):
    window = page.context.new_cdp_session(page)
    for order, step in (("constrained", 60), ("ordered", 400)):
        page.goto(f"{server}/Learn?part=steps&steps_order={order}&{TREES}&step={step}")
        expect(page.locator(".stepper .number")).to_have_value(str(step))
        settle(page)
        page.keyboard.press("f")
        presented(page, "stepper", window=window)
        expect(page.get_by_role("columnheader", name="Cost")).to_be_in_viewport()
    for spacing in (0.15, 0.6):  # as wide as no font is: the tables get smaller, and then the texts, too
        page.evaluate(WIDER, spacing)
        drawn(page)
        found = page.evaluate(MEASURED, "stepper")
        assert found["outside"] == [], spacing
        assert found["covers"]
    for key, step in (("PageDown", 401), ("ArrowRight", 402), ("PageUp", 401), ("ArrowLeft", 400)):
        page.keyboard.press(key)
        expect(page.locator(".stepper .number")).to_have_value(str(step))
    page.keyboard.press("f")
    expect(page.locator(".stepper.presented")).to_have_count(0)


@pytest.mark.thorough
def test_the_mapping_is_presented(page, server):
    window = page.context.new_cdp_session(page)
    page.goto(server)
    expect(page.locator(".outline .node").first).to_be_visible()
    settle(page)
    page.keyboard.press("f")
    presented(page, "outline", window=window)
    page.keyboard.press("PageDown")
    expect(page.locator(".outline .status").first).to_have_text(re.compile("^1 of"))
    page.get_by_role("button", name="Leave").click()


@pytest.mark.thorough
def test_where_a_browser_forbids_the_full_screen_it_fills_the_window(page, server):
    page.add_init_script(
        "Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('forbidden'));"
    )
    page.goto(f"{server}/Learn?part=steps&{TREES}")
    expect(page.locator(".stepper .number")).to_have_value("0")
    settle(page)
    page.keyboard.press("f")
    expect(page.locator(".stepper.presented")).to_be_visible()
    drawn(page)
    found = page.evaluate(MEASURED, "stepper")
    assert found["outside"] == []
    assert found["covers"]
    page.get_by_label("Step number").focus()
    page.keyboard.press("Escape")  # from a field, too
    expect(page.locator(".stepper.presented")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_in_viewport()


SLIDE = """() => {
  const number = new URL(location).searchParams.get("slide");
  const root = document.querySelector(`.stMain .st-key-slide-${number}`);
  const zoom = parseFloat(getComputedStyle(root).zoom);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const small = [];
  while (texts.nextNode()) {
    const { parentElement: box, data } = texts.currentNode;
    const range = document.createRange();
    range.selectNode(texts.currentNode);
    if (!data.trim() || range.getBoundingClientRect().width < 2 || box.closest(".katex, style, title")) continue;
    if (parseFloat(getComputedStyle(box).fontSize) * zoom * devicePixelRatio < 23.9) small.push(data);
  }
  const whole = root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth;
  return { number: Number(number), small, whole };
}"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("address", "slides"),
    [
        ("Learn?part=start&edit=two", 4),
        ("Learn?part=sentences", 3),
        ("Learn?part=orders", 4),
        ("Learn?part=limits", 3),
        ("Learn?part=exercises&exercise=mapping&exercise_seed=8", 1),
        ("Learn?part=exercises&exercise=cell", 1),
        ("Method", 14),
    ],
)
def test_every_part_is_presented_one_screen_a_step(page, server, address, slides):
    """At any zoom: texts of 24 pixels of 1080 lines, and nothing to scroll."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    window = page.context.new_cdp_session(page)
    page.goto(f"{server}/{address}")
    present = page.get_by_role("button", name="Present")
    expect(present).to_be_visible()
    settle(page)
    present.click()
    for number in range(1, slides + 1):
        expect(page.get_by_text(f"{number} / {slides}")).to_be_visible()
        for zoom in (1, 2):
            size = {"width": int(1920 / zoom), "height": int(1080 / zoom)}
            window.send(
                "Emulation.setDeviceMetricsOverride", {**size, "deviceScaleFactor": zoom, "mobile": False}
            )
            settle(page)
            page.wait_for_function(f"() => ({SLIDE})().whole")
            assert page.evaluate(SLIDE) == {"number": number, "small": [], "whole": True}, (number, zoom)
        page.keyboard.press("PageDown")
    page.keyboard.press("Escape")
    expect(present).to_be_visible()
    expect(page).not_to_have_url(re.compile("slide="))
