"""The Learn page, part by part."""

import dataclasses
import json

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.pages import click, opened, shown
from helpers.thorough import sampled
from helpers.trees import sample

from tted_core import compare as by_default
from tted_core.baselines import SCALES, baseline_scores
from tted_core.distances.formulas import cosine
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.mappings import SMALLEST, explain_omissions, letter_solutions, list_pairs
from ui import models
from ui.learn import LEARN_PARTS
from ui.learn.lesson import read_outlines
from ui.learn.orders import EXAMPLES, EXPLAINED
from ui.learn.reefs import COAST, REEFS, RIGHT_MAPS, example, move_explained
from ui.map_source import read
from ui.scales import HALF_ALIKE, LITTLE_ALIKE, SCALE_STEP


@pytest.fixture(autouse=True)
def no_model(monkeypatch):
    """The page's own wiring is tested here, not the model."""
    encoder = dataclasses.replace(
        sentence_encoder(), word_pieces=lambda texts: [["[CLS]", *text.split(), "[SEP]"] for text in texts]
    )
    monkeypatch.setattr(models, "encoder", lambda _name: encoder)


def player(page):
    """The step player's data."""
    return next(
        json.loads(each.proto.json) for each in page.get("bidi_component") if "stepper" in str(each.proto)
    )


@pytest.mark.parametrize("part", LEARN_PARTS)
def test_every_part_opens_by_its_link(part):
    page = opened("Learn", part=part)
    assert not page.error
    assert page.session_state["part"] == part


def test_the_player_ends_at_the_ordered_distance():
    page = opened("Learn", part="steps")
    assert "The distance is 2; *Compare*, with the order *ordered*, gives 2." in shown(page)
    steps = player(page)["steps"]
    assert steps[-1]["text"].endswith("D(5, 5) = 2, the ordered tree edit distance.")


@pytest.mark.thorough
@pytest.mark.parametrize("order", EXPLAINED)
def test_each_example_can_be_taken_in_each_order(order):
    page = opened("Learn", part="steps", steps_order=order)
    assert page.selectbox(key="example").value == next(iter(EXAMPLES))
    for name, pair in EXAMPLES.items():
        page.selectbox(key="example").select(name).run()
        assert not page.exception
        assert (page.session_state["left_tree"], page.session_state["right_tree"]) == pair
        assert page.selectbox(key="example").value == name
        assert "tree edit distance." in player(page)["steps"][-1]["text"]


def test_a_link_brings_trees():
    page = opened("Learn", part="steps", left_tree="x\n  y", right_tree="x")
    assert page.selectbox(key="example").value == "trees of your own"
    assert [side["labels"] for side in player(page)["sides"]] == [["", "y", "x"], ["", "x"]]
    assert "The distance is " in shown(page)


@pytest.mark.thorough
def test_too_large_a_tree_is_refused_in_a_sentence():
    page = opened("Learn", part="steps", left_tree="a\n" + "\n".join("  b" for _ in range(12)))
    assert "13 nodes in the left map" in page.error[0].value


@pytest.mark.thorough
@pytest.mark.parametrize("ranking", SMALLEST, ids="-".join)
def test_the_orders_show_the_solvers_values(ranking):
    page = opened("Learn", part="orders", ranking="-".join(ranking))
    left, right = SMALLEST[ranking]
    solutions = letter_solutions(left, right)
    unordered = list_pairs(solutions["unordered"].mapping)
    for order, solution in solutions.items():
        assert f"## {order}: {solution.upper:g}" in shown(page)
        for sentence in explain_omissions(order, left, right, list_pairs(solution.mapping), unordered):
            assert sentence in shown(page)
    assert shown(page).count("can't keep") == 3


def test_the_costs_of_two_sentences_are_those_of_the_method():
    page = opened("Learn", part="sentences", left_sentence="one", right_sentence="two")
    vectors = hashed(["one", "two", ""])
    costs = cosine(vectors, vectors)
    for cost in (costs[0, 1], costs[0, 2], costs[2, 1]):
        assert f"**{cost:.4f}**" in shown(page)
    pieces = " ".join(each.proto.body for each in page.get("html"))
    assert "(3 pieces)" in pieces
    assert "(2 pieces)" in pieces


def test_the_lesson_on_limits_shows_merged_sentences_claims_and_sizes():
    page = opened("Learn", part="limits")
    assert shown(page).count("⊂ merged") == 2
    for flag in ("opposite: more → less", "number: more than eight → more than eighty", "negation: – → not"):
        assert flag in shown(page)
    found = by_default(sample("solar-system/base"), sample("solar-system/paraphrase_1"), encoder=hashed)
    assert f"**{found.tted:.2f}** | **{found.normalized:.2f}**" in shown(page)


def test_the_lesson_on_similarity_has_a_map_that_differs_at_each_scale(minilm):
    rows = {
        name: [
            score.sim
            for score in baseline_scores(SCALES, read_outlines(REEFS, RIGHT_MAPS[name][1]), minilm).values()
        ]
        for name in RIGHT_MAPS
    }
    assert rows["rearranged"][0] == pytest.approx(1)
    assert rows["rearranged"][1] > rows["rearranged"][2] + SCALE_STEP
    assert rows["topic"][0] > rows["topic"][1] + SCALE_STEP
    assert max(rows["unrelated"]) < LITTLE_ALIKE
    assert min(rows["replaced"]) > HALF_ALIKE
    page = opened("Learn", part="scales", scale_map="topic")
    assert page.table[0].value.index.tolist() == [label for label, *_ in RIGHT_MAPS.values()]
    assert any("as a whole" in each.proto.body for each in page.get("html"))


@pytest.mark.thorough
def test_another_topic_brings_its_own_sentences():
    page = opened("Learn", part="sentences")
    page.selectbox(key="sentences_topic").select("baikal").run()
    assert not page.exception
    assert page.session_state["left_sentence"] == sample("baikal/base").labels[1]
    assert page.session_state["right_sentence"] == sample("baikal/paraphrase_1").labels[1]


def test_tted_in_five_minutes_sums_to_the_distance_of_compare():
    page = opened("Learn", edit="two")
    comparison = by_default(*example("two"), encoder=hashed)
    formulas = " ".join(each.value for each in page.latex)
    assert f"= {comparison.tted:.4f}" in formulas
    assert f"= {comparison.normalized:.4f}" in formulas
    costs = [op.cost for op in comparison.script.ops if op.cost]
    assert len(costs) == 2
    assert all(f"**{cost:.4f}**" in shown(page) for cost in costs)


def test_a_move_is_a_deletion_and_an_insertion(minilm):
    moved = by_default(*example("move"), encoder=minilm)
    assert [op.op for op in moved.script.ops if op.cost] == ["delete", "insert"]
    assert f"“{COAST}” is deleted under one parent" in shown(opened("Learn", edit="move"))


def test_exchanging_parents_can_be_cheaper_than_a_move(minilm):
    exchanged = by_default(*example("swap"), encoder=minilm)
    assert [op.op for op in exchanged.script.ops if op.cost] == ["replace", "replace"]
    assert "exchanging two parents costs less, 1.2657" in move_explained(exchanged, "Algae feed the polyps")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "part",
    [
        {"edit": "move"},
        *({"part": name} for name in ("sentences", "orders", "steps", "limits")),
    ],
)
def test_a_stage_opens_in_compare_with_its_maps_and_setting(part):
    page = opened("Learn", **part)
    click(page, "Open in Compare")
    assert not page.exception
    assert not page.error
    assert len(read(page.session_state["left"]).tree) >= 3
    gap = "=0.4" if part == {"part": "orders"} else "0"
    distance = "levenshtein" if part.get("part") in {"orders", "steps"} else "cosine"
    assert (page.session_state["distance"], page.session_state["gap"]) == (distance, gap)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", sampled(["keyroots", "mapping", "score"], 1)
)  # several options, one option, a number
def test_an_answer_is_checked(name):
    page = opened("Learn", part="exercises", exercise=name, exercise_seed="7")
    posed = exercise(name, 7)
    kind = "button_group" if posed.many else "radio" if posed.options else "number_input"

    def give(answer):
        getattr(page, kind)(key=f"given-{name}-7").set_value(answer)

    right = posed.answer
    if posed.options:
        right = sorted(posed.answer) if posed.many else next(iter(posed.answer))
    if not posed.many:
        give(next(index for index in range(2) if index != right) if posed.options else right + 1)
        click(page, "Check")
        assert EXERCISES[name].hint in page.error[0].value  # a hint before the answer
        assert posed.solution not in page.error[0].value
    give(right)
    click(page, "Check")
    assert not page.exception
    assert page.success[0].value.startswith("Right.")


def test_a_hint_comes_before_the_answer():
    page = opened("Learn", part="exercises", exercise="score", exercise_seed="7")
    click(page, "Hint")
    assert EXERCISES["score"].hint in page.info[0].value
    click(page, "Show the answer")
    assert exercise("score", 7).solution in page.info[0].value
