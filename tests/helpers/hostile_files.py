"""Files that somebody may upload to do harm: too large, broken on purpose, or pointing elsewhere.

A reader of any kind answers each of them with what it has read, or one sentence, and soon.
"""

import gzip
import io
import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

from helpers.payloads import OUTSIDE

from tted_core.errors import MAX_BYTES, MAX_DEPTH

CANARY = "the canary of another file"  # contents of a file that an upload may point at and must not show

MAP = '{"text": "a", "children": [{"text": "b"}]}'


def zipped(entries: Mapping[str, str | bytes]) -> bytes:
    """An archive of entries by their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _nested(depth: int) -> bytes:
    content = MAP.encode()
    for _ in range(depth):
        content = zipped({"a.zip": content, "a.json": content})
    return content


def _linked(target: str) -> bytes:
    """An archive with a symbolic link."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        entry = zipfile.ZipInfo("map.json")
        entry.create_system = 3
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, target)
    return buffer.getvalue()


def _overlapping(count: int) -> bytes:
    """An archive whose entries all are the same bytes (Fifield's bomb)."""
    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = body.compress(b" " * 1_000_000) + body.flush()
    crc = zlib.crc32(b" " * 1_000_000)
    sizes = struct.pack("<3L", crc, len(packed), 1_000_000)
    local = b"PK\3\4" + struct.pack("<5H", 20, 0, 8, 0, 33) + sizes + struct.pack("<2H", 5, 0) + b"a.txt"
    head = b"".join(
        b"PK\1\2"
        + struct.pack("<6H", 20, 20, 0, 8, 0, 33)
        + sizes
        + struct.pack("<5H2L", 9, 0, 0, 0, 0, 0, 0)
        + b"%05d.txt" % number
        for number in range(count)
    )
    start = len(local) + len(packed)
    return local + packed + head + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, count, count, len(head), start, 0)


def _patched(content: bytes, mark: bytes, at: int, value: bytes) -> bytes:
    """The content with some bytes behind its first mark changed."""
    index = content.index(mark) + at
    return content[:index] + value + content[index + len(value) :]


def _laughing_xml() -> str:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    return f'<!DOCTYPE m [<!ENTITY l0 "ha">{entities}]><map><node TEXT="&l9;"/></map>'


ARCHIVE = zipped({"a.json": MAP, "b.json": MAP})
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(20)

# Problem -> a file of less than a megabyte that all readers must answer within a second.
UPLOADS: dict[str, Callable[[], str | bytes]] = {
    "nothing": lambda: b"",
    "NUL bytes": lambda: bytes(1000),
    "a picture called a zip": lambda: PNG,
    "a picture behind a zip's head": lambda: b"PK\3\4" + PNG,
    "a zip behind a page": lambda: b"<!DOCTYPE html><script>hit()</script>" + ARCHIVE,
    "gzip bomb": lambda: gzip.compress(b" " * 5_000_000),
    "zips in zips": lambda: _nested(8),
    "a zip that is all entries at once": lambda: _overlapping(4000),
    "a path upwards": lambda: zipped({"../../../../tmp/owned.json": MAP, "..\\..\\owned.json": MAP}),
    "an absolute path": lambda: zipped({"/etc/owned.json": MAP, "C:\\owned.json": MAP}),
    "names that are commands": lambda: zipped({"\x1b]0;owned\x07.json": MAP, "a\nb\x9b.json": MAP}),
    "a name that turns": lambda: zipped({"\u202enosj.exe.json": MAP}),
    "a very long name": lambda: zipped({"x" * 60_000 + ".json": MAP}),
    "one name twice": lambda: zipped({"a.json": MAP}) + zipped({"a.json": MAP}),
    "a link to another file": lambda: _linked("/etc/passwd"),
    "a folder called a map": lambda: zipped({"a.json/": "", "a.json/b.json/": ""}),
    "an encrypted entry": lambda: _patched(ARCHIVE, b"PK\1\2", 8, b"\1"),
    "a method that nobody knows": lambda: _patched(ARCHIVE, b"PK\1\2", 10, b"\x63"),
    "a wrong sum": lambda: _patched(ARCHIVE, b"PK\1\2", 16, b"\0\0\0\0"),
    "a size that isn't so": lambda: _patched(ARCHIVE, b"PK\1\2", 24, b"\xff\xff\xff\x7f"),
    "an entry that is elsewhere": lambda: _patched(ARCHIVE, b"PK\1\2", 42, b"\xff\xff\xff\x7f"),
    "more entries than there are": lambda: _patched(ARCHIVE, b"PK\5\6", 8, b"\xff\xfe\xff\xfe"),
    "half a zip": lambda: ARCHIVE[: len(ARCHIVE) // 2],
    "a zip without its directory": lambda: ARCHIVE[: ARCHIVE.index(b"PK\1\2")],
    "an XMind whose map is XML with entities": lambda: zipped({"content.xml": _laughing_xml()}),
    "billion laughs": _laughing_xml,
    "quadratic entity": lambda: (
        f'<!DOCTYPE m [<!ENTITY a "{"x" * 50_000}">]><map><node TEXT="{"&a;" * 50_000}"/></map>'
    ),
    "another file as an entity": lambda: (
        '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///CANARY">]><map><node TEXT="&x;"/></map>'
    ),
    "a page as an entity": lambda: (
        f'<!DOCTYPE m [<!ENTITY % x SYSTEM "http://{OUTSIDE}/x.dtd"> %x;]><map><node TEXT="a"/></map>'
    ),
    "another file included": lambda: (
        '<map xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///CANARY" parse="text"/></map>'
    ),
    "an external style": lambda: (
        f'<?xml-stylesheet href="http://{OUTSIDE}/x.xsl"?><opml version="2.0"><body><outline text="a" '
        f'type="include" url="http://{OUTSIDE}/b.opml"/></body></opml>'
    ),
    "a script in a map": lambda: (
        '<map><node TEXT="a" LINK="javascript:hit()"><attribute NAME="script1" VALUE="hit()"/></node></map>'
    ),
    "deep indentation": lambda: "\n".join("  " * level + "a:" for level in range(700)),
    "deep JSON": lambda: '{"a":' * 5000 + "1" + "}" * 5000,
    "deep JSON in a list": lambda: "[" * 5000 + "]" * 5000,
    "huge numbers": lambda: '{"a": {"b": 1e999, "c": -1e-999, "d": ' + "9" * 5000 + ', "e": NaN}}',
    "keys that are methods": lambda: '{"__proto__": {"constructor": {"toString": {}}, "__class__": {}}}',
    "one key many times": lambda: "{" + ",".join(['"a": {"b": {}}'] * 3000) + "}",
    "half a JSON": lambda: MAP[: len(MAP) // 2],
    "half a UTF-8": lambda: "Кит".encode()[:-1],
    "UTF-8 that is too long": lambda: b'{"\xc0\xaf\xe0\x80\xaf": {}}',
    "half a UTF-16": lambda: MAP.encode("utf-16")[:-1],
    "UTF-7": lambda: b"+ADw-script+AD4-",
    "an encoding that isn't so": lambda: '<?xml version="1.0" encoding="utf-16"?><map><node TEXT="ж"/></map>',
    "an encoding that nobody knows": lambda: b'<?xml version="1.0" encoding="idna"?><map/>',
    "lone surrogates": lambda: '{"\\ud800": {"\\udc00\\ud800": {}}}',
    "a graph in a circle": lambda: "digraph { a -> b -> c -> a }",
    "a node above itself": lambda: '{"nodes": ["a", "b"], "adj": [[1], [0]]}',
    "nodes that aren't there": lambda: '{"nodes": ["a"], "adj": [[-1, 1000000000]]}',
    "an external picture": lambda: (
        f'digraph {{ a [image="http://{OUTSIDE}/x.png", URL="javascript:hit()"] }}'
    ),
    "formulas in a table": lambda: "parent,child\n=1+1,=cmd|' /C calc'!A0\n",
    "a table of one endless row": lambda: "a," * 200_000,
    "quotes that never close": lambda: 'parent,child\n"' + "a,b\n" * 20_000,
    "100,000 nodes": lambda: "a\n" + " b\n" * 100_000,
    "100,000 levels": lambda: "\n".join("#" * 6 + " a" for _ in range(100_000)),
    "100,000 edges": lambda: "parent,child\n" + "\n".join(f"0,{i}" for i in range(1, 100_001)),
    "a pickle": lambda: b"\x80\x04\x95\x1e\0\0\0\0\0\0\0\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.",
    "a program": lambda: b"\x7fELF\x02\x01\x01" + bytes(100),
    "a document that is a zip": lambda: zipped({"word/document.xml": "<w/>", "[Content_Types].xml": "<T/>"}),
    "deep quotations": lambda: "# a\n" + "> " * 5000,
}

# Name -> content of a map above a limit, which is rejected before any long work.
TOO_LARGE = {
    "10^6 open brackets": lambda: "[" * 10**6,
    "10^6 nested lists": lambda: "[" * 10**6 + "]" * 10**6,
    "deep objects": lambda: '{"a":' * 10**5 + "{}" + "}" * 10**5,
    "too many levels": lambda: '{"a":' * (MAX_DEPTH + 1) + "{}" + "}" * (MAX_DEPTH + 1),
    "100,000 siblings": lambda: json.dumps({"a": {str(i): {} for i in range(100_000)}}),
    "a 9 MB label": lambda: json.dumps({"x" * 9_000_000: {}}),
    "a 9 MB line": lambda: "x " * 4_500_000,
    "combining accents": lambda: "e" + "\u0301" * 1_000_000,
    "many lines": lambda: "- a\n" * 1_000_000,
    "many values": lambda: '{"a": [' + "1," * 310_000 + "1]}",
    "long Markdown": lambda: "# a\n" + "b c\n" * 300_000,
    "too large": lambda: " " * (MAX_BYTES + 1),
    "wide characters": lambda: "я" * (MAX_BYTES // 2 + 1),
    "deep XML": lambda: "<map>" + "<node>" * 10**6,
    "many XML elements": lambda: "<map>" + "<node/>" * 610_000,
    "zip bomb": lambda: zipped({"content.json": b" " * 50_000_000}),
    "bomb in parts": lambda: zipped({f"x{i}.txt": b"x" * 9_000_000 for i in range(4)}),
    "many files": lambda: zipped({f"x{i}.txt": "a" for i in range(1001)}),
    "many sheets": lambda: zipped({"content.json": json.dumps([{"rootTopic": {"title": "a"}}] * 1001)}),
    "many nodes in several maps": lambda: zipped({f"x{i}.txt": "a\n" + " b\n" * 26_000 for i in range(2)}),
    "much text in several maps": lambda: zipped({f"x{i}.txt": "a\n" + " b" * 10**6 for i in range(2)}),
    "much Markdown in several maps": lambda: zipped({f"x{i}.md": "# a\n" + "b" * 99_000 for i in range(5)}),
    "many entries": lambda: zipped({f"x{i}.txt": "" for i in range(6000)}),
    "deep Mermaid": lambda: "mindmap\n" + "\n".join(" " * level + "a" for level in range(1, 600)),
    "deep PlantUML": lambda: "@startmindmap\n" + "\n".join("*" * level + " a" for level in range(1, 600)),
    "long chain of edges": lambda: "parent,child\n" + "\n".join(f"{i},{i + 1}" for i in range(5000)),
}
