"""Edits of a map: laws, single steps, what is kept of them, and the files of edited maps."""

import pytest
from helpers.trees import tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from tted_core.annotate.decisions import (
    Edit,
    apply_edits,
    edits_scope,
    goals,
    map_file,
    mark,
    next_edit,
    read_edits,
)
from tted_core.errors import InvalidTreeError
from tted_core.formats import parse_map
from tted_core.tree import TextTree


@st.composite
def edit_of(draw: st.DrawFn, tree: TextTree) -> Edit:
    """An edit that the tree allows."""
    node = draw(st.integers(0, len(tree) - 1))
    kind = draw(st.sampled_from(("rename", "move", "delete", "merge") if node else ("rename",)))
    goal = draw(st.sampled_from(goals(tree, node))) if node else 0
    return Edit(kind, node, goal, draw(st.sampled_from(("", "new"))))


@given(trees(max_nodes=9), st.data())
def test_edits_give_a_tree_and_without_the_last_one_the_tree_before(tree, data):
    before, edits = [tree], []
    for _ in range(data.draw(st.integers(1, 5))):
        edits.append(data.draw(edit_of(before[-1])))
        before.append(apply_edits(tree, edits)[0])
    for count, each in enumerate(before):
        assert apply_edits(tree, edits[:count])[0] == each
    after, origins = apply_edits(tree, edits)
    assert len(origins) == len(set(origins)) == len(after)
    renamed = any(each.kind == "rename" for each in edits)
    assert renamed or after.labels == tuple(tree.labels[each] for each in origins)


@given(trees(max_nodes=9), st.data())
def test_each_kind_of_edit_does_what_it_says(tree, data):
    edit = data.draw(edit_of(tree))
    after, origins = apply_edits(tree, [edit])
    lost = set(range(len(tree))) - set(origins)
    branch = set(range(edit.node, edit.node + tree.sizes[edit.node]))
    assert lost == {"delete": branch, "merge": {edit.node}}.get(edit.kind, set())
    if edit.kind == "merge":
        goal = origins.index(edit.goal)
        below = [origins[each] for each in after.children[goal]]
        own = [each for each in tree.children[edit.goal] if each != edit.node]
        assert below == [*own, *tree.children[edit.node]]
    if edit.kind == "rename":
        assert (after.labels[edit.node], after.parents) == (edit.text, tree.parents)
    if edit.kind == "move":
        goal = origins.index(edit.goal)
        assert origins[after.children[goal][-1]] == edit.node


TREE = tree_of("a(b(c d) e)")


@pytest.mark.parametrize(
    "edit",
    [Edit("delete", 0), Edit("move", 0, 1), Edit("move", 1, 2), Edit("merge", 1, 1), Edit("rename", 5)],
)
def test_what_would_be_no_tree_is_refused(edit):
    with pytest.raises(InvalidTreeError):
        apply_edits(TREE, [edit])


def test_edits_are_kept_with_their_map(monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    steps = [Edit("rename", 1, text="B \udce4"), *(Edit("delete", 1) for _ in range(11))]
    for each in steps:
        mark(edits_scope(TREE), next_edit(read_edits(TREE), each))
    assert list(read_edits(TREE).values()) == steps
    mark(edits_scope(TREE), {list(read_edits(TREE))[-1]: None})
    assert list(read_edits(TREE).values()) == steps[:-1]
    assert not read_edits(tree_of("a"))


@pytest.mark.parametrize(
    ("name", "content", "saved"),
    [
        ("x/a.md", "# A\n- b\n", "x/a.md"),
        ("a.markdown", "# A\n- b\n", "a.markdown"),
        ("a", '{"label": "A", "children": [{"label": "b"}]}', "a.json"),
        ("a.txt", "A\n  b\n", "a.md"),
    ],
)
def test_a_map_is_saved_in_its_format_or_as_markdown(name, content, saved):
    given = parse_map(content, name=name)
    name, data, notices = map_file(given)
    assert name == saved
    assert parse_map(data, name=name).tree == given.tree
    assert [each for each in notices if "saved as Markdown" in each] == list(notices)
    assert bool(notices) == (given.format == "indented")
