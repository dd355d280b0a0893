# ruff: noqa: INP001 - a script, not a package
"""Coverage-guided fuzzing of ``parse_map`` with atheris: nothing but ``TTEDError`` may come out.

Run by hand, for ten minutes by default: ``python fuzz/read_map.py`` (needs ``pip install atheris``). It begins
with the seeds below and with the maps of sample_trees/formats, which have the shape of real files, archives too.
The first byte of an input chooses the format (or recognition), the second the file's name, the rest is the
content. An exception of another kind, a run of more than 5 s or more than 1 GB ends the run with the input in a
file named ``crash-*``, ``timeout-*`` or ``oom-*``; such a finding becomes a test.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tted_core", "markdown_it"]):
    import markdown_it  # noqa: F401 - imported here so that it is instrumented

    from tted_core.errors import TTEDError
    from tted_core.formats import FORMATS, WRITERS, parse_map, write_map
    from tted_core.formats.recognition import PROMISES
    from tted_core.tree import TextTree

CHOICES = (None, None, None, *FORMATS)
SEEDS = (
    '{"a": {"b": {}, "c": ["d", null]}}',
    "{'a': {'b': None}}",
    '{"label": "a", "children": ["b", {"text": "c", "nodes": []}]}',
    '{"format": "node_array", "data": [{"id": "r", "topic": "a"}, {"id": "x", "topic": "b", "parentid": "r"}]}',
    '{"id": 1, "title": "a", "ideas": {"1": {"title": "b"}, "-1": {"title": "c"}}}',
    '{"nodes": ["a", "b"], "adj": [[1], []]}',
    '{"sentences": ["a", "b"], "mindmap": {"root": 0, "edges": [[0, 1]]}}',
    '{"root": {"data": {"text": "a"}, "children": []}}',
    "# a\n## b\n- c\n  - [x] d\n\n1. e\n",
    "a\n├── b\n│   └── c\n└── d\n",
    "[0] a\n1. [3] b\n1.1. [4] c\n",
    "<highlight><T1>a</T1><T1.1>b</1.1></highlight>",
    '---\nx: y\n---\nmindmap\n  a((b))\n    c["d\ne"]\n    ::icon(f)\n    g))h((\n',
    "@startmindmap\n* a\n**[#red]_ b <<c>>\n***:d\ne;\n@endmindmap\n",
    '<map><node TEXT="a"><richcontent TYPE="NODE"><html><p>b</p></html></richcontent></node></map>',
    '<?xml version="1.0" encoding="latin-1"?><opml><body><outline text="a&amp;"/></body></opml>',
    "parent,child\na,b\n",
    "id;parent;text\n1;;a\n2;1;b\n",
    "Here:\n```json\n{}\n```\n~~~\na\n",
    "title:: T\n\n- a\n  collapsed:: true\n\t- b\n\t  :LOGBOOK:\n\t  CLOCK: x\n\t  :END:\n",
    '<!DOCTYPE x SYSTEM "x"><opml><head><title>T</title></head><body><outline text="a"/><outline/></body></opml>',
    "(S (NP x) (VP (V y)))",
    "1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n",
)
SHAPES = Path(__file__).parent.parent / "sample_trees" / "formats"
NAMES = (None, "pasted text", *(f"map{ending}" for ending in PROMISES), "map.md", "map.txt")


def test_one_input(data: bytes) -> None:
    """Read one input, and write what was read in each format."""
    if len(data) < 2:
        return
    format_name, name = CHOICES[data[0] % len(CHOICES)], NAMES[data[1] % len(NAMES)]
    try:
        mind_map = parse_map(data[2:], name=name, format=format_name, include_floating=True)
    except TTEDError:
        return
    tree = mind_map.tree
    if mind_map.joined and len(tree.children[0]) != mind_map.joined:
        raise AssertionError(f"{mind_map.joined} roots were joined, but there are {len(tree.children[0])}")
    for writer in WRITERS:
        text, _ = write_map(tree, writer)
        again = parse_map(text, format=writer).tree
        if again != tree:
            raise AssertionError(f"{writer} does not read back: {_difference(tree, again)}")


def _difference(left: TextTree, right: TextTree) -> str:
    return f"{left.labels[:5]!r} {left.parents[:5]} against {right.labels[:5]!r} {right.parents[:5]}"


def main() -> None:
    """Start the fuzzer on the seeds; arguments go to libFuzzer."""
    with tempfile.TemporaryDirectory() as corpus:
        shapes = [path.read_bytes() for path in sorted(SHAPES.iterdir())]
        for number, seed in enumerate([*(seed.encode() for seed in SEEDS), *shapes]):
            Path(corpus, str(number)).write_bytes(b"\0\0" + seed)
        limits = ["-max_total_time=600", "-timeout=5", "-rss_limit_mb=1000", "-max_len=4000"]
        atheris.Setup([sys.argv[0], *limits, *sys.argv[1:], corpus], test_one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
