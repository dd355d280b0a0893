"""YAML: read as the JSON that it stands for, nested dicts or objects with label and children.

Scalars stay the text that is written (in YAML 1.1, which most loaders speak, ``no``, ``1.10`` and dates would turn
into something else), and a notice names these. Aliases and tags that would build an object are refused, other tags
named: the parser's events are all that is used.
Several documents in a file are several maps.
"""

import re
from typing import TYPE_CHECKING, Any

from tted_core.errors import MapFormatError
from tted_core.formats import markdown, object_json
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import (
    MAX_JSON_NESTING,
    MAX_JSON_VALUES,
    MAX_YAML_BRACKETS,
    MAX_YAML_CHARACTERS,
    check_limit,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY = re.compile(
    r"""\s*+(?:-\s++)*+(?:"[^"\n]*+"\s*+|'[^'\n]*+'\s*+|[^\s'"#\[\]{},&*!|>%@`-][^\n]*?|-\S[^\n]*?):(?P<rest>\s.*|)$"""
)
_OTHER = re.compile(r"\s*(?:-(?:\s.*)?|#(?!#).*|---.*|\.\.\.|%YAML.*|[\]}],?|)$")
_BELOW = re.compile(r"\s*(?:$|[&|>!]|\{.*\}\s*$|\[.*\]\s*$)")
_STANDARD_TAG = re.compile(r"tag:yaml\.org,2002:(?:str|seq|map|int|float|bool|null|timestamp|omap|set)\Z")
_PLAIN_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_LONGEST_WORD = 40
_TAB = re.compile(r"^ *+\t", re.MULTILINE)
_FLOW = re.compile(r"\{\s*[^\s\"'{}\[\]:,][^{}\[\]:,\n]*:\s")
_BRACKETS = re.compile(r"[\[\]{}]")


def matches(document: Document) -> bool:
    """Lines that are all keys, list items, comments or markers, with a key that has something below it.

    Two signs # are a heading of Markdown, and lines that all begin with a dash its list.
    """
    if _FLOW.match(document.text):
        return True
    if _TAB.search(document.text):  # YAML allows no tab there, indented text does
        return False
    front = markdown.FRONT_MATTER.match(document.text)
    if front and document.text[front.end() :].lstrip().startswith(("#", "-", "*", "+")):
        return False
    nested = plain_key = False
    for _, line in document.filled_lines:
        key = _KEY.match(line)
        if key:
            plain_key = plain_key or not line.lstrip().startswith("- ")
            nested = nested or _BELOW.match(key["rest"]) is not None
        elif not _OTHER.match(line):
            return False
    return plain_key and (nested or document.text.lstrip().startswith(("---", "%YAML")))


def read(document: Document) -> list[Forest]:
    """Read a map for each YAML document.

    Raises:
        MapFormatError: no YAML, an alias, or nothing that is a map.
        LimitError: too large.
    """
    check_limit(len(document.text), MAX_YAML_CHARACTERS, "characters of YAML", "split it into smaller maps")
    _check_brackets(document.text)
    kept = _Kept()
    values = _parse(document, kept)
    if not any(value.items for value in values):
        raise MapFormatError("the YAML holds no keys and no list, just text", line=document.first_line)
    forests = [object_json.read_value(value) for value in values]
    forests[0].tell(
        kept.words,
        f"words that YAML reads as truth values, dates or other numbers stayed as written: {listed(kept.words)}",
    )
    forests[0].tell(kept.tags, f"tags were not read: {listed(kept.tags)}")
    return forests


class _Kept:
    """What stands in the text as something else than it was read as: words that are no text to YAML, and tags."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.tags: list[str] = []

    def look_at(self, event: Any, line: int) -> None:
        """Remember what an event has of that.

        Raises:
            MapFormatError: a tag asks to build an object of a programming language.
        """
        tag = event.tag
        if tag and tag != "!" and not _STANDARD_TAG.match(tag):
            shown = quoted(tag.removeprefix("tag:yaml.org,2002:"))
            if "/" in tag.removeprefix("tag:yaml.org,2002:"):
                raise MapFormatError(
                    f"the tag {shown} asks to build an object, which is refused; remove it", line=line
                )
            self.tags.append(f"{shown} (line {line})")
        if type(event).__name__ == "ScalarEvent" and event.implicit[0] and _is_changed(event.value):
            self.words.append(f"{quoted(event.value)} (line {line})")


def _is_changed(word: str) -> bool:
    """Whether a loader of YAML 1.1 would give another text for this word, written without quotes."""
    import yaml

    if len(word) > _LONGEST_WORD:
        return False
    resolvers = yaml.SafeLoader.yaml_implicit_resolvers
    tag = next((tag for tag, pattern in resolvers.get(word[:1], []) if pattern.match(word)), "")
    kind = tag.rpartition(":")[2]
    if kind == "int":
        return not _PLAIN_INTEGER.fullmatch(word)
    if kind == "float":
        return ":" in word or "_" in word or not word[-1:].isdigit() or repr(float(word)) != word
    return kind in {"bool", "timestamp"}


def _check_brackets(text: str) -> None:
    depth = 0
    what = "open brackets (or more) in the YAML"
    for match in _BRACKETS.finditer(text):
        depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
        check_limit(depth, MAX_YAML_BRACKETS, what, "indent the lines instead, or give it as JSON")


def _parse(document: Document, kept: _Kept) -> list[JsonValue]:
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _build(yaml.parse(document.text, Loader=loader), document.first_line, kept)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise MapFormatError(
            f"the YAML can't be read ({error.problem or error.context})",
            line=document.first_line + mark.line if mark else document.first_line,
            column=mark.column + 1 if mark else None,
        ) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:  # the latter for half a surrogate pair
        reason = " ".join(str(error).split())
        raise MapFormatError(f"the YAML can't be read ({reason})", line=document.first_line) from error
    except RecursionError as error:
        raise MapFormatError("the YAML is nested too deeply", line=document.first_line) from error


def _build(events: "Iterator[Any]", first_line: int, kept: _Kept) -> list[JsonValue]:
    """The values of the documents that a stream of events stands for."""
    documents = JsonValue("array", first_line)
    stack = [documents]
    count = 0
    for event in events:
        kind = type(event).__name__
        if kind in {"SequenceEndEvent", "MappingEndEvent"}:
            stack.pop()
        elif kind in {"ScalarEvent", "SequenceStartEvent", "MappingStartEvent", "AliasEvent"}:
            line = first_line + event.start_mark.line
            if kind == "AliasEvent":
                raise MapFormatError(
                    f"the alias *{event.anchor} refers to another place, which is refused; write its text out",
                    line=line,
                )
            kept.look_at(event, line)
            count += 1
            check_limit(count, MAX_JSON_VALUES, "values (or more) in the YAML", "split it into smaller maps")
            above = stack[-1]
            if above.kind == "object" and len(above.keys) == len(above.items):
                if kind != "ScalarEvent":
                    raise MapFormatError("a key of the YAML is no text", line=line)
                above.keys.append(event.value)
                continue
            value = _value(event, kind, line)
            above.items.append(value)
            if kind != "ScalarEvent":
                levels = f"levels (or more) in line {line}"
                check_limit(len(stack), MAX_JSON_NESTING, levels, "flatten the map")
                stack.append(value)
    return documents.items


def _value(event: Any, kind: str, line: int) -> JsonValue:
    if kind == "MappingStartEvent":
        return JsonValue("object", line)
    if kind == "SequenceStartEvent":
        return JsonValue("array", line)
    bare = event.implicit[0] and event.value in {"", "~", "null", "Null", "NULL"}
    return JsonValue("literal", line, "null") if bare else JsonValue("string", line, event.value)


YAML = Format(name="yaml", title="YAML", extensions=(".yaml", ".yml"), matches=matches, read=read)
