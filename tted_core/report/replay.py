"""Replay files: a comparison's maps, options and result in one JSON text, from which it can be made again.

The result is in the file to be checked, not to be believed: reading it gives the maps and options, and
``find_differences`` lists the differences of a repeated comparison from the one in the file.
"""

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import NoneType
from typing import Any

from tted_core.comparison import Comparison
from tted_core.errors import InvalidTreeError, MapFormatError, TTEDError, UnknownNameError
from tted_core.explanation import Explanation
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_BYTES, MAX_LABEL_CHARACTERS, MAX_NODES_READ, check_limit
from tted_core.method import OPTIONS, Method, Signature
from tted_core.report.exports import describe
from tted_core.solvers import Choices
from tted_core.solvers.structure import Entry
from tted_core.tree import TextTree
from tted_core.version import VERSION

REPLAY_LAYOUT = 1
"""The number of the file's layout, the value of its key ``tted_replay``."""

SCORE_TOLERANCE = 1e-5
"""Relative; the last digits depend on the processor and on how texts are batched (docs/method.md)."""

SIGNATURE_WORDS = {option.key: name for name, option in OPTIONS.items()} | {
    "proven": "proof",
    "in": "maps",
    "v": "version of TTED",
}
"""The parts of a signature in words."""


SCORES = ("tted", "normalized", "steinhaus", "avg_tted")


@dataclass(frozen=True)
class Replay:
    """The contents of a replay file.

    Attributes:
        left: the map that is edited, whole, even if a depth is chosen.
        right: the map that comes out, likewise.
        method: the options.
        choices: pairs that were forced or forbidden.
        signature: the signature of the result in the file.
        scores: those of ``SCORES`` that it has; the first two always.
        proven: whether it was proven optimal; None if the file doesn't say.
    """

    left: MindMap
    right: MindMap
    method: Method
    choices: Choices
    signature: str
    scores: dict[str, float]
    proven: bool | None


def replay_json(left: MindMap, right: MindMap, explanation: Explanation) -> str:
    """The replay file of a comparison of ``left`` and ``right`` (as read: not trimmed to a depth)."""
    comparison, result = explanation.comparison, describe(explanation)
    content = {
        "tted_replay": REPLAY_LAYOUT,
        "version": VERSION,
        "signature": comparison.signature,
        "left": map_record(left),
        "right": map_record(right),
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
    if whole["tted_replay"] != REPLAY_LAYOUT:
        raise MapFormatError(
            f"the replay file has the layout {whole['tted_replay']!r:.20}, and this version of TTED reads "
            f"{REPLAY_LAYOUT}; update TTED"
        )
    result = _value(whole, "result", dict, "an object")
    known = [name for name in SCORES if name in result or name in SCORES[:2]]
    return Replay(
        read_map_record(whole, "left"),
        read_map_record(whole, "right"),
        _method(_value(whole, "options", dict, "an object")),
        Choices(_choices(whole, "choices > forced"), _choices(whole, "choices > forbidden")),
        _value(whole, "signature", str, "a text"),
        {name: _number(whole, f"result > {name}") for name in known},
        _value(whole, "result > proven", bool, "true or false") if "proven" in result else None,
    )


def find_differences(replay: Replay, comparison: Comparison) -> tuple[str, ...]:
    """Differences of the repeated comparison from the file's, one sentence each."""
    found = []
    before, now = (Signature.read(each).parts for each in (replay.signature, comparison.signature))
    for name in dict.fromkeys((*before, *now)):
        if name == "eq":  # of measures that the file doesn't hold
            continue
        if before.get(name) != now.get(name):
            word = SIGNATURE_WORDS.get(name, name)
            found.append(f"{word}: {before.get(name, 'none')} in the file, {now.get(name, 'none')} now")
    if before.get("proven") == now.get("proven") and replay.proven not in {None, comparison.proven}:
        found.append("proof: not as in the signature of the file")
    for name, then in replay.scores.items():
        value = getattr(comparison, name)
        if not math.isclose(then, value, rel_tol=SCORE_TOLERANCE, abs_tol=SCORE_TOLERANCE):
            found.append(f"{name}: {then:.6f} in the file, {value:.6f} now")
    return tuple(found)


def map_record(mind_map: MindMap) -> dict[str, Any]:
    """A map as it was read, as JSON-compatible data, for ``read_map_record``."""
    tree = mind_map.tree
    record = {"name": mind_map.name, "labels": list(tree.labels), "parents": list(tree.parents)}
    more = {name: getattr(mind_map, name) for name in ("joined", "notices", "talk")}
    return record | {"format": mind_map.format} | {name: value for name, value in more.items() if value}


def read_map_record(whole: Mapping[str, Any], path: str) -> MindMap:
    """Read the map that is under the name ``path`` in a file.

    Raises:
        MapFormatError: the record is damaged.
        LimitError: the map is too large.
    """
    labels = _value(whole, f"{path} > labels", list, "a list of texts")
    parents = _value(whole, f"{path} > parents", list, "a list of node numbers")
    record = {"name": None, "format": "tree", "joined": 0, "notices": [], "talk": []} | whole[path]
    for name in ("labels", "notices", "talk"):
        if not isinstance(record[name], list) or not all(isinstance(text, str) for text in record[name]):
            raise MapFormatError("the replay file needs texts here; save it again", path=f"{path} > {name}")
    for name, kinds in (("name", (str, NoneType)), ("format", str)):
        if not isinstance(record[name], kinds):
            raise MapFormatError(
                f"the replay file needs a {name} here; save it again", path=f"{path} > {name}"
            )
    check_limit(len(labels), MAX_NODES_READ, f"nodes in {path}", "split the map")
    longest = max(map(len, labels), default=0)
    check_limit(longest, MAX_LABEL_CHARACTERS, f"characters in a node of {path}", "shorten it")
    try:
        tree = TextTree(tuple(labels), tuple(parents))
    except InvalidTreeError as error:
        raise MapFormatError(f"{error}; save the replay file again", path=path) from error
    joined = record["joined"]
    if type(joined) is not int or joined not in {0, len(tree.children[0])}:
        raise MapFormatError(
            "the number of joined roots is not that of the root's children; save the replay file again",
            path=f"{path} > joined",
        )
    notices, talk = tuple(record["notices"]), tuple(record["talk"])
    return MindMap(tree, record["format"], notices, name=record["name"], joined=joined, talk=talk)


def _value(whole: Mapping[str, Any], path: str, kind: type | tuple[type, ...], what: str) -> Any:
    """The value at the end of a path ("left > labels"), if it is of this kind; ``what`` is the word for it."""
    value: Any = whole
    for name in path.split(" > "):
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise MapFormatError(f"the replay file needs {what} here; save it again", path=path)
    return value


def _number(whole: Mapping[str, Any], path: str) -> float:
    value = _value(whole, path, (int, float), "a number")
    if not abs(value) <= sys.float_info.max:
        raise MapFormatError("the replay file needs a finite number here; save it again", path=path)
    return float(value)


def _method(options: Mapping[str, Any]) -> Method:
    try:
        return Method.of_described(options)
    except UnknownNameError:
        raise
    except TTEDError as error:
        raise MapFormatError(f"{error}; save it again, or update TTED", path="options") from error


def _choices(whole: Mapping[str, Any], path: str) -> tuple[Entry, ...]:
    """The choices; whether the maps have such nodes is checked where they are compared."""
    found = []
    for entry in _value(whole, path, list, "a list of pairs"):
        is_pair = isinstance(entry, list) and len(entry) == 2
        if not is_pair or not all(node is None or type(node) is int for node in entry):
            raise MapFormatError("a choice is a pair of node numbers or null; save it again", path=path)
        found.append((entry[0], entry[1]))
    return tuple(found)
