"""Violations that axe-core finds on a page."""

from axe_playwright_python.base import AXE_SCRIPT
from helpers.browser import still
from playwright.sync_api import Page

FIND = """within => axe.run(within ?? document, {resultTypes: ["violations"]}).then(found => found.violations
  .filter(each => ["serious", "critical"].includes(each.impact))
  .flatMap(each => each.nodes.map(node => `${each.id} ${node.target}: ${node.html.slice(0, 200)}`)))"""


def violations(page: Page, within: str | None = None) -> list[str]:
    """Serious and critical violations, after all fading has ended; until then contrast is low."""
    page.mouse.move(0, 0)
    still(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(FIND, within)
    return found


def violations_in_both_themes(page: Page) -> list[str]:
    """Serious and critical violations in the dark theme and then in the light one, which stays."""
    found = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(
            "theme => !document.querySelector('.stApp')"
            " || getComputedStyle(document.querySelector('.stApp')).colorScheme === theme",
            arg=theme,
        )
        found += [f"{theme}: {violation}" for violation in violations(page)]
    return found
