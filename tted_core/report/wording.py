"""The answer in sentences: what happened to the nodes, each change, and whether the script is proven optimal.

Words that one of two texts lacks are found here, for readers of a replaced node; no score depends on them.
"""

import math
from functools import lru_cache
from itertools import groupby

from tted_core.arithmetic import share, total
from tted_core.comparison import Comparison
from tted_core.explanation import Change, Ends, Explanation, Node
from tted_core.foundations.messages import counted
from tted_core.foundations.output import printable, shorten
from tted_core.script import GLYPHS
from tted_core.words.claims import FlagKind
from tted_core.words.splitting import Span, Word, split_words

QUOTED_LABEL_CHARACTERS = 44

# Below this share of common words, single common words ("the", "of") are accidental: the whole text is new.
KEPT_SHARE = 0.5

# Maximum product of the numbers of words of two texts that are compared word by word: 10,000 words each.
MOST_WORD_PAIRS = 100_000_000

ISOLATE, END_ISOLATE = "\u2068", "\u2069"


_CHANGED_CLAIMS: dict[FlagKind, str] = {
    "number": "another number",
    "negation": "an added or removed negation",
    "opposite": "an opposite",
    "name": "another name",
    "modality": "another modality",
}

UNEVEN = 1.5  # of the smaller map's nodes: if the larger one has more, that is said first


def what_happened(explanation: Explanation) -> str:
    """Summary of the sentences: "12 of 13 sentences are also in the other map: ..."."""
    found = explanation.matching
    count, over = found.counts, found.split_over
    # A distance of 0 isn't enough: models take some texts for equal.
    if not explanation.comparison.tted and count["same"] == len(found.records):
        return "The two maps are the same under these options."
    here = count["same"] + count["reworded"]
    kept = here + count["moved"] + count["merged"] + over
    sentences = counted(len(explanation.nodes[0]), "sentence")
    verb = "is" if kept == 1 else "are"
    sentence = f"{_sizes(explanation)}{kept} of {sentences} {verb} also in the other map"
    if found.claims:
        kinds = [kind for kind, flagged in found.claim_counts.items() if flagged]
        change = _CHANGED_CLAIMS[kinds[0]] if len(kinds) == 1 else "words that may change the claim"
        sentence += f", {found.claims} with {change} (see “!”)"
    reworded = f" ({count['reworded']} reworded)" if count["reworded"] else ""
    positions = {
        f"in the same position{reworded}": here,
        "moved": count["moved"],
        f"inside {'a longer one' if count['merged'] == 1 else 'longer ones'}": count["merged"],
        "split into several nodes": over,
    }
    if kept:
        sentence += f": {', '.join(f'{number} {where}' for where, number in positions.items() if number)}"
    others = [
        f"{number} {'is' if number == 1 else 'are'} {status}"
        for status, number in count.items()
        if number and status in {"missing", "extra"}
    ]
    return f"{sentence}; {', '.join(others)}." if others else f"{sentence}."


def script_in_words(comparison: Comparison) -> str:
    """Summary of the edit script: "TTED pairs 12 of 14 sentences (5 equal, 7 replaced), deletes 2, inserts 1."."""
    match, replace, delete, insert = (comparison.script.count(kind) for kind in GLYPHS)
    pairs = f"{match + replace} of {counted(len(comparison.left.tree), 'sentence')}"
    return f"TTED pairs {pairs} ({match} equal, {replace} replaced), deletes {delete}, inserts {insert}."


def names_of(comparison: Comparison) -> tuple[str, str]:
    """The names of both maps as shown; a map without one is named after its side."""
    left, right = comparison.left.name, comparison.right.name
    return printable(left or "Left map"), printable(right or "Right map")


def sizes_differ(comparison: Comparison) -> bool:
    """Return True if one map has more than 1.5 times the nodes of the other."""
    sizes = len(comparison.left.tree), len(comparison.right.tree)
    return max(sizes) > UNEVEN * min(sizes)


def _sizes(explanation: Explanation) -> str:
    """That one map is much larger, and what of the distance that makes; empty where it isn't."""
    comparison = explanation.comparison
    if not sizes_differ(comparison):
        return ""
    more = len(comparison.right.tree) - len(comparison.left.tree)
    side, kind = ("right", "insert") if more > 0 else ("left", "delete")
    power = comparison.script.power
    part = share(
        total((op.cost for op in comparison.script.ops if op.op == kind), power), comparison.tted, power
    )
    nodes = counted(abs(more), "node")
    sentence = f"The {side} map has {nodes} more, which make {part:.0%} of the distance"
    return f"{'' if explanation.matching.counts['missing'] else 'Nothing is missing. '}{sentence}. "


def how_sure(comparison: Comparison) -> str:
    """Sentence on the optimality of the script, with the remaining gap if it isn't proven."""
    script = f"{comparison.method.order} script"
    if comparison.choices:
        script += f" with the {counted(len(comparison.choices), 'choice')} of pairs"
    if comparison.proven:
        return f"✓ Best possible alignment: no cheaper {script} exists"
    is_bounded = comparison.lower_bound > 0
    percent = math.ceil(comparison.excess * 1000) / 10  # up, as a bound must be rounded
    gap = f"within {percent:.1f} % of the optimum" if is_bounded else "no bound yet"
    return f"{gap}: the best {script} costs {comparison.lower_bound:.4f} or more"


def change_in_words(change: Change) -> str:
    """Description of a change: "Moving the branch “a” (3 nodes) from below “b” to below “c”"."""
    left, right = change.top.nodes
    labels = left.label if left else "", right.label if right else ""
    starts = {label[: QUOTED_LABEL_CHARACTERS // 2].lower() for label in labels}
    here, there = map(_quote, where_they_differ(*labels) if change.kind == "reworded" else labels)
    is_same_start = len(starts) == 1  # the same words need not be quoted twice
    node = "sentence" if change.size == 1 else "branch"
    size = "" if change.size == 1 else f" ({counted(change.size, 'sentence')})"
    others = f" and {counted(change.size - 1, 'other sentence')}" if change.size > 1 else ""
    start, end = _position(left), _position(right)
    way = f"to another position {start}" if start == end else f"from {start} to {end}"
    sentences = {
        "missing": f"The missing {node} {here}{size}",
        "extra": f"The extra {node} {there}{size}",
        "moved": f"Moving the {node} {here}{size} {way}",
        "merged": f"Merging {here}{others} into {'a longer node' if is_same_start else f'the longer {there}'}",
        "split": f"Splitting {there}{others} off {'a longer node' if is_same_start else f'the longer {here}'}",
        "reworded": f"Rewording {here} as {there}",
        "same": f"{'The new context of' if change.top.is_aligned else 'No pair in the script for'} {here}",
    }
    return sentences[change.kind]


def where_they_differ(one: str, other: str, shown: int = QUOTED_LABEL_CHARACTERS) -> tuple[str, str]:
    """Both texts from where they begin to differ, if that is behind the characters that are shown of them."""
    common = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    if common < shown - 8:
        return one, other
    start = max(one.rfind(" ", 0, common) + 1 - shown // 4, 0)
    start = one.find(" ", start) + 1
    return f"… {one[start:]}", f"… {other[start:]}"


def quote_pair(nodes: Ends) -> str:
    """The texts of an operation: "“a” → “b”"."""
    labels = [node.label for node in nodes if node]
    shown = where_they_differ(labels[0], labels[1]) if len(labels) == 2 else labels
    return " → ".join(map(_quote, shown))


def _quote(label: str) -> str:
    """Isolated, so that signs that turn the direction of writing end with the label (Unicode, annex 9)."""
    return f"“{ISOLATE}{shorten(printable(label), QUOTED_LABEL_CHARACTERS)}{END_ISOLATE}”"


def _position(node: Node | None) -> str:
    return f"below {_quote(node.parent.label)}" if node and node.parent else "the root"


@lru_cache(4096)  # a page draws the same pairs again at each click
def find_changes(left: str, right: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Start and end of each run of words that the other text lacks, in both texts.

    The other ones are a longest common subsequence of words and punctuation. If they are less than ``KEPT_SHARE``
    of the words of both, or there are more than ``MOST_WORD_PAIRS``, each text is one change.

    >>> find_changes("Algae feed the polyps", "Algae nourish the polyps")
    (((6, 10),), ((6, 13),))
    """
    from rapidfuzz.distance import LCSseq

    words = split_words(left), split_words(right)
    changed = {*range(len(words[0]))}, {*range(len(words[1]))}
    if len(words[0]) * len(words[1]) <= MOST_WORD_PAIRS:
        edits = LCSseq.editops(*([word.text for word in side] for side in words))
        fewer = (
            {edit.src_pos for edit in edits if edit.tag == "delete"},
            {edit.dest_pos for edit in edits if edit.tag == "insert"},
        )
        stays = [
            (word.is_spoken, at not in gone)
            for side, gone in zip(words, fewer, strict=True)
            for at, word in enumerate(side)
        ]
        # signs count only if there are no words
        deciding = [stay for is_spoken, stay in stays if is_spoken] or [stay for _, stay in stays]
        if sum(deciding) >= KEPT_SHARE * len(deciding):
            changed = fewer
    return _spans(words[0], changed[0]), _spans(words[1], changed[1])


def _spans(words: tuple[Word, ...], chosen: set[int]) -> tuple[Span, ...]:
    """Start and end of each run of some words."""
    runs = [[*run] for is_in, run in groupby(range(len(words)), chosen.__contains__) if is_in]
    return tuple((words[run[0]].start, words[run[-1]].end) for run in runs)
