"""Which key of an object holds a node's text, and which its children.

The text is under ``label``, ``text`` or the like, the children under ``children``, ``nodes`` or the like, either
with a word for the level before it (``central_topic``, ``sub_branches``). Some programs write the text in an
object, ``{"data": {"text": "root"}, ...}``, and converters of XML attributes, ``{"@TEXT": "root"}`` or
``{"$": {"text": "root"}}``; such nodes are opened first.
"""

import re
from collections.abc import Sequence

from tted_core.formats.json_text import KEYS, JsonValue

_LABELS = (
    *KEYS["label"],
    *("idea", "theme", "concept", "node", "branch", "root", "center", "central", "string", "value", "v"),
    *("nm", "heading", "chapter", "section", "category", "subject", "aspect", "main", "prompt", "point"),
    *("item", "detail", "term", "step", "stage", "question", "claim", "summary"),
    *("mindmap", "mind_map", "mind map"),
    *("titre", "nom", "texte", "sujet", "titel", "bezeichnung", "thema", "zentrales_thema", "hauptthema"),
    *(
        "título",
        "titulo",
        "nombre",
        "texto",
        "tema",
        "tema_central",
        "idea_central",
        "titolo",
        "nome",
        "testo",
    ),
    *(
        "argomento",
        "тема",
        "центральная_тема",
        "название",
        "заголовок",
        "текст",
        "имя",
        "标题",
        "名称",
        "主题",
    ),
    *("中心主题", "内容", "タイトル", "名前", "テーマ", "제목", "이름", "주제", "key"),
)
_CHILDREN = (
    *("children", "nodes", "topics", "ideas", "themes", "concepts", "branches", "items", "points", "details"),
    *("chapters", "sections", "categories", "aspects", "modules", "units", "lessons", "parts", "stages"),
    *("bullets", "bullet_points", "phases", "examples", "leaves", "content", "contents", "outline", "right"),
    *("left", "rightchildren", "leftchildren", "sub", "subs", "kids", "tasks", "goals", "reports"),
    *("subordinates", "evidence", "values", "c", "ch"),
    *("enfants", "sous_branches", "sous-branches", "kinder", "äste", "hauptäste", "unteräste", "zweige"),
    *(
        "hauptzweige",
        "unterzweige",
        "unterthemen",
        "unterpunkte",
        "hijos",
        "ramas",
        "ramas_principales",
        "rami",
    ),
    *("sottorami", "figli", "filhos", "ramos", "дети", "ветви", "подветви", "подтемы", "узлы", "пункты"),
    *("分支", "子分支", "子主题", "子节点", "节点", "枝", "子", "가지", "하위"),
)
# Keys whose lists are children, but whose texts are a note or a position.
_ONLY_LISTS = ("details", "right", "left", "content", "contents", "outline")
# Keys of objects in a node that may hold its text, and of the attributes of XML.
_PARTS = frozenset({*_LABELS, "data", "attrs", "attributes", "textwrap", "nodeview", ""}).difference(
    {"node", *KEYS["map"]}
)
# Elements of XML and of binary trees, each a child or a list of children, if it has a label.
_ELEMENTS = ("node", "outline", "topic", "left", "right")

# Keys of lists below a node, whatever their word: "subtasks", "level2".
_BELOW = re.compile(r"(?:sub|supporting|secondary)[ _-]?\w+s|level[ _-]?[0-9]", re.IGNORECASE)

_LEVEL = re.compile(
    r"\A(?:(?:(?:main|central|center|core|root|primary|secondary|tertiary|supporting|sub|key)[ _-]?|"
    r"child(?:[ _-]|(?=node)))(?=[a-z]{2})|(?:skos:)?"
    r"(?-i:\w+?(?:[ _-](?=(?:title|name|label|text)\Z)|(?<=[a-z])(?=(?:Title|Name|Label|Text)\Z)))|[@$_-])",
    re.IGNORECASE,
)
_OF_ROOT = re.compile(r"main|cent|core|root", re.IGNORECASE)
_DEEPEST = 4  # objects in one another that are opened for a text


def _role(key: str) -> str:
    """Return a key without its word for the level or node: "central_topic" is "topic", "nodeTitle" is "title"."""
    return _LEVEL.sub("", key).lower()


def roles_of(value: JsonValue) -> list[tuple[str, str, JsonValue]]:
    """The role, key and value of each key of an object."""
    return [
        ("children" if item.kind == "array" and _BELOW.fullmatch(key) else _role(key), key, item)
        for key, item in value.pairs
    ]


def only_text(value: JsonValue) -> JsonValue:
    """The text of an object that has a single one; else the value itself."""
    texts = [item for item in value.items if item.kind == "string"]
    return texts[0] if value.keys and len(texts) == 1 else value


def _rank(label: tuple[str, str, JsonValue], first: str) -> tuple[bool | int, ...]:
    """The rank of a role, key and value that may be the label; the lowest is it.

    Texts come first, then keys such as "central_topic", the text itself last, and "name" before "icon_name".
    """
    role, key, item = label
    return (
        item.is_nothing,
        item.kind != "string",
        not _OF_ROOT.match(key),
        role == "content",
        key != first,
        key.lower() != role,
        _LABELS.index(role),
    )


def _named(value: JsonValue, first: str = "") -> JsonValue | None:
    """The text, number or null of an object under its likeliest key for a label."""
    labels = [each for each in roles_of(value) if each[0] in _LABELS and each[2].is_scalar]
    return min(labels, key=lambda each: _rank(each, first))[2] if labels else None


def label_key(values: Sequence[JsonValue]) -> str:
    """The key of the label in most objects, if they have several: "label", "text", or a name or title (empty).

    Programs show a "label" rather than a name or a tooltip, but it may be rare, or a class with few texts. A
    "text" is the label beside rare or equal titles, else what is said below a title.
    """
    labels, names, titles, texts = (
        len({each.string(key) for each in values}) for key in ("label", "name", "title", "text")
    )
    counts = {"label": labels, "": max(names, titles), "text": texts}
    return max(counts, key=counts.__getitem__)


def open_node(value: JsonValue, depth: int = _DEEPEST) -> JsonValue:
    """An object with the keys of the one in it that holds its label: {"data": {"text": "a"}} is {"text": "a"}."""
    if _named(value) not in {None, value.get("key")}:
        return value
    parts = (
        (item, open_node(item if item.keys else item.items[0], depth - 1))
        for key, item in value.pairs
        if depth and item.items and (_role(key) in _PARTS or (_OF_ROOT.match(key) and _role(key) == "node"))
        if item.keys or _role(key) == "label"  # which may be a list of texts in several languages
    )
    part, opened = next((each for each in parts if _named(each[1])), (None, value))
    if part is None:
        return value
    pairs = [*(pair for pair in value.pairs if pair[1] is not part), *opened.pairs]
    return JsonValue("object", keys=tuple(key for key, _ in pairs), items=tuple(item for _, item in pairs))


def label_of(node: JsonValue, first: str = "") -> JsonValue | None:
    """The label of an opened node, ``first`` of several; an id of letters is one (AntV) if there is no other."""
    only = only_text(node)
    return _named(node, first) or (
        only if only is node.get("id") and any(map(str.isalpha, only.text)) else None
    )


def holds_children(role: str, value: JsonValue) -> bool:
    """Return True for the role of a key, and its value, that hold children."""
    is_element = role in _ELEMENTS and any(_named(open_node(each)) for each in (value, *value.items[:1]))
    return is_element or (role in _CHILDREN and (role not in _ONLY_LISTS or value.kind == "array"))


def has_children(node: JsonValue) -> bool:
    """Return True for an opened node with a label and a key for children."""
    return label_of(node) is not None and any(
        holds_children(role, item) and (not item.is_scalar or item.text == "null")
        for role, _, item in roles_of(node)
    )
