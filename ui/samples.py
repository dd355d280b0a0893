"""The maps of sample_trees/ by topic and variant, with display names."""

import functools
from pathlib import Path

from tted_core.errors import UnknownNameError

FOLDER = Path(__file__).parent.parent / "sample_trees"

OPENING_TOPIC = "coral-reefs"
OPENING_PAIR = ("base.json", "demo.json")
OPENING = {
    side: f"{OPENING_TOPIC}/{file}" for side, file in zip(("left", "right"), OPENING_PAIR, strict=True)
}
"""Side -> its map in the example that the Compare page opens with."""

GALLERY = "gallery"
"""The folder of maps that aren't variants of a topic; the gallery links to them (ui/gallery.py)."""

_GALLERY_TITLES = {
    "hallucinated_branch.json": "Urban heat, hallucinated branch",
    "wrong_sentence.json": "Coral reefs, one sentence false",
    "encyclopedia.json": "Encyclopedia: 315 nodes",
    "encyclopedia_edited.json": "Encyclopedia, edited: 297 nodes",
}

SAMPLE_LANGUAGES = {
    "baikal": "Russian",
    "buchdruck": "German",
    "date-palm": "Arabic",
    "honigbiene": "German",
    "metro": "Russian",
    "olive-oil": "Spanish",
    "periodic-table": "Russian",
    "samovar": "Russian",
    "tea": "Chinese",
}
"""The topics that aren't in English; English encoders can't distinguish them."""

_VARIANTS = {
    "base": "the map itself",
    "demo": "a colleague's version",
    "translation": "another language",
    "paraphrase": "other words",
    "structure": "sentences rearranged",
    "meaning": "other claims",
}


@functools.cache
def topics() -> tuple[str, ...]:
    """The names of the topics' folders, which have a base map."""
    return tuple(sorted(base.parent.name for base in FOLDER.glob("*/base.json")))


def folders() -> list[str]:
    """The topics, and the folder of the gallery's maps."""
    return [*topics(), GALLERY]


def topic_title(topic: str) -> str:
    """The display name of a folder."""
    return topic.replace("-", " ").capitalize()


@functools.cache
def files(topic: str) -> tuple[str, ...]:
    """The files of a folder: base, demo, then the variants; JSON before the other formats.

    Raises:
        UnknownNameError: there is no such topic; a name from a user may be any path.
    """
    if topic == GALLERY:
        return tuple(_GALLERY_TITLES)
    if topic not in topics():
        raise UnknownNameError("there is no such sample topic")
    order = list(_VARIANTS)

    def rank(name: str) -> tuple[bool, int, str]:
        stem, suffix = name.rsplit(".", 1)
        return suffix != "json", order.index(stem.split("_")[0]), name

    return tuple(sorted((path.name for path in (FOLDER / topic).iterdir()), key=rank))


def check_sample(file: str) -> str:
    """Return the path of a sample if there is one; from a user, it may be any text.

    Raises:
        UnknownNameError: there is no such sample.
    """
    folder, _, name = file.partition("/")
    if folder not in folders() or name not in files(folder):
        raise UnknownNameError("there is no such sample map")
    return file


def file_title(name: str) -> str:
    """The display name of a file, such as "Paraphrase 2: other words"."""
    if name in _GALLERY_TITLES:
        return _GALLERY_TITLES[name]
    stem, suffix = name.rsplit(".", 1)
    kind, _, number = stem.partition("_")
    title = f"{kind.capitalize()} {number}".strip()
    format_hint = "" if suffix == "json" else f" ({'Markdown' if suffix == 'md' else 'indented text'})"
    return f"{title}: {_VARIANTS[kind]}{format_hint}"


def full_title(file: str) -> str:
    """The display name of a sample's path, such as "Coral reefs · Paraphrase 2"."""
    topic, _, name = file.partition("/")
    return f"{topic_title(topic)} · {file_title(name).partition(':')[0]}"


def every() -> list[str]:
    """All samples in JSON, topic by topic, as paths from ``FOLDER``."""
    return [f"{topic}/{file}" for topic in topics() for file in files(topic) if file.endswith(".json")]
