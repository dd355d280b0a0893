"""Builds the zip files of sample_trees/formats/, byte for byte the same each time.

Entries are stored, not deflated, and dated at the beginning of zip's calendar, so that neither the machine nor
its version of zlib shows. To write them again: ``PYTHONPATH=.:tests python -m helpers.sample_archives``.
"""

import io
import json
import zipfile
from xml.sax.saxutils import quoteattr

from helpers.paths import SAMPLES

from tted_core.formats import read_map
from tted_core.tree import TextTree

FOLDER = SAMPLES / "formats"
UPDATE = "Please update XMind to open this file."


def archives() -> dict[str, bytes]:
    """File name -> content."""
    tree = read_map(SAMPLES / "photosynthesis" / "base.json").tree
    return {
        "photosynthesis.xmind": xmind(tree),
        "photosynthesis.mmap": mindmanager(tree),
        "photosynthesis.smmx": simplemind(tree),
    }


def packed(entries: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def xmind(tree: TextTree) -> bytes:
    """A file of XMind Zen and later: the map is in content.json; content.xml only requests an update."""
    topics: list[dict[str, object]] = [
        {"id": f"t{node}", "title": label} for node, label in enumerate(tree.labels)
    ]
    for node, below in enumerate(tree.children):
        if below:
            topics[node]["children"] = {"attached": [topics[child] for child in below]}
    sheet = {"id": "s", "class": "sheet", "title": "Photosynthesis", "rootTopic": topics[0]}
    stub = f"<xmap-content><sheet><topic><title>{UPDATE}</title></topic></sheet></xmap-content>\n"
    return packed(
        {
            "content.json": json.dumps([sheet], indent=1) + "\n",
            "content.xml": stub,
            "metadata.json": "{}\n",
            "manifest.json": '{"file-entries": {"content.json": {}, "metadata.json": {}}}\n',
        }
    )


def mindmanager(tree: TextTree) -> bytes:
    pieces = ['<?xml version="1.0" encoding="UTF-8"?>\n<ap:Map xmlns:ap="urn:map"><ap:OneTopic>']
    stack: list[int | str] = ["</ap:OneTopic></ap:Map>\n", 0]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        pieces.append("\n<ap:Topic><ap:SubTopics>")
        stack.append(f"</ap:SubTopics><ap:Text PlainText={quoteattr(tree.labels[part])}/></ap:Topic>")
        stack.extend(reversed(tree.children[part]))
    return packed({"Document.xml": "".join(pieces)})


def simplemind(tree: TextTree) -> bytes:
    topics = "".join(
        f'    <topic id="{node}" parent="{tree.parents[node]}" x="{200 * tree.depths[node]}" y="{50 * node}" '
        f'text={quoteattr(label)} textfmt="plain"/>\n'
        for node, label in enumerate(tree.labels)
    )
    return packed(
        {
            "document/mindmap.xml": '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE simplemind-mindmaps>\n'
            '<simplemind-mindmaps doc-version="3">\n  <mindmap>\n    <meta><title text="Photosynthesis"/>'
            f'<main-centraltheme id="0"/></meta>\n    <topics>\n{topics}    </topics>\n    <relations/>\n'
            "  </mindmap>\n</simplemind-mindmaps>\n"
        }
    )


if __name__ == "__main__":
    for file, content in archives().items():
        (FOLDER / file).write_bytes(content)
