"""Two maps decided into one on the Annotate page, without a browser."""

import pytest
from helpers.pages import button, click, opened, shown

from tted_core.annotate.decisions import marks
from ui.annotate import agreement
from ui.mapping.view import Selection


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, hashed_models: None) -> None:
    monkeypatch.setattr(agreement, "TOPICS", ("photosynthesis", "urban-heat"))


def progress(app) -> str:
    return next(each.proto.text for each in app.get("progress"))


def test_changes_are_decided_undone_and_there_again_on_another_visit():
    app = opened("Annotate", tab="decide")
    assert progress(app).startswith("0 of ")
    button(app, "Take right").click().run()
    button(app, "Neither").click().run()
    assert progress(app).startswith("2 of ")
    button(app, "Undo").click().run()
    assert progress(app).startswith("1 of ")
    assert not app.exception
    assert progress(opened("Annotate", tab="decide")).startswith("1 of ")


def test_a_note_is_kept_with_its_decision_and_names_are_no_markup():
    app = opened(
        "Annotate",
        {"decide-kept": (("a *b*.md", b"# S\n- <b>x</b> [y](z)\n"), ("c.md", b"# S\n- other\n"))},
        tab="decide",
    )
    assert "<b>" not in "".join(each.value for each in app.markdown)
    assert "a \\*b\\*" in "".join(each.value for each in app.caption)
    app.text_input[-1].set_value("see p. 3").run()
    button(app, "Take left").click().run()
    assert "see p. 3" in {each.note for each in marks(app.session_state["decide-history"][0][0]).values()}
    assert "The map so far" in {each.value for each in app.header}


def test_the_change_on_screen_is_selected_even_if_the_script_pairs_its_node_with_another_sentence():
    files = (
        ("a.md", b"# Rome\n- Founded early\n- Augustus was first\n  - He ruled\n- It fell in 476\n"),
        ("b.md", b"# Rome\n- Founded early\n  - He ruled\n- It fell in 476\n- An extra remark\n"),
    )
    app = opened("Annotate", {"decide-kept": files}, tab="decide")
    selected = []
    for _ in range(3):
        click(app, "Next")
        selected.append(app.session_state["selected"])
    assert selected == [Selection(3, 2), Selection(None, 4), Selection(2, None)]


def test_of_three_files_the_page_says_which_two_are_compared_and_of_one_that_the_example_is_shown():
    files = (("a, 1.md", b"# S\n- one\n"), ("b.md", b"# S\n- two\n"), ("c.xmind", b"broken"))
    app = opened("Annotate", {"decide-kept": files}, tab="decide")
    assert "Current files: “a, 1.md”, “b.md”, “c.xmind”." in shown(app)
    assert "Only the first two of 3 files are compared: “a, 1.md”, “b.md”." in shown(app)
    app = opened("Annotate", {"decide-kept": files[:1]}, tab="decide")
    assert "Showing an example until the second map is in." in shown(app)
