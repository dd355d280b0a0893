"""The maps in sample_trees/ keep what their README promises."""

import re
from collections import Counter

import numpy as np
import pytest
from helpers.paths import SAMPLES
from helpers.references import by_all_mappings

from tted_core.formats import read_map
from tted_core.tree import TextTree
from ui import samples

# topic: (nodes, depth, fewest and most words in a label)
TOPICS = {
    "photosynthesis": (7, 3, (3, 8)),
    "urban-heat": (10, 3, (8, 20)),
    "coral-reefs": (14, 4, (8, 20)),
    "baikal": (14, 4, (8, 20)),
    "how-vaccines-work": (15, 5, (8, 20)),
    "history-of-writing": (25, 5, (8, 20)),
    "solar-system": (42, 5, (8, 20)),
    "honigbiene": (12, 4, (8, 20)),
    "buchdruck": (18, 4, (8, 20)),
    "periodic-table": (18, 4, (8, 20)),
    "bread": (22, 4, (8, 20)),
    "human-body": (60, 5, (8, 20)),
    "samovar": (14, 4, (8, 20)),
    "metro": (14, 4, (8, 20)),
    "olive-oil": (12, 4, (8, 20)),
    "date-palm": (12, 4, (8, 20)),
    "tea": (12, 4, (15, 30)),  # in Chinese each sign counts
}
LANGUAGES = {
    "baikal": "Russian",
    "periodic-table": "Russian",
    "samovar": "Russian",
    "metro": "Russian",
    "honigbiene": "German",
    "buchdruck": "German",
    "olive-oil": "Spanish",
    "date-palm": "Arabic",
    "tea": "Chinese",
}
KINDS = ("paraphrase", "structure", "meaning")
VARIANTS = [f"{kind}_{number}" for kind in KINDS for number in (1, 2, 3)]
MAPS = [f"{topic}/{name}" for topic in TOPICS for name in ("base", *VARIANTS)] + [
    "coral-reefs/demo",
    "coral-reefs/translation_ru",
]
TWINS = sorted(
    str(path.relative_to(SAMPLES))
    for topic in TOPICS
    for path in (SAMPLES / topic).iterdir()
    if path.suffix in {".md", ".txt"}
)
CHANGED_SHARE = {"meaning_1": (0.25, 0.4), "meaning_2": (0.45, 0.6), "meaning_3": (1.0, 1.0)}

each_topic = pytest.mark.parametrize("topic", TOPICS)
each_map = pytest.mark.parametrize("name", MAPS)


def tree_of(name: str) -> TextTree:
    return read_map(SAMPLES / f"{name}.json").tree


def variants(kind: str) -> pytest.MarkDecorator:
    names = [(topic, name) for topic in TOPICS for name in VARIANTS if name.startswith(kind)]
    return pytest.mark.parametrize(("topic", "variant"), names)


def words(sentence: str) -> int:
    return len(re.findall(r"[\u4e00-\u9fff]|[\w'’-]*\w[\w'’-]*", sentence))


def ancestry(tree: TextTree) -> set[tuple[str, str]]:
    """All pairs (ancestor, descendant); labels are unique in every sample."""
    labels = tree.labels
    return {
        (labels[above], labels[below])
        for above, size in enumerate(tree.sizes)
        for below in range(above + 1, above + size)
    }


def test_every_folder_is_a_known_topic():
    assert {path.name for path in SAMPLES.iterdir() if path.is_dir()} == {*TOPICS, "formats", "gallery"}
    assert samples.topics() == tuple(sorted(TOPICS))


@each_topic
def test_a_topic_is_complete_and_what_the_readme_promises(topic):
    expected = {name for name in MAPS if name.startswith(f"{topic}/")}
    assert {f"{topic}/{path.stem}" for path in (SAMPLES / topic).glob("*.json")} == expected
    nodes, depth, _ = TOPICS[topic]
    base = tree_of(f"{topic}/base")
    assert (len(base), base.depth) == (nodes, depth)
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    assert f"| {topic} | {LANGUAGES.get(topic, 'English')} | {nodes} | {depth} |" in readme
    digests = {tree_of(f"{topic}/{name}").digest for name in ("base", *VARIANTS)}
    assert len(digests) == 1 + len(VARIANTS), "no two maps are the same"


@each_map
def test_a_map_is_read_without_a_repair_and_its_labels_have_the_promised_length(name):
    result = read_map(SAMPLES / f"{name}.json")
    assert result.notices == ()
    assert len(set(result.tree.labels)) == len(result.tree)
    shortest, longest = TOPICS[name.split("/")[0]][2]
    lengths = {label: words(label) for label in result.tree.labels}
    assert {label for label, length in lengths.items() if not shortest <= length <= longest} == set()


@variants("paraphrase")
def test_paraphrase_rewords_every_sentence_on_the_same_tree(topic, variant):
    base, other = tree_of(f"{topic}/base"), tree_of(f"{topic}/{variant}")
    assert other.parents == base.parents
    assert set(other.labels) & set(base.labels) == set()


@variants("structure")
def test_structure_regroups_the_same_sentences(topic, variant):
    base, other = tree_of(f"{topic}/base"), tree_of(f"{topic}/{variant}")
    assert Counter(other.labels) == Counter(base.labels)
    assert other.labels[0] == base.labels[0]
    assert other.parents != base.parents
    assert ancestry(other) != ancestry(base)


@variants("meaning")
def test_meaning_changes_its_share_of_claims_on_the_same_tree(topic, variant):
    base, other = tree_of(f"{topic}/base"), tree_of(f"{topic}/{variant}")
    assert other.parents == base.parents
    changed = sum(left != right for left, right in zip(base.labels, other.labels, strict=True))
    least, most = CHANGED_SHARE[variant]
    assert least <= changed / len(base) <= most


@pytest.mark.parametrize("twin", TWINS)
def test_markdown_and_text_twins_hold_the_same_tree(twin):
    path = SAMPLES / twin
    result = read_map(path)
    assert result.format == {".md": "markdown", ".txt": "indented"}[path.suffix]
    assert result.notices == ()
    assert result.tree == read_map(path.with_suffix(".json")).tree


@pytest.mark.parametrize(("order", "cost"), [("ordered", 6), ("constrained", 4), ("unordered", 2)])
def test_the_teaching_pair_separates_the_three_orders(order, cost):
    """By trying all mappings: a node costs 1, and another text as much as a deletion and an insertion."""
    left, right = tree_of("photosynthesis/base"), tree_of("photosynthesis/structure_2")
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = 2 * np.not_equal.outer(left.labels, right.labels)
    assert by_all_mappings(order, left, right, costs) == cost
