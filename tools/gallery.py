"""Write what the gallery (ui/gallery.py) shows: its own maps, thumbnails, docs/gallery.md and the README's part.

python tools/gallery.py          # a minute; run it after a change of EXAMPLES, of a map or of the colours
python tools/gallery.py --check  # exit status 1 if what the texts say of EXAMPLES isn't what it writes
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tted_core import TTED, Comparison, read_map  # noqa: E402
from tted_core.explain.mapping_view import MappingView  # noqa: E402
from tted_core.report import svg  # noqa: E402
from tted_core.report.palette import STYLES  # noqa: E402
from ui.gallery import EXAMPLES, THUMBNAILS, Example  # noqa: E402

SAMPLES = ROOT / "sample_trees"
SERVER = "http://localhost:8501/"
MARKS = ("<!-- gallery, written by tools/gallery.py -->", "<!-- end of the gallery -->")
PAGE = """\
# Gallery

Ten finished comparisons. The links open them in the application on this machine (`make app`); on another server,
put its address in place of `{server}`.

{table}

A thumbnail is the mapping without its texts: the left map, the right map, and a line between counterparts. Grey is
the same, amber reworded (the paler, the nearer), violet moved, teal replaced, red missing, green extra.

Made by `python tools/gallery.py` from `EXAMPLES` in `ui/gallery.py`.
"""
WIDE, HIGH, EDGE, BAR = 320, 180, 10, 110

HALLUCINATED = {
    "Painting roads white has solved the problem in most cities of southern Europe.": {
        "Athens repainted all of its main streets in a single summer.": {},
        "White asphalt costs no more than the usual kind and never has to be renewed.": {},
        "Nights in these cities are now as cool as those in the mountains nearby.": {},
    }
}
RIGHT, WRONG = (
    "Fish from the reef are a daily source of protein for millions of tropical families.",
    "Fish from the reef are poisonous and are never eaten by people in the tropics.",
)
SECTIONS = {
    "Nature on the Earth and beyond it": ("solar-system/base", "coral-reefs/base", "photosynthesis/base"),
    "The city and its climate": (
        "urban-heat/base",
        "how-vaccines-work/meaning_3",
        "photosynthesis/meaning_3",
    ),
    "The body and its health": ("human-body/base", "how-vaccines-work/base"),
    "Animals": ("urban-heat/meaning_3",),
    "Food and drink": ("bread/base", "coral-reefs/meaning_3", "history-of-writing/meaning_3"),
    "Writing and music": ("history-of-writing/base", "solar-system/meaning_3"),
}
EDITED = {
    "urban-heat/base": "urban-heat/paraphrase_2",
    "coral-reefs/base": "coral-reefs/paraphrase_1",
    "bread/base": None,
}
"""What stands in the second encyclopedia in place of a map of the first; None where nothing does."""

Nested = dict[str, Any]


def maps() -> Iterator[tuple[str, Nested]]:
    """The maps that aren't samples of a topic, by file name."""
    urban = _sample("urban-heat/base")
    (root,) = urban
    yield "hallucinated_branch", {root: urban[root] | HALLUCINATED}
    coral = json.dumps(_sample("coral-reefs/paraphrase_1"), ensure_ascii=False)
    assert coral.count(RIGHT) == 1
    yield "wrong_sentence", json.loads(coral.replace(RIGHT, WRONG))
    title = "A small encyclopedia for curious readers"
    yield "encyclopedia", {title: _sections(SECTIONS)}
    moved = dict(SECTIONS)
    moved["Nature on the Earth and beyond it"] = (
        "solar-system/base",
        "coral-reefs/base",
        "urban-heat/meaning_3",
    )
    moved["Animals"] = ("photosynthesis/base",)
    edited = _sections(moved, EDITED)
    edited["The city and its climate"] |= HALLUCINATED
    yield "encyclopedia_edited", {title: edited}


def _sections(
    sections: Mapping[str, tuple[str, ...]], edits: Mapping[str, str | None] | None = None
) -> Nested:
    changed = {name: name for names in sections.values() for name in names} | (edits or {})
    return {
        title: {
            text: below
            for name in names
            if (other := changed[name])
            for text, below in _sample(other).items()
        }
        for title, names in sections.items()
    }


def _sample(name: str) -> Nested:
    content: Nested = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return content


def compared(example: Example) -> Comparison:
    """The comparison that the link opens."""
    options: dict[str, Any] = {"encoder": "minilm", **dict(example.options)}
    if "power" in options:
        options["power"] = float(options["power"])
    return TTED(**options).compare(*(read_map(SAMPLES / file) for file in (example.left, example.right)))


def thumbnail(comparison: Comparison) -> str:
    """The overview without its texts: a bar per node in its row and depth, and a line per counterpart.

    The less a reworded sentence costs beside the one that costs most, the paler it is. All bars, and all lines, of
    a look are one path, so that 300 nodes are a few KB.
    """
    view = MappingView(comparison)
    row = min(13.0, (HIGH - 2 * EDGE) / max(map(len, view.trees)))
    costs = [sum(op.cost for op in each) for each in view.operations]
    paths: dict[tuple[str, float, bool], list[str]] = {}
    middles: list[dict[int, float]] = []
    for side, nodes in enumerate((range(len(view.trees[0])), view.order)):
        tree = view.trees[side]
        top = (HIGH - row * len(tree)) / 2
        middles.append({node: round(top + row * (place + 0.5), 1) for place, node in enumerate(nodes)})
        for node, y in middles[side].items():
            indent = min(70, 12 * (tree.depths[node] - 1))
            x = EDGE + indent if side == 0 else WIDE - EDGE - indent
            end = EDGE + BAR if side == 0 else WIDE - EDGE - BAR
            kind, share = view.status(side, node), costs[view.at[side][node]] / max(*costs, 1e-9)
            opacity = 1 if kind != "reworded" or share > 0.85 else 0.7 if share > 0.5 else 0.4
            paths.setdefault((kind, opacity, True), []).append(f"M{x} {y}H{end}")
    for kind, (source, target) in view.links:
        if kind == "same" and row < 2:
            continue  # hundreds of lines are a grey veil
        x, y, end = EDGE + BAR, middles[0][source], middles[1][target]
        line = f"M{x} {y}C{WIDE // 2} {y} {WIDE // 2} {end} {WIDE - x} {end}"
        paths.setdefault((kind, 0.3 if kind == "same" else 0.6, False), []).append(line)
    drawn = [
        svg.element(
            "path",
            d="".join(pieces),
            fill="none",
            stroke=STYLES[kind].light[1],
            stroke_width=round(row * 0.6, 1) if bar else round(min(1.2, row / 2), 1),
            opacity=opacity,
        )
        for (kind, opacity, bar), pieces in sorted(paths.items(), key=lambda each: each[0][2])
    ]
    frame = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDE} {HIGH}", "width": WIDE}
    ground = svg.element("rect", width=WIDE, height=HIGH, fill="#ffffff")
    return svg.element("svg", ground, *drawn, **frame, height=HIGH) + "\n"


def table(pictures: str) -> str:
    """The examples as a Markdown table, with links to the application on this machine."""
    rows = [
        f"| ![]({pictures}{each.name}.svg) | [{each.title}]({SERVER}{each.link}) | {each.sentence} |"
        for each in EXAMPLES
    ]
    return "\n".join(["| | open | what there is to see |", "| --- | --- | --- |", *rows])


def texts() -> dict[Path, str]:
    """The files that show the examples, as they should be."""
    page = PAGE.format(server=SERVER, table=table("gallery/"))
    readme = ROOT / "README.md"
    content = readme.read_text(encoding="utf-8")
    before, found, rest = content.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    part = f"{before}{found}\n\n{table('docs/gallery/')}\n\n{MARKS[1]}{after}" if found else content
    return {ROOT / "docs" / "gallery.md": page, readme: part}


def main(arguments: list[str]) -> int:
    """Write all, or compare the texts with what stands there; return the exit status."""
    if arguments == ["--check"]:
        return int(any(file.read_text(encoding="utf-8") != text for file, text in texts().items()))
    for name, content in maps():
        file = SAMPLES / "gallery" / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    THUMBNAILS.mkdir(exist_ok=True)
    for each in EXAMPLES:
        comparison = compared(each)
        each.thumbnail.write_text(thumbnail(comparison), encoding="utf-8")
        nodes = "+".join(str(len(side.tree)) for side in (comparison.left, comparison.right))
        print(
            f"{each.name:<20} {nodes:>7} nodes  tted {comparison.tted:.4f}  "
            f"normalized {comparison.normalized:.4f}  {each.thumbnail.stat().st_size / 1000:.1f} KB"
        )
    for file, text in texts().items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
