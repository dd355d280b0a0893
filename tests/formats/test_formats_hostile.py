"""Limits and hostile input: too much is refused before long work; the rest ends in a tree or in an error."""

import contextlib

import pytest
from helpers.hanging import not_hanging
from helpers.hostile_files import TOO_LARGE
from helpers.paths import SAMPLES
from helpers.thorough import sampled
from hypothesis import given
from hypothesis import strategies as st

from tted_core.errors import MAX_BYTES, MAX_DEPTH, MAX_LABEL_CHARACTERS, MAX_NODES_READ, LimitError, TTEDError
from tted_core.formats import FORMATS, parse_map, read_map


@pytest.mark.parametrize("name", sampled(TOO_LARGE, 4))
def test_limits_hold_before_long_work(name):
    content = TOO_LARGE[name]()
    with not_hanging(), pytest.raises(LimitError):
        parse_map(content)


def test_a_file_is_not_read_beyond_the_limit(tmp_path):
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES * 50)
    with pytest.raises(LimitError, match=r"500,000,000 bytes in .*large\.txt"):
        read_map(path)


@pytest.mark.parametrize(
    "content",
    [
        '{"a":' * (MAX_DEPTH - 1) + '{"a":{}}' + "}" * (MAX_DEPTH - 1),
        "\n".join(" " * level + "a" for level in range(MAX_DEPTH)),
        "\n".join("  " * level + "- a" for level in range(MAX_DEPTH)),
        "<map>" + '<node TEXT="a">' * MAX_DEPTH + "</node>" * MAX_DEPTH + "</map>",
        "parent,child\n" + "\n".join(f"{i},{i + 1}" for i in range(MAX_DEPTH - 1)),
        "\n".join(".".join(["1"] * (level + 1)) + ". a" for level in range(MAX_DEPTH)),
    ],
)
def test_the_deepest_map_allowed_is_read(content):
    assert parse_map(content).tree.depth == MAX_DEPTH


def test_the_widest_map_and_the_longest_label_allowed_are_read():
    assert len(parse_map("a\n" + " b\n" * (MAX_NODES_READ - 1)).tree) == MAX_NODES_READ
    assert len(parse_map("x" * MAX_LABEL_CHARACTERS).tree.labels[0]) == MAX_LABEL_CHARACTERS


SHAPES = [path.read_bytes() for path in sorted((SAMPLES / "formats").iterdir())]


@given(st.binary(max_size=300) | st.text(alphabet="#-*1.[] \t\nab`|├{}:\"'", max_size=60).map(str.encode))
def test_any_input_gives_a_tree_or_a_ttederror(content):
    with contextlib.suppress(TTEDError):
        result = parse_map(content, roots="join")
        assert all(label == " ".join(label.split()) for label in result.tree.labels)


@given(
    st.sampled_from(SHAPES),
    st.sampled_from([None, *FORMATS]),
    st.integers(0, 4000),
    st.integers(0, 40),
    st.binary(max_size=20),
)
def test_a_damaged_file_gives_a_tree_or_a_ttederror(content, format_name, start, length, inserted):
    damaged = content[:start] + inserted + content[start + length :]
    with contextlib.suppress(TTEDError):
        parse_map(damaged, format=format_name, include_floating=True)
