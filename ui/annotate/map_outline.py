"""A map as an outline whose nodes can be linked to from elsewhere on the page."""

from collections.abc import Collection

from tted_core import TextTree
from ui.text import label_html

LABEL = 160
"""Characters of a node's text."""

STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-check-map) { position: sticky; top: 4.5rem; }
.tted-outline div {
  padding: .1rem .4rem; border-left: 3px solid transparent; scroll-margin: 6rem; overflow-wrap: anywhere;
}
.tted-outline div.marked { border-color: #d97706; }
.tted-outline div:target { background: #d9770640; }
</style>"""


def anchor(node: int) -> str:
    """What a link to a node names."""
    return f"tted-node-{node}"


def outline(tree: TextTree, marked: Collection[int]) -> str:
    """The HTML of a map; some nodes are marked."""
    lines = "".join(
        f'<div id="{anchor(node)}"{" class=marked" if node in marked else ""} '
        f'style="margin-left:{1.1 * (depth - 1):g}rem">{label_html(label, LABEL)}</div>'
        for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True))
    )
    # Reached by Tab, so that the keyboard scrolls what holds it.
    return f'{STYLE}<div class="tted-outline" tabindex="0" role="group" aria-label="The map">{lines}</div>'
