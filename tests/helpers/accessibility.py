"""What axe-core finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def faults(page: Page, within: str | None = None) -> list[str]:
    """The serious and critical findings that last: while colours fade over, contrast is low."""
    page.mouse.move(0, 0)
    found = _faults_now(page, within)
    for _ in range(3):
        if not found:
            break
        page.wait_for_timeout(1500)
        found = _faults_now(page, within)
    return found


def _faults_now(page: Page, within: str | None) -> list[str]:
    found = Axe().run(page, context=within).response["violations"]
    return [
        f"{each['id']} {node['target']}: {node['html'][:200]}"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]
