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
from tted_core.errors import (
    MAX_BYTES,
    MAX_LABEL_CHARACTERS,
    MAX_NODES_READ,
    InvalidTreeError,
    MapFormatError,
    TTEDError,
    UnknownNameError,
    check_limit,
)
from tted_core.explanation import Explanation
from tted_core.formats import MindMap
from tted_core.method import OPTIONS, Method, Signature
from tted_core.report.exports import describe
from tted_core.solvers import Choices
from tted_core.tree import TextTree
from tted_core.version import VERSION

REPLAY_LAYOUT = 1  # the number of the file's layout, the value of its key ``tted_replay``

# Relative; the last digits depend on the processor and on how texts are batched (docs/method.md).
SCORE_TOLERANCE = 1e-5

# The parts of a signature in words.
SIGNATURE_WORDS = {option.key: name for name, option in OPTIONS.items()} | {
    "proven": "proof",
    "in": "maps",
    "v": "version of TTED",
}


NUMBER = (int, float)

SCORES = ("tted", "normalized", "steinhaus", "avg_tted")

# What is read of the result; older files have only the first two.
RESULT: dict[str, tuple[type, ...]] = {**dict.fromkeys(SCORES, NUMBER), "proven": (bool,)}

# Shapes of the file and of a map in it, for ``_check``.
PAIRS = [[(int, NoneType)]]

SHAPE = {
    "left": {},
    "right": {},
    "options": {},
    "signature": (str,),
    "choices": {"forced": PAIRS, "forbidden": PAIRS},
}

_MAP = {
    "name": (str, NoneType),
    "format": (str,),
    "joined": (int,),
    "labels": [(str,)],
    "parents": [(int,)],
    "notices": [(str,)],
    "talk": [(str,)],
}


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
    except json.JSONDecodeError as error:
        raise MapFormatError(
            f"the replay file is no JSON: {error.msg}; save it again", line=error.lineno, column=error.colno
        ) from error
    except (ValueError, RecursionError) as error:  # no text, or too many digits or brackets within brackets
        raise MapFormatError(f"the replay file can't be read: {error}; save it again") from error
    if not isinstance(whole, dict) or "tted_replay" not in whole:
        raise MapFormatError(
            "this is no replay file of TTED; if it is a mind map, compare it with another one"
        )
    if whole["tted_replay"] != REPLAY_LAYOUT:
        raise MapFormatError(
            f"the replay file has the layout {whole['tted_replay']!r:.20}, and this version of TTED reads "
            f"{REPLAY_LAYOUT}; update TTED"
        )
    result = whole.get("result")
    others = result if isinstance(result, dict) else {}
    known = [name for name in RESULT if name in SCORES[:2] or name in others]
    _check(whole, SHAPE | {"result": {name: RESULT[name] for name in known}})
    choices = {name: tuple(map(tuple, whole["choices"][name])) for name in ("forced", "forbidden")}
    if any(len(pair) != 2 for pairs in choices.values() for pair in pairs):
        raise MapFormatError("a choice is a pair of node numbers or null; save it again", path="choices")
    try:
        method = Method.of_described(whole["options"])
    except UnknownNameError:
        raise
    except TTEDError as error:
        raise MapFormatError(f"{error}; save it again, or update TTED", path="options") from error
    return Replay(
        read_map_record(whole, "left"),
        read_map_record(whole, "right"),
        method,
        Choices(**choices),
        whole["signature"],
        {name: float(whole["result"][name]) for name in known if name in SCORES},
        whole["result"].get("proven"),
    )


def find_differences(replay: Replay, comparison: Comparison) -> tuple[str, ...]:
    """Differences of the repeated comparison from the file's, one sentence each."""
    before, now = (Signature.read(each).parts for each in (replay.signature, comparison.signature))
    found = [
        f"{SIGNATURE_WORDS.get(name, name)}: {before.get(name, 'none')} in the file, {now.get(name, 'none')} now"
        for name in dict.fromkeys((*before, *now))
        if name != "eq"
        and before.get(name) != now.get(name)  # "eq" is of measures that the file doesn't hold
    ]
    if before.get("proven") == now.get("proven") and replay.proven not in {None, comparison.proven}:
        found.append("proof: not as in the signature of the file")
    values = {name: (then, getattr(comparison, name)) for name, then in replay.scores.items()}
    found += [
        f"{name}: {then:.6f} in the file, {value:.6f} now"
        for name, (then, value) in values.items()
        if not math.isclose(then, value, rel_tol=SCORE_TOLERANCE, abs_tol=SCORE_TOLERANCE)
    ]
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
    _check(whole, {path: {}})
    record = {"name": None, "format": "tree", "joined": 0, "notices": [], "talk": []} | whole[path]
    _check(record, _MAP, f"{path} > ")
    labels, joined = record["labels"], record["joined"]
    check_limit(len(labels), MAX_NODES_READ, f"nodes in {path}", "split the map")
    longest = max(map(len, labels), default=0)
    check_limit(longest, MAX_LABEL_CHARACTERS, f"characters in a node of {path}", "shorten it")
    try:
        tree = TextTree(tuple(labels), tuple(record["parents"]))
    except InvalidTreeError as error:
        raise MapFormatError(f"{error}; save the replay file again", path=path) from error
    if joined not in {0, len(tree.children[0])}:
        raise MapFormatError(
            "the number of joined roots is not that of the root's children; save the replay file again",
            path=f"{path} > joined",
        )
    notices, talk = tuple(record["notices"]), tuple(record["talk"])
    return MindMap(tree, record["format"], notices, name=record["name"], joined=joined, talk=talk)


def _check(value: Any, shape: Any, path: str = "") -> None:
    """Raise an error that names the path unless a value has a shape.

    That is a tuple of types, a list of one shape for all items, or a dict of shapes by name; numbers are finite.
    """
    kinds = shape if isinstance(shape, tuple) else (type(shape),)
    if type(value) not in kinds or (type(value) in NUMBER and not abs(value) <= sys.float_info.max):
        raise MapFormatError(
            "the replay file has another kind of value here; save it again", path=path.removesuffix(" > ")
        )
    if isinstance(shape, dict):
        for name, part in shape.items():
            _check(value.get(name), part, f"{path}{name} > ")
    elif isinstance(shape, list):
        for item in value:
            _check(item, shape[0], path)
