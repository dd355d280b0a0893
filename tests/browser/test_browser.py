"""The application as a person meets it: a real server and a real Chromium."""

import json
from pathlib import Path

import pytest
from helpers.browser import IN_BROWSER, ROOT, settle
from playwright.sync_api import Page, expect

from tted_core import compare, read_map

CORAL = ROOT / "sample_trees" / "coral-reefs"

pytestmark = IN_BROWSER


def graph_labels(page: Page) -> list[str]:
    """The texts of the boxes that vis-network has drawn."""
    frame = page.frame_locator("iframe[title^='Graph']")
    expect(frame.locator("#network canvas")).to_be_visible()
    settle(page)
    handle = page.query_selector("iframe[title^='Graph']")
    frame_content = handle.content_frame()
    return frame_content.evaluate(
        "Object.values(network.body.nodes).filter(n => /^(left|right)-/.test(n.id)).map(n => n.options.label)"
    )


def score(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    return box.get_by_test_id("stMetricValue").inner_text()


def upload(page: Page, side: str, file: Path) -> None:
    card = page.locator(f".st-key-{side}-card")
    card.locator("summary").click()
    card.get_by_role("tab", name="Upload").click()
    expect(card.locator("summary")).to_contain_text("no file yet")
    card.locator("input[type=file]").set_input_files(file)
    expect(card.locator("summary")).to_contain_text(file.name)


def test_two_uploads_are_compared_drawn_and_downloaded(page, server, minilm, tmp_path):
    page.goto(f"{server}/?view=graph")
    expect(page.get_by_text("TTED", exact=True).first).to_be_visible()
    settle(page)
    upload(page, "left", CORAL / "base.md")
    upload(page, "right", CORAL / "structure_1.json")
    result = compare(read_map(CORAL / "base.md"), read_map(CORAL / "structure_1.json"), encoder=minilm)
    expect(page.get_by_test_id("stMetricValue").filter(has_text=f"{result.tted:.4f}")).to_be_visible()
    settle(page)
    assert score(page, "Normalized distance") == f"{result.normalized:.3f}"

    labels = graph_labels(page)
    assert len(labels) == len(result.left.tree) + len(result.right.tree)
    assert sum(label.startswith("−") for label in labels) == result.script.count("delete")
    assert sum(label.startswith("+") for label in labels) == result.script.count("insert")

    page.get_by_role("tab", name="Download and cite").click()
    settle(page)  # while the page's script runs, Streamlit may have dropped what the button would make
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON", exact=True).click()
    file = tmp_path / "result.json"
    download.value.save_as(file)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["tted"] == pytest.approx(result.tted, abs=1e-5)
    assert content["signature"] == result.signature
    assert sum(op["cost"] for op in content["script"]) == pytest.approx(content["tted"], abs=1e-9)


@pytest.mark.parametrize("width", [1440, 390])
def test_no_boxes_of_the_graph_overlap(page, server, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{server}/?view=graph")
    graph_labels(page)
    frame = page.query_selector("iframe[title^='Graph']").content_frame()
    boxes = frame.evaluate(
        "Object.values(network.body.nodes).filter(n => /^(left|right)-/.test(n.id)).map(n => n.shape.boundingBox)"
    )
    for index, box in enumerate(boxes):
        for other in boxes[index + 1 :]:
            apart = (
                box["right"] <= other["left"]
                or other["right"] <= box["left"]
                or box["bottom"] <= other["top"]
                or other["bottom"] <= box["top"]
            )
            assert apart


def test_hostile_texts_are_shown_and_not_run(page, server):
    page.add_init_script("window.hits = 0; window.hit = () => { window.top.hits += 1; };")
    page.goto(f"{server}/?view=graph")
    expect(page.get_by_text("TTED", exact=True).first).to_be_visible()
    settle(page)
    card = page.locator(".st-key-left-card")
    card.locator("summary").click()
    card.get_by_role("tab", name="Paste").click()
    hostile = "<img src=x onerror=hit()> href </script><script>hit()</script> :red[x]"
    card.get_by_label("Text of the map").fill(f"{hostile}\n  {hostile} again")
    card.get_by_label("Text of the map").press("Control+Enter")
    expect(card.locator("summary")).to_contain_text("2 nodes")
    expect(card.get_by_text("<img src=x onerror=hit()>").first).to_be_visible()
    labels = graph_labels(page)
    assert any("onerror=hit()" in label.replace("\n", "") for label in labels)
    graph = page.query_selector("iframe[title^='Graph']")
    graph.scroll_into_view_if_needed()
    place = graph.content_frame().evaluate(
        "(() => { const at = network.canvasToDOM(network.getPosition('left-0'));"
        " const box = container.getBoundingClientRect(); return { x: at.x + box.x, y: at.y + box.y }; })()"
    )
    box = graph.bounding_box()
    page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
    tooltip = page.frame_locator("iframe[title^='Graph']").locator(".vis-tooltip")
    expect(tooltip).to_contain_text("<img src=x onerror=hit()>")
    assert page.evaluate("window.hits") == 0


def test_a_deep_link_to_the_method_page_works_on_a_fresh_server(page, server):
    page.goto(f"{server}/Method")
    expect(page.get_by_role("heading", name="How the distance is computed")).to_be_visible()
    expect(page.locator("[data-testid=stMain] img").first).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("Normalized distance")).to_be_visible()
