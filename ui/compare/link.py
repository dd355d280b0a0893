"""The link of the Compare page: the maps, the method's options, the choices and the view.

A user's own maps are in the link itself, compressed, as they were read: labels, parents, name, format and notices.
The server stores nothing for it.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from tted_core import TTEDError
from tted_core.errors import UnknownNameError, lookup
from tted_core.formats import FORMATS, ROOTS
from tted_core.report.replay import map_record, read_map_record
from ui import samples
from ui.compare.what_if import read_choices, write_choices
from ui.fields import Field, switch
from ui.map_card import BOTH_SIDES, nothing_given, source_of
from ui.map_source import Given, MapSource, Pasted, ReadingOptions, SampleFile, read_all, takes_long
from ui.mapping.view import READING_CHOICE, VIEW_CHOICE
from ui.options import ENCODER_KEPT, options_fields

# Characters of all compressed maps in a link. The server (uvicorn with httptools) takes addresses up to 64
# kB, nginx as configured in docs/hosting.md up to 32 kB.
LONGEST_MAPS = 30_000

LONGEST_TEXT = 100_000  # characters of labels, or of a text, that are worth compressing
MOST_UNPACKED = 4 * LONGEST_TEXT  # bytes that a part of a link may unpack to

# Kinds of a side's text: maps that were read; a text that can't be read (in older links, any text); a map too
# large for a link, with a number that tells it from others in the browser's history; and no map.
READ_MAPS, OWN_TEXT, LARGE, EMPTY = "maps", "own", "large", "paste"

DAMAGED = "the map in the link is cut or damaged; copy the whole link"

# Import options of a side in older links, each behind the side's name and "_".
OLDER = ("format", "roots", "sheet", "floating")


def compare_link() -> Sequence[Field]:
    """The parameters of the page's link."""
    return (
        *map(_side, BOTH_SIDES),
        *options_fields().values(),
        switch(ENCODER_KEPT),
        Field("choices", "", ("choices", "choices-maps"), read_choices, write_choices),
        READING_CHOICE,
        VIEW_CHOICE,
    )


def too_large_for_link(side: str) -> bool:
    """Return True if the map of this side isn't in the link."""
    return _write(side, {each: source_of(each) for each in BOTH_SIDES}).startswith(LARGE)


def write_side(source: MapSource | None, longest: int) -> str:
    """A side as a link's text, with at most ``longest`` characters of maps."""
    if not source or source == Pasted(""):
        return EMPTY
    if isinstance(source, SampleFile) and source.options == ReadingOptions():
        return source.file
    content: Given | str | None = None
    size = 0
    try:
        if not takes_long(source):
            content = read_all(source)
            size = sum(len(label) for each in content.maps for label in each.tree.labels)
    except TTEDError:
        content = source.text if isinstance(source, Pasted) else None
        size = len(content or "")
    kind = READ_MAPS if isinstance(content, Given) else OWN_TEXT
    token = _pack(content) if content and size <= LONGEST_TEXT else ""
    return f"{kind}:{token}" if 0 < len(token) <= longest else f"{LARGE}:{hash(source) % 16**8:x}"


def read_side(text: str, older: Mapping[str, str]) -> MapSource:
    """Read the text of a side; ``older`` has the side's import options in a link of an older version.

    Raises:
        TTEDError: the map isn't in the link, or the link is damaged.
    """
    kind, _, token = text.partition(":")
    if text in {EMPTY, "upload"}:
        return Pasted("")
    if kind == LARGE or text == OWN_TEXT:
        raise UnknownNameError("the map was too large for a link, or could not be read")
    if kind == READ_MAPS:
        return _read_maps(_unpack(token))
    options = ReadingOptions(
        lookup({"": None} | {name: name for name in FORMATS}, older.get("format", ""), "format"),
        lookup({name: name for name in ROOTS}, older.get("roots") or ROOTS[0], "way with several roots"),
        older.get("floating") == "yes",
    )
    source = (
        Pasted(_unpack(token), options)
        if kind == OWN_TEXT
        else SampleFile(samples.check_sample(text), options)
    )
    number = older.get("sheet", "")[:4]
    if number.isdecimal():
        maps = read_all(source).maps
        options = replace(options, shown=maps[min(int(number) or 1, len(maps)) - 1].name)
    return replace(source, options=options)


def _side(side: str) -> Field:
    """The parameter of a side; a map that isn't available leaves it empty: another would be another comparison.

    The side's card is a widget that is always drawn, by which the page notices that the user comes from elsewhere.
    """

    def read(text: str) -> dict[str, Any]:
        if text == samples.OPENING[side] and not any(key.startswith(BOTH_SIDES) for key in st.query_params):
            return {side: None}  # the opening page shows an example
        older = {name: st.query_params.get(f"{side}_{name}", "") for name in OLDER}
        return {side: read_side(text, older)}

    return Field(
        side,
        samples.OPENING[side],
        (side, f"{side}-card"),
        read,
        partial(_write, side),
        instead=EMPTY,
        loss=f"the {side} side stays empty. Add the map again, or open the comparison's replay file",
        older=tuple(f"{side}_{name}" for name in OLDER),
    )


def _write(side: str, state: Mapping[str, Any]) -> str:
    if nothing_given():
        return samples.OPENING[side]
    if side == "left":
        return write_side(state.get("left"), LONGEST_MAPS // 2)
    return write_side(state.get(side), LONGEST_MAPS - len(_write("left", state)))  # what the left one leaves


@lru_cache(maxsize=256)
def _pack(content: Given | str) -> str:
    """The maps, or the text, compressed for an address; empty if they are too large for one."""
    if isinstance(content, Given):
        whole = {
            "maps": [map_record(each) for each in content.maps],
            "unread": content.unread,
            "shown": content.options.shown,
        }
        content = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    text = content.encode("utf-8", "surrogatepass")
    return (
        base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")
        if len(text) <= MOST_UNPACKED
        else ""
    )


def _unpack(token: str) -> str:
    """The text that was compressed.

    Raises:
        UnknownNameError: the token was cut or changed, or is or unpacks to more than fits into a link.
    """
    stream = zlib.decompressobj()
    if len(token) > MOST_UNPACKED:
        raise UnknownNameError(DAMAGED)
    try:
        compressed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        text = stream.decompress(compressed, MOST_UNPACKED).decode("utf-8", "surrogatepass")
    except (ValueError, zlib.error):
        text = ""
    if not stream.eof:
        raise UnknownNameError(DAMAGED)
    return text


def _read_maps(text: str) -> Given:
    """The maps that were packed.

    Raises:
        TTEDError: this isn't what the page packs.
    """
    try:
        whole = json.loads(text)
        maps = tuple(read_map_record({"map": record}, "map") for record in whole["maps"])
        unread = tuple((str(name), str(reason)) for name, reason in whole["unread"])
        shown = whole["shown"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, TTEDError) as error:
        raise UnknownNameError(DAMAGED) from error
    if not maps or not isinstance(shown, str | None):
        raise UnknownNameError(DAMAGED)
    return Given(maps, unread, ReadingOptions(shown=shown))
