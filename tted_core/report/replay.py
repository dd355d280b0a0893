"""Replay files: a comparison's maps, options and result in one JSON text, from which it can be made again.

The result is in the file to be checked, not to be believed: reading it gives the maps and options, and
``differences`` lists the differences of a repeated comparison from the one in the file.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tted_core.compare import Comparison
from tted_core.errors import InvalidTreeError, MapFormatError, OptionsError, TTEDError, UnknownNameError
from tted_core.formats import MindMap
from tted_core.formats.labels import counted
from tted_core.foundations.limits import MAX_BYTES, MAX_LABEL_CHARACTERS, MAX_NODES_READ, check_limit
from tted_core.method import OPTIONS, Method, Signature
from tted_core.solvers import Choices
from tted_core.solvers.structure import Entry
from tted_core.tree import TextTree
from tted_core.version import VERSION

LAYOUT = 1
"""The number of the file's layout, the value of its key ``tted_replay``."""

TOLERANCE = 1e-5
"""Relative; the last digits depend on the processor and on how texts are batched (docs/method.md)."""

WORDS = {option.key: name for name, option in OPTIONS.items()} | {
    "proven": "proof",
    "in": "maps",
    "v": "version of TTED",
}
"""The parts of a signature in words."""


@dataclass(frozen=True)
class Replay:
    """The contents of a replay file.

    Attributes:
        left: the map that is edited, whole, even if a depth is chosen.
        right: the map that comes out, likewise.
        method: the options.
        choices: pairs that were forced or forbidden.
        signature: the signature of the result in the file.
        tted: its distance.
        normalized: its normalized distance.
        version: the version of this package that made it.
        steinhaus: its Steinhaus score; None if the file has none, as with the next two.
        avg_tted: its AvgTTED.
        proven: whether it was proven optimal.
    """

    left: MindMap
    right: MindMap
    method: Method
    choices: Choices
    signature: str
    tted: float
    normalized: float
    version: str
    steinhaus: float | None = None
    avg_tted: float | None = None
    proven: bool | None = None


def replay_json(left: MindMap, right: MindMap, comparison: Comparison) -> str:
    """The replay file of a comparison of ``left`` and ``right`` (as read: not trimmed to a depth)."""
    result = comparison.to_dict()
    content = {
        "tted_replay": LAYOUT,
        "version": VERSION,
        "signature": comparison.signature,
        "left": _map_content(left),
        "right": _map_content(right),
        "options": comparison.method.described,
        "choices": asdict(comparison.choices),
        "result": {name: value for name, value in result.items() if name not in {"left", "right", "options"}},
    }
    return json.dumps(content, indent=1, allow_nan=False)  # ASCII: any label survives, lone surrogates too


def read_replay(content: bytes | str) -> Replay:
    """Read a replay file."""
    check_limit(len(content), MAX_BYTES, "bytes in the replay file", "save it again")
    try:
        whole = json.loads(content)
        outside = {**whole, "left": None, "right": None} if isinstance(whole, dict) else whole
        json.dumps(outside, ensure_ascii=False).encode()  # refuses escapes of half a character, but in maps
    except RecursionError as error:
        raise MapFormatError(
            "the replay file has too many brackets within brackets; save it again"
        ) from error
    except json.JSONDecodeError as error:
        raise MapFormatError(
            f"the replay file is no JSON: {error.msg}; save it again", line=error.lineno, column=error.colno
        ) from error
    except ValueError as error:  # bytes or escapes that are no text, a number of too many digits
        raise MapFormatError(f"the replay file can't be read: {error}; save it again") from error
    if not isinstance(whole, dict) or "tted_replay" not in whole:
        raise MapFormatError(
            "this is no replay file of TTED; to compare a mind map, add it to one of the sides"
        )
    if whole["tted_replay"] != LAYOUT:
        raise MapFormatError(
            f"the replay file has the layout {whole['tted_replay']!r:.20}, and this version of TTED reads "
            f"{LAYOUT}; update TTED"
        )
    result = _Part(whole, "").part("result")
    top = _Part(whole, "")
    left, right = _mind_map(top.part("left")), _mind_map(top.part("right"))
    method = _method(top.part("options"))
    return Replay(
        left,
        right,
        method,
        _choices(top.part("choices"), left.tree, right.tree, method.depth),
        top.text("signature"),
        result.number("tted"),
        result.number("normalized"),
        top.text("version"),
        result.number("steinhaus") if "steinhaus" in result.content else None,
        result.number("avg_tted") if "avg_tted" in result.content else None,
        result.value("proven", bool, "true or false") if "proven" in result.content else None,
    )


def differences(replay: Replay, comparison: Comparison) -> tuple[str, ...]:
    """Differences of the repeated comparison from the file's, one sentence each."""
    found = []
    before, now = (Signature.read(each).parts for each in (replay.signature, comparison.signature))
    for name in dict.fromkeys((*before, *now)):
        if name == "eq":  # of measures that the file doesn't hold
            continue
        if before.get(name) != now.get(name):
            word = WORDS.get(name, name)
            found.append(f"{word}: {before.get(name, 'none')} in the file, {now.get(name, 'none')} now")
    if before.get("proven") == now.get("proven") and replay.proven not in {None, comparison.proven}:
        found.append("proof: not as in the signature of the file")
    for name in ("tted", "normalized", "steinhaus", "avg_tted"):
        then, value = getattr(replay, name), getattr(comparison, name)
        if then is not None and not math.isclose(then, value, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            found.append(f"{name}: {then:.6f} in the file, {value:.6f} now")
    return tuple(found)


def _map_content(mind_map: MindMap) -> dict[str, Any]:
    tree = mind_map.tree
    content = {"name": mind_map.name, "labels": list(tree.labels), "parents": list(tree.parents)}
    return content | ({"joined": mind_map.joined} if mind_map.joined else {})


@dataclass(frozen=True)
class _Part:
    """An object in the file, and the path to it for messages."""

    content: Mapping[str, Any]
    path: str

    def value(self, name: str, kind: type | tuple[type, ...], what: str) -> Any:
        """The value under a name, if it is of this kind; ``what`` is the word for the kind."""
        value = self.content.get(name)
        right = isinstance(value, kind) and (not isinstance(value, bool) or kind is bool)
        if name not in self.content or not right:
            raise MapFormatError(f"the replay file needs {what} here; save it again", path=self.at(name))
        return value

    def at(self, name: str) -> str:
        return f"{self.path} > {name}" if self.path else name

    def part(self, name: str) -> "_Part":
        return _Part(self.value(name, dict, "an object"), self.at(name))

    def text(self, name: str) -> str:
        return str(self.value(name, str, "a text"))

    def number(self, name: str) -> float:
        value = _as_float(self.value(name, (int, float), "a number"))
        if not math.isfinite(value):
            raise MapFormatError(
                "the replay file needs a finite number here; save it again", path=self.at(name)
            )
        return value

    def list_of(self, name: str, kind: type | tuple[type, ...], what: str) -> list[Any]:
        found: list[Any] = self.value(name, list, f"a list of {what}")
        for number, value in enumerate(found):
            _Part({str(number): value}, self.at(name)).value(str(number), kind, f"one of {what}")
        return found


def _mind_map(part: _Part) -> MindMap:
    labels = part.list_of("labels", str, "texts")
    check_limit(len(labels), MAX_NODES_READ, f"nodes in {part.path}", "split the map")
    longest = max(map(len, labels), default=0)
    check_limit(longest, MAX_LABEL_CHARACTERS, f"characters in a node of {part.path}", "shorten it")
    name = part.value("name", (str, type(None)), "a name or null")
    try:
        tree = TextTree(tuple(labels), tuple(part.list_of("parents", int, "node numbers")))
    except InvalidTreeError as error:
        raise MapFormatError(f"{error}; save the replay file again", path=part.path) from error
    joined = part.value("joined", int, "a number of roots") if "joined" in part.content else 0
    if joined and joined != len(tree.children[0]):
        raise MapFormatError(
            "the number of joined roots is not that of the root's children; save the replay file again",
            path=part.at("joined"),
        )
    return MindMap(tree, "tree", name=name, joined=joined)


def _method(part: _Part) -> Method:
    for name in part.content:
        if name not in OPTIONS or name == "masked_model":
            raise MapFormatError(
                "this version of TTED doesn't know this option; update TTED", path=part.at(name)
            )
    part.value("depth", (int, type(None)), "a number of levels or null")
    part.value("time_limit", (int, float, type(None)), "a number of seconds or null")
    for name in ("encoder", "distance", "order", "context"):
        part.text(name)
    for name in part.content:
        if name != "encoder":
            try:
                OPTIONS[name].check(part.content[name])
            except UnknownNameError:
                raise
            except TTEDError as error:
                raise MapFormatError(str(error), path=part.at(name)) from error
    try:
        return Method.of_described(part.content)
    except OptionsError as error:
        raise MapFormatError(str(error), path=part.path) from error


def _as_float(value: float) -> float:
    """A number of JSON, whose integers may be larger than any float: infinite then."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _choices(part: _Part, left: TextTree, right: TextTree, depth: int | None) -> Choices:
    """The choices, each once and of nodes that the maps have; at a depth these are the trimmed maps' nodes."""
    trees = [tree if depth is None else tree.trimmed(depth) for tree in (left, right)]
    kinds = {}
    for kind in ("forced", "forbidden"):
        found: dict[Entry, None] = {}
        for number, entry in enumerate(part.list_of(kind, list, "pairs")):
            at = f"{part.at(kind)} > {number}"
            if len(entry) != 2 or not all(node is None or type(node) is int for node in entry):
                raise MapFormatError("a choice is a pair of node numbers or null", path=at)
            _check_nodes((entry[0], entry[1]), trees, depth, at)
            if (entry[0], entry[1]) in found:
                raise MapFormatError("this choice is there twice; remove one", path=at)
            found[entry[0], entry[1]] = None
        kinds[kind] = tuple(found)
    return Choices(**kinds)


def _check_nodes(choice: Entry, trees: list[TextTree], depth: int | None, at: str) -> None:
    if choice == (None, None):
        raise MapFormatError("this choice names no node; remove it", path=at)
    for node, tree, side in zip(choice, trees, ("left", "right"), strict=True):
        if node is not None and not 0 <= node < len(tree):
            levels = "" if depth is None else f" to depth {depth}"
            raise MapFormatError(
                f"this choice names node {node!s:.20}, but the {side} map has {counted(len(tree), 'node')}"
                f"{levels}; remove it",
                path=at,
            )
