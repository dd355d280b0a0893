"""Words with which chat models speak about a map: openings of talk, names of a map, and words for levels.

They cover the languages that models are mostly used in. A missing language matters little: talk is recognised by
its position and punctuation first (:mod:`tted_core.formats.talk`).

The patterns are for lines without marks whose white space is single spaces (``without_marks``), and repeat nothing
without a limit before something that may fail: so the time they take is linear.
"""

import re
import tomllib
from importlib.resources import files
from types import SimpleNamespace

from tted_core.formats.labels import SYMBOL

_WORDS = tomllib.loads((files(__package__) / "chat_words.toml").read_text(encoding="utf-8"))
# A pattern for each list of words.
_ANY = SimpleNamespace(**{name: "(?:" + words.replace("\n", "|") + ")" for name, words in _WORDS.items()})

# Beginnings of sentences from a model to its reader; languages without spaces need no word boundary.
TALK_OPENING = re.compile(_ANY.talk_opening, re.IGNORECASE)

NOTE = re.compile(rf"{_ANY.note} ?[:：\-–—]", re.IGNORECASE)  # the label of a note to the reader

# A heading above a list of sources.
SOURCES = re.compile(
    rf"(?:{_ANY.note}|{_ANY.reading})(?: (?:and|&|und|et|y|e|и) \w{{1,20}})? ?[:：]?$", re.IGNORECASE
)

CHAPTER = _ANY.chapter  # a word in front of the number of a chapter

MAP = re.compile(_ANY.map, re.IGNORECASE)  # names of a map

# A heading above what the model says about its map.
EXPLANATION = re.compile(
    rf"{_ANY.explanation}(?: .{{1,60}})? ?[:：]?|{_ANY.how_to}[:：]?|"
    rf"(?:{_ANY.note}|summary|about) (?:\w+ ){{1,3}}(?:structure|mind ?map|map|hierarchy) ?[:：]?",
    re.IGNORECASE,
)

_OF = rf"(?: (?:outline|summary|diagram|structure))? ?{_ANY.about} ?"
_COLON = r" ?[:：–—|-] ?"
# Phrases that introduce the topic of a map; the topic ends where ``TOPIC_END`` matches.
TOPIC_PHRASES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:关于|關於|有关) ?[“「《\"']?(?P<topic>[^。：:，”」》\"']{{1,40}}?)[”」》\"']? ?的? ?{_ANY.map}",
        rf"(?:^|[：:，,。\s])[“「《](?P<topic>[^。：:，”」》]{{1,40}}?)[”」》] ?[的の]? ?{_ANY.map}",
        rf"(?P<topic>[^\s。：:，、”」》]{{1,30}}?)(?:について)?の{_ANY.map}",
        rf"{_ANY.map} ?[«“„\"「《] ?(?P<topic>[^«»”“\"」》]{{1,80}})[»”“\"」》]",
        rf"\b{_ANY.map}{_COLON}(?P<topic>\S.*)",
        rf"{_ANY.map}{_OF}(?P<topic>\S.*)",
    )
)

# A title that says that the map is one.
MAP_TITLE = re.compile(
    rf"(?:{_ANY.map} ?[«“„\"「《](?P<quoted>[^«»”“\"」》]{{1,80}})[»”“\"」》]|"
    rf"{_ANY.map}{_COLON}(?P<behind>\S.*)|(?:an? |the )?{_ANY.map}{_OF}(?P<of>\S.*)|"
    rf"(?P<before>[^:：]{{1,80}}?)(?: ?[-–—|:：] ?(?:an? |the |eine |die )?{_ANY.map}| {_ANY.map}|"
    rf" ?[(（] ?{_ANY.map} ?[)）]| ?[的の]?(?:思维导图|思維導圖|脑图|心智图|心智圖|マインドマップ))) ?[:：]?$",
    re.IGNORECASE,
)

# Words before "mind map" that are no topic without it: "How to draw a", "Ann's".
UNFINISHED = re.compile(rf"(?:^|.* ){_ANY.unfinished}$|.*['’]s?$", re.IGNORECASE)

TOPIC_END = re.compile(_ANY.topic_end, re.IGNORECASE)
# Words for the source of a map, which aren't a topic: "your article", "the text".
SOURCE_TEXT = re.compile(
    rf"(?:{_ANY.whose} ?){{0,4}}{_ANY.source}"
    r"(?=$| ?[.,:;!。：，(]| (?:you|on|about|above|below|over|that|in|into|über|о|об|про|sur|sobre)\b)",
    re.IGNORECASE,
)

_NUMBER = r"(?:\d{1,3}(?:\.\d{1,3})*|[IVX]{1,5}|[A-Ha-h]|[一二三四五六七八九十])"
# A word for the level of a node before its text: "Central Topic:", "Branch 1:", "Level 2:", "Topic:".
LEVEL_WORD = re.compile(
    rf"(?:(?P<sub>{_ANY.sub}) ?#?{_NUMBER}?|(?P<centre>{_ANY.centre}|{_ANY.topic})|"
    rf"{_ANY.branch} ?#?{_NUMBER}|{_ANY.main_branch}|"
    rf"(?P<level>{_ANY.level}) ?(?P<level_number>\d)|第(?P<ordinal>[一二三四五])[层級级])"
    r"(?: ?[(（][^()（）]{1,30}[)）])? ?(?::(?![\w/]*+:)|：| [-–—] |[–—]) ?(?P<rest>.*)",
    re.IGNORECASE,
)

# A line that consists of a word for the level of the next lines: "Main Branches", "Branches:".
# "Branches" alone may be a node: of a tree, or of a bank.
LEVEL_LINE = re.compile(rf"(?!{_ANY.parts}$){_ANY.branches} ?[:：]?$", re.IGNORECASE)

# A line above one of several maps that a model offers: "Version A", "Option 2: by type".
VERSION_LINE = re.compile(
    rf"^(?:#{{1,6}} |\*\*|__|(?=[^\n:：]{{1,80}}[:：]))(?:\*\*|__)?(?:{SYMBOL}{{1,6}} ?)?(?P<title>"
    rf"(?:(?:{_ANY.version}|{_ANY.map}) ?#?(?:[1-9]|[A-Ea-e]|[一二三四五]|I{{1,3}})(?![\w.])|"
    r"\w{3,20} (?:version|variante|версия|versión|versione|versão)(?![^:：*_\n])|"
    r"(?:简|精简|完整|详细|详)版本?(?![^:：*_\n]))[^\n]*+)$",
    re.IGNORECASE | re.MULTILINE,
)

# Lines that are copied along with a block of code, or that ``tree`` adds to a drawing.
COPIED = re.compile(rf"{_ANY.copied}$", re.IGNORECASE)
