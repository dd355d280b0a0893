"""What a person notes about pairs of a batch: a mark and a comment each, kept in the folder of its results."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tted_core.batch.parts import read_parts, write_json
from tted_core.errors import OptionsError
from tted_core.limits import MAX_COMMENT_CHARACTERS, check_limit
from tted_core.registry import lookup
from tted_core.words.surrogates import without_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

NOTES = "notes.json"

MARKS = {"right": "✓", "wrong": "✗", "unsure": "?"}
"""What may be said of a pair, with its sign."""

COLUMNS = ("mark", "comment")

Pair: TypeAlias = tuple[str, str, str]
"""A pair's id and the names of its maps: what stands in its rows, whatever the setting."""


@dataclass(frozen=True)
class Note:
    """What is noted about one pair; both empty if nothing is."""

    mark: str = ""
    comment: str = ""


def read_notes(folder: Path) -> dict[Pair, Note]:
    """All notes in a folder of results.

    Raises:
        OptionsError: the file of notes can't be read.
    """
    file = folder / NOTES
    try:
        told = json.loads(file.read_text(encoding="utf-8"))["notes"]
        return {
            (str(each["id"]), str(each["left"]), str(each["right"])): Note(
                str(each["mark"]), str(each["comment"])
            )
            for each in told
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionsError(
            f"the notes in {file.name} can't be read ({error}); mend or remove the file"
        ) from error


def write_note(folder: Path, pair: Pair, note: Note) -> None:
    """Keep a note, in place of what was noted about the pair before; an empty one removes it.

    Raises:
        UnknownNameError: no such mark.
        LimitError: the comment is too long.
        OptionsError: the folder's notes can't be read or written.
    """
    if note.mark:
        lookup(MARKS, note.mark, "mark")
    check_limit(len(note.comment), MAX_COMMENT_CHARACTERS, "characters in the comment", "shorten it")
    notes = read_notes(folder)
    notes.pop(pair, None)
    if note != Note():
        notes[pair] = Note(note.mark, without_surrogates(note.comment))
    told = [
        {"id": pair[0], "left": pair[1], "right": pair[2], "mark": each.mark, "comment": each.comment}
        for pair, each in notes.items()
    ]
    try:
        write_json({"notes": told}, folder / NOTES)
    except OSError as error:
        raise OptionsError(
            f"the note can't be kept with the results ({error.strerror}); make their folder writable, or copy it "
            "to one that is"
        ) from error


def noted_parts(folder: Path) -> Iterator["pa.Table"]:
    """All parts of a folder of results, with two further columns where something is noted, mark and comment.

    Raises:
        OptionsError: the file of notes can't be read.
    """
    import pyarrow as pa

    notes = read_notes(folder)
    for table in read_parts(folder):
        if not notes:
            yield table
            continue
        found = [notes.get(pair, Note()) for pair in pairs_in(table)]
        noted = {"mark": [each.mark for each in found], "comment": [each.comment for each in found]}
        for name in COLUMNS:
            table = table.append_column(  # noqa: PLW2901
                _free(name, table.column_names), pa.array(noted[name], pa.string())
            )
        yield table


def pairs_in(table: "pa.Table") -> list[Pair]:
    """The pair of each row."""
    columns: list[list[Any]] = [table[name].to_pylist() for name in ("id", "left", "right")]
    return list(zip(*columns, strict=True))


def _free(name: str, taken: Sequence[str]) -> str:
    """The name, or where the input has a column of that name, another."""
    while name in taken:
        name += "_noted"
    return name
