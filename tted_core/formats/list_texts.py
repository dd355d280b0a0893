"""The texts of lists without what belongs to the list: colons, numbers, quotes, words for levels and for the map.

They are cleaned alike, whichever reader read the list.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from tted_core.formats.answers import ROMANS
from tted_core.formats.chat_words import LEVEL_WORD_BEHIND, MAP
from tted_core.formats.forest import Forest
from tted_core.formats.talk import topic_of_title, without_marks

_COLON = re.compile(r"(?<=[^\s\\])\s*[:：]([*_]{0,3})\s*$")
_ORDINAL = re.compile(r"(?:(\d{1,3})(?:[.)]|\ufe0f?\u20e3)|(?:([IVX]{1,5})|([A-Z]))[.)])\s+(?=\S)")
_QUOTED = re.compile(r"\"[^\"]+\"$|“[^”]+”$|«[^»]+»$|„[^“]+“$")


def settle_texts(forest: Forest) -> None:
    """Remove colons before children, ascending numbers, quotes around each text, and "Mind Map:" before a root."""
    roots = [node for node, parent in enumerate(forest.parents) if parent < 0]
    for node in roots:
        forest.labels[node] = topic_of_title(forest.labels[node])
    _leave_out_generic_root(forest, roots)
    if all(map(_QUOTED.match, forest.labels)):
        forest.labels[:] = [label[1:-1] for label in forest.labels]
    below: dict[int, list[int]] = defaultdict(list)
    numbers: dict[int, str] = {}
    for node, parent in enumerate(forest.parents):
        below[parent].append(node)
        if forest.labels[node].endswith((")", "）")):
            forest.labels[node] = LEVEL_WORD_BEHIND.sub("", forest.labels[node]) or forest.labels[node]
    for parent, nodes in below.items():
        if parent >= 0 and "\n" not in forest.labels[parent]:
            forest.labels[parent] = _COLON.sub(r"\1", forest.labels[parent])
        found = [_ORDINAL.match(without_marks(forest.labels[node])) for node in nodes]
        if not (len(nodes) > 1 and all(found) and _in_order([each for each in found if each])):
            found = _numbered_below(numbers.get(parent), [forest.labels[node] for node in nodes])
        for node, each in zip(nodes, found, strict=True):
            if each:
                forest.labels[node] = forest.labels[node].replace(each[0], "", 1)
                numbers[node] = each[0].strip(" .)")


def _numbered_below(number: str | None, labels: Sequence[str]) -> list[re.Match[str] | None]:
    """The numbers "2.1", "2.2" ... in front of texts below a node with the number 2; None for other texts."""
    found: list[re.Match[str] | None] = []
    following = 1
    for label in labels:
        pattern = rf"{re.escape(number or '')}\.{following}[.)]?\s+(?=\S)"
        found.append(re.match(pattern, without_marks(label)) if number else None)
        following += found[-1] is not None
    return found


def _leave_out_generic_root(forest: Forest, roots: Sequence[int]) -> None:
    """Remove a root that is just "Mind Map", if the map's real root is below or beside it."""
    if not roots or not MAP.fullmatch(without_marks(forest.labels[roots[0]]).strip(" :：")):
        return
    children = [child for child, parent in enumerate(forest.parents) if parent == roots[0]]
    is_parent = len(children) == 1 and children[0] in forest.parents
    if (is_parent and len(roots) == 1) or (not children and len(roots) == 2):
        forest.remove(roots[0])


def _in_order(found: Sequence[re.Match[str]]) -> bool:
    return (
        [each[1] for each in found] == [str(number) for number in range(1, len(found) + 1)]
        or [each[2] for each in found] == [roman.upper() for roman in ROMANS[: len(found)]]
        or [each[3] or each[2] for each in found] == list("ABCDEFGHIJKLMNOP"[: len(found)])
    )
