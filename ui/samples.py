"""The maps of sample_trees/ by topic and variant, with display names."""

import csv
import functools
from pathlib import Path

from tted_core.errors import UnknownNameError

FOLDER = Path(__file__).parent.parent / "sample_trees"

OPENING_TOPIC = "coral-reefs"
# Side -> its map in the example that the Compare page opens with.
OPENING = {"left": f"{OPENING_TOPIC}/base.json", "right": f"{OPENING_TOPIC}/demo.json"}

_GALLERY_TITLES = {
    "gallery/hallucinated_branch.json": "Gallery · Urban heat, hallucinated branch",
    "gallery/wrong_sentence.json": "Gallery · Coral reefs, one sentence false",
    "gallery/encyclopedia.json": "Gallery · Encyclopedia: 315 nodes",
    "gallery/encyclopedia_edited.json": "Gallery · Encyclopedia, edited: 297 nodes",
}

# The topics that aren't in English; English encoders can't distinguish them.
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


def topic_title(topic: str) -> str:
    """The display name of a folder."""
    return topic.replace("-", " ").capitalize()


@functools.cache
def list_all() -> tuple[str, ...]:
    """All samples as paths from ``FOLDER``: of each topic base, demo and variants, then the gallery's maps."""
    order = list(_VARIANTS)

    def rank(path: Path) -> tuple[bool, int, str]:
        return path.suffix != ".json", order.index(path.stem.split("_")[0]), path.name

    found = [path for topic in topics() for path in sorted((FOLDER / topic).iterdir(), key=rank)]
    return (*(f"{path.parent.name}/{path.name}" for path in found), *_GALLERY_TITLES)


@functools.cache
def examples() -> list[dict[str, str]]:
    """Finished comparisons of samples: each with its ``name``, ``title``, ``sentence`` and ``link``."""
    with (FOLDER / "gallery" / "gallery.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def check_sample(file: str) -> str:
    """Return the path of a sample if there is one; from a user, it may be any text.

    Raises:
        UnknownNameError: there is no such sample.
    """
    if file not in list_all():
        raise UnknownNameError("there is no such sample map")
    return file


@functools.cache
def sample_title(file: str) -> str:
    """The display name of a sample, such as "Coral reefs · Paraphrase 2: other words"."""
    if file in _GALLERY_TITLES:
        return _GALLERY_TITLES[file]
    path = Path(file)
    kind, _, number = path.stem.partition("_")
    hint = "" if path.suffix == ".json" else f" ({path.suffix})"
    return f"{topic_title(path.parent.name)} · {f'{kind.capitalize()} {number}'.strip()}: {_VARIANTS[kind]}{hint}"
