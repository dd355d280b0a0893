"""YAML: read as the JSON that it stands for, nested dicts or objects with label and children.

Scalars stay the text that is written (in YAML 1.1, which most loaders speak, ``no``, ``1.10`` and dates would turn
into something else). Aliases are refused and no tag builds an object: the parser's events are all that is used.
Several documents in a file are several maps.
"""

import re
from typing import TYPE_CHECKING, Any

from tted_core.errors import MapFormatError
from tted_core.formats import markdown, nested_json, object_json
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue
from tted_core.limits import (
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
    values = _parse(document)
    if not any(value.items for value in values):
        raise MapFormatError("the YAML holds no keys and no list, just text", line=document.first_line)
    return [
        object_json.read_value(value) if object_json.is_map(value) else nested_json.read_value(value)
        for value in values
    ]


def _check_brackets(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
        if depth > MAX_YAML_BRACKETS:
            what = "open brackets (or more) in the YAML"
            check_limit(depth, MAX_YAML_BRACKETS, what, "indent the lines instead, or give it as JSON")


def _parse(document: Document) -> list[JsonValue]:
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _build(yaml.parse(document.text, Loader=loader), document.first_line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise MapFormatError(
            f"the YAML can't be read ({error.problem or error.context})",
            line=document.first_line + mark.line if mark else document.first_line,
            column=mark.column + 1 if mark else None,
        ) from error
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise MapFormatError(f"the YAML can't be read ({reason})", line=document.first_line) from error
    except RecursionError as error:
        raise MapFormatError("the YAML is nested too deeply", line=document.first_line) from error


def _build(events: "Iterator[Any]", first_line: int) -> list[JsonValue]:
    """The values of the documents that a stream of events stands for."""
    documents: list[JsonValue] = []
    stack: list[JsonValue] = []
    keys: list[bool] = []  # for each open value: whether the next scalar is a key
    count = 0
    for event in events:
        kind = type(event).__name__
        if kind in {"SequenceEndEvent", "MappingEndEvent"}:
            stack.pop()
            keys.pop()
        elif kind in {"ScalarEvent", "SequenceStartEvent", "MappingStartEvent", "AliasEvent"}:
            line = first_line + event.start_mark.line
            if kind == "AliasEvent":
                raise MapFormatError(
                    f"the alias *{event.anchor} refers to another place, which is refused; write its text out",
                    line=line,
                )
            count += 1
            check_limit(count, MAX_JSON_VALUES, "values (or more) in the YAML", "split it into smaller maps")
            if stack and keys[-1]:
                if kind != "ScalarEvent":
                    raise MapFormatError("a key of the YAML is no text", line=line)
                stack[-1].keys.append(event.value)
                keys[-1] = False
                continue
            value = _value(event, kind, line)
            if stack:
                stack[-1].items.append(value)
                keys[-1] = stack[-1].kind == "object"
            else:
                documents.append(value)
            if kind != "ScalarEvent":
                stack.append(value)
                keys.append(value.kind == "object")
                check_limit(
                    len(stack), MAX_JSON_NESTING, f"levels (or more) in line {line}", "flatten the map"
                )
    return documents


def _value(event: Any, kind: str, line: int) -> JsonValue:
    if kind == "MappingStartEvent":
        return JsonValue("object", line)
    if kind == "SequenceStartEvent":
        return JsonValue("array", line)
    bare = event.implicit[0] and event.value in {"", "~", "null", "Null", "NULL"}
    return JsonValue("literal", line, "null") if bare else JsonValue("string", line, event.value)


YAML = Format(name="yaml", title="YAML", extensions=(".yaml", ".yml"), matches=matches, read=read)
