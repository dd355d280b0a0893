"""Which key of a JSON object holds a node's text, and which its children.

The text is under ``label``, ``text``, ``name``, ``title``, ``topic`` or the like, the children under ``children``,
``nodes``, ``branches`` or the like, either with a word for the level before it (``central_topic``,
``sub_branches``). Some programs write the text in an object, ``{"data": {"text": "root"}, ...}``.
"""

import re

from tted_core.formats.json_text import KEYS, JsonValue

_LABELS = (
    *KEYS["label"],
    *("idea", "theme", "concept", "node", "branch", "root", "center", "central", "string", "value", "v"),
    *("nm", "heading", "chapter", "section", "category", "subject", "aspect", "main", "prompt", "point"),
    *("item", "detail", "term", "step", "stage"),
)
_CHILDREN = (
    *("children", "nodes", "topics", "ideas", "themes", "concepts", "branches", "items", "points", "details"),
    *("chapters", "sections", "categories", "aspects", "modules", "units", "lessons", "parts", "stages"),
    *("phases", "examples", "leaves", "content", "contents", "outline", "right", "left", "rightchildren"),
    *("leftchildren", "sub", "c", "ch"),
)
# Keys whose lists are children, but whose texts are a note or a position.
_ONLY_LISTS = ("details", "right", "left", "content", "contents", "outline")

# Keys of lists below a node, whatever their word: "subtasks".
_BELOW = re.compile(r"(?:sub|supporting|secondary)[ _-]?\w+s", re.IGNORECASE)

_LEVEL = re.compile(
    r"(?:(?:main|central|center|core|root|primary|secondary|tertiary|supporting|sub|key)[ _-]?|"
    r"child(?:[ _-]|(?=node)))(?=[a-z])|"
    r"(?-i:\w+?(?:[ _-](?=(?:title|name|label|text)\Z)|(?<=[a-z])(?=(?:Title|Name|Label|Text)\Z)))",
    re.IGNORECASE,
)
_OF_ROOT = re.compile(r"main|cent|core|root", re.IGNORECASE)


def _role(key: str) -> str:
    """Return a key without its word for the level or node: "central_topic" is "topic", "nodeTitle" is "title"."""
    level = _LEVEL.match(key)
    return key[level.end() :].lower() if level else key.lower()


def roles_of(value: JsonValue) -> list[tuple[str, str, JsonValue]]:
    """The role, key and value of each key of an object."""
    return [
        ("children" if item.kind == "array" and _BELOW.fullmatch(key) else _role(key), key, item)
        for key, item in value.pairs
    ]


def has_role(value: JsonValue) -> bool:
    """Return True for an object with a key for a label, children or data."""
    return any(_role(key) in (*_LABELS, *_CHILDREN, "data") for key in value.keys) or bool(label_of(value))


def only_text(value: JsonValue) -> JsonValue:
    """The text of an object that has a single one; else the value itself."""
    texts = [item for item in value.items if item.kind == "string"]
    return texts[0] if value.keys and len(texts) == 1 else value


def _rank(label: tuple[str, str, JsonValue]) -> tuple[bool | int, ...]:
    """The rank of a role, key and value that may be the label; the lowest is it.

    Texts come first, then keys such as "central_topic", the text itself last, and "name" before "icon_name".
    """
    role, key, item = label
    is_less = (item.is_nothing, item.kind != "string", not _OF_ROOT.match(key))
    return *is_less, role == "content", key.lower() != role, _LABELS.index(role)


def label_of(value: JsonValue) -> tuple[JsonValue, JsonValue] | None:
    """The value of an object that has the label, and the label: the value itself, or a text in it.

    An id of letters is the label (AntV) if the object has no other text.
    """
    roles = roles_of(value)
    labels = [each for each in roles if each[0] in _LABELS and each[2].is_scalar]
    if labels:
        _, _, label = min(labels, key=_rank)
        return label, label
    inside = (item for role, _, item in roles if role in ("data", *_LABELS) and item.kind == "object")
    found = ((item, item.get(*KEYS["label"])) for item in inside)
    held = next(((item, label) for item, label in found if label is not None and label.is_scalar), None)
    only = only_text(value)
    if held is None and only is value.get("id") and any(map(str.isalpha, only.text)):
        held = only, only
    return held


def holds_children(role: str, value: JsonValue, *, with_details: bool = False) -> bool:
    """Return True for the role of a key, and its value, that hold children; ``with_details``, also a detail."""
    is_detail = with_details and role == "details"
    return role in _CHILDREN and (role not in _ONLY_LISTS or value.kind == "array" or is_detail)


def has_children(value: JsonValue) -> bool:
    """Return True for an object with a label and a key for children."""
    return label_of(value) is not None and any(
        holds_children(role, item) and (not item.is_scalar or item.is_nothing)
        for role, _, item in roles_of(value)
    )
