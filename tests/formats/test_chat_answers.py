"""Answers of chat models, read as a person reads them: texts of nodes, their parents, and what is left out."""

import re
from pathlib import Path

import pytest
from helpers.encoders import hashed

from tted_core import compare, parse_map
from tted_core.formats import FORMATS, parse_maps

TABLE = (Path(__file__).parent / "chat_answers.txt").read_text(encoding="utf-8")
# Name -> what the model wrote, and the tree that a person sees in it, a tab for each level.
ANSWERS = {
    name: (answer.rstrip("\n"), tree.rstrip("\n"))
    for name, answer, tree in re.findall(
        r"^##### (.+)\n((?:.*\n)*?)#####>\n((?:(?!#####).*\n?)*)", TABLE, re.MULTILINE
    )
}


def drawn(tree):
    return "\n".join(
        "\t" * (depth - 1) + label for label, depth in zip(tree.labels, tree.depths, strict=True)
    )


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_the_map_that_a_person_sees(name):
    answer, tree = ANSWERS[name]
    assert drawn(parse_map(answer).tree) == tree


@pytest.mark.parametrize("name", ANSWERS)
def test_windows_lines_and_spaces_that_do_not_break_change_nothing(name):
    answer, tree = ANSWERS[name]
    assert drawn(parse_map(answer.replace("\n", "\r\n")).tree) == tree
    if "```" not in answer and "mindmap\n" not in answer:
        spaced = re.sub(r"^ +", lambda blank: "\u00a0" * len(blank[0]), answer, flags=re.MULTILINE)
        assert drawn(parse_map(spaced).tree) == tree


GREETINGS = (
    ("Sure! Here's the mind map you asked for:", "Let me know if you'd like me to expand any branch!"),
    ("Gerne! Hier ist die Mindmap:", "Soll ich noch Äste ergänzen?"),
    ("Конечно! Вот интеллект-карта:", "Если нужно, могу добавить ещё ветви."),
    ("以下是思维导图：", "如果需要，我可以继续补充。"),
    ("إليك الخريطة الذهنية:", "هل تريد أن أضيف المزيد؟"),
    ("I read the article carefully and kept its order.", "*Note: sentences were shortened.*"),
)
BARE = (
    "- Tides\n  - Causes\n    - The Moon pulls the sea.\n  - Effects\n    - Mudflats appear.",
    "# Tides\n\n## Causes\n- The Moon pulls the sea.\n\n## Effects\n- Mudflats appear.",
    "**Tides**\n\n1. **Causes**\n   - The Moon pulls the sea.\n2. **Effects**\n   - Mudflats appear.",
    "Tides\n    Causes\n        The Moon pulls the sea.\n    Effects\n        Mudflats appear.",
    "Tides\n├── Causes\n│   └── The Moon pulls the sea.\n└── Effects\n    └── Mudflats appear.",
    "I. Causes\nA. The Moon pulls the sea.\nB. The Sun helps.\nII. Effects\nA. Mudflats appear.\nB. Currents.",
)


@pytest.mark.parametrize("bare", BARE)
@pytest.mark.parametrize(("before", "behind"), GREETINGS)
def test_a_map_with_talk_is_at_distance_0_from_itself_without(bare, before, behind):
    whole = parse_map(f"{before}\n\n{bare}\n\n---\n\n{behind}\n")
    alone = parse_map(bare)
    assert whole.tree == alone.tree
    assert compare(whole, alone, encoder=hashed).tted == 0
    assert whole.talk == (before, behind)
    assert alone.talk == ()


def test_one_notice_quotes_what_was_left_out():
    answer, _ = ANSWERS["bold root above bullets"]
    read = parse_map(answer)
    (notice,) = read.notices
    assert notice.startswith(
        "left out, as talk around the map: 'Sure! Below is a structured mind map ...', 'Would you"
    )
    assert len(read.talk) == 2


def test_one_notice_counts_the_emoji_before_texts():
    answer, _ = ANSWERS["emoji before items with children"]
    assert parse_map(answer).notices == ("emoji were removed from the beginning or end of 3 texts",)


@pytest.mark.parametrize("name", ["json fenced", "mermaid fenced", "mermaid bare", "drawing in a fence"])
def test_talk_around_a_block_is_left_out_too(name):
    assert parse_map(ANSWERS[name][0]).talk


KEPT = {
    "a title": ("Tides\n- Causes\n- Effects\n", ("Tides", "Causes", "Effects")),
    "a title with a colon": ("Tides:\n- Causes\n- Effects\n", ("Tides", "Causes", "Effects")),
    "sentences in an outline": (
        "If you heat water, it boils.\n  Steam rises.\n  Bubbles form.\n",
        ("If you heat water, it boils.", "Steam rises.", "Bubbles form."),
    ),
    "sentences as items": (
        "- This map is of a town.\n  - Here is the church.\n  - I can see the river.\n",
        ("This map is of a town.", "Here is the church.", "I can see the river."),
    ),
    "an abbreviation": (
        "Syria\n  Talks were held.\n    I have read the report.\n  U.N. inspectors leave.\n  The talks end.\n",
        (
            "Syria",
            "Talks were held.",
            "I have read the report.",
            "U.N. inspectors leave.",
            "The talks end.",
        ),
    ),
    "a marked line in an outline": (
        "Syria\n  Talks were held.\n  There are questions: who spoke?\n  1) Inspectors leave.\n",
        ("Syria", "Talks were held.", "There are questions: who spoke?", "Inspectors leave."),
    ),
    "initials": ("- Physicists\n  - A. Einstein\n  - M. Curie\n", ("Physicists", "A. Einstein", "M. Curie")),
    "arithmetic": ("- a * b * c\n  - 2 ** 3\n  - x_1\n", ("a * b * c", "2 ** 3", "x_1")),
    "an index": ("- arrays\n  - a[1] is the second\n", ("arrays", "a[1] is the second")),
    "a task in a text": (
        "# Lists\n- write [x] for done\n- [x] done\n",
        ("Lists", "write [x] for done", "done"),
    ),
    "tags in a text": (
        "Pages\n  a **bold** <b> tag\n  </p> ends\n",
        ("Pages", "a bold <b> tag", "</p> ends"),
    ),
    "a name with colons": ("- C++\n  - std::move\n", ("C++", "std::move")),
}


@pytest.mark.parametrize("name", KEPT)
def test_lines_of_the_map_are_kept(name):
    text, labels = KEPT[name]
    read = parse_map(text)
    assert (read.tree.labels, read.talk) == (labels, ())


def test_a_chosen_format_leaves_talk_out_too():
    text = "Here's the mind map:\n\n- Tides\n  - Causes\n\nLet me know if you need more!"
    for name in ("markdown", "indented"):
        assert parse_map(text, format=name).tree.labels == ("Tides", "Causes")
    assert [each.tree.labels for each in parse_maps(text)] == [("Tides", "Causes")]
    assert "markdown" in FORMATS
