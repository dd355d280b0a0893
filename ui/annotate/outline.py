"""A map as an outline of HTML, some of its nodes marked."""

from collections.abc import Collection

from tted_core import TextTree
from ui.text import label_html

LABEL = 240
"""Characters shown of a node's text."""

STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-check-map) { position: sticky; top: 4.5rem; }
.tted-outline div {
  padding: .1rem .4rem; border-left: 3px solid transparent; scroll-margin: 6rem; overflow-wrap: anywhere;
}
.tted-outline div.marked { border-color: #d97706; }
.tted-outline div:target { background: #d9770640; }
</style>"""


def outline_html(tree: TextTree, marked: Collection[int], name: str = "node") -> str:
    """The HTML of a map; ``name`` begins the nodes' anchors."""
    lines = "".join(
        f'<div id="tted-{name}-{node}"{" class=marked" if node in marked else ""} '
        f'style="margin-left:{1.1 * (depth - 1):g}rem">{label_html(label, LABEL)}</div>'
        for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True))
    )
    # The keyboard scrolls only what Tab reaches.
    return f'{STYLE}<div class="tted-outline" tabindex="0" role="group" aria-label="The map">{lines}</div>'


def scroll_to(tree: TextTree, node: int, name: str = "node") -> str:
    """The HTML that scrolls the box of a map's outline, not the page, to a node."""
    # Run once for each text of it, hence the map's digest.
    return f"""<script>/* {tree.digest} */ {{
const node = document.getElementById("tted-{name}-{node}");
let box = node?.parentElement;
while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
const top = each => each.getBoundingClientRect().top;
if (box) box.scrollTop += top(node) - top(box) - box.clientHeight / 3;
}}</script>"""
