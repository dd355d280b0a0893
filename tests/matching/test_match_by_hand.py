"""The status of each sentence in small maps written by hand."""

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of

from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.matching.bounds import NearBounds
from tted_core.matching.match import match
from tted_core.sentences import SentenceCosts

CASES = {
    "a heading goes, its nodes stay": ("r(a(b c) d)", "r(b c d)", "constrained", {"a": "missing"}),
    "a heading comes, its nodes stay": ("r(b c d)", "r(a(b c) d)", "constrained", {"a": "extra"}),
    "the root goes below another": ("r(a b)", "n(r(a b))", "constrained", {"n": "extra"}),
    "a branch moves": (
        "r(p(x(y) a(b c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) a(b c)))",
        "constrained",
        dict.fromkeys("abc", "moved"),
    ),
    "the head of a branch changes": (
        "r(p(x y) q)",
        "r(s(x y) q)",
        "constrained",
        {"p": "reworded"},
    ),
    "one child is too little evidence for another head": (
        "r(p(x) q)",
        "r(s(x) q)",
        "constrained",
        {"p": "missing", "s": "extra"},
    ),
    "the head of a branch changes, and most children are others": (
        "r(p(x y u v) q)",
        "r(s(x y w z) q)",
        "constrained",
        {"p": "reworded", "u": "missing", "v": "missing", "w": "extra", "z": "extra"},
    ),
    "the head of a branch changes, and the headings below it go": (
        "r(p(k(w x) l(y z)) q)",
        "r(s(w x y z) q)",
        "constrained",
        {"p": "reworded", "k": "missing", "l": "missing"},
    ),
    "children leave a node that stays": (
        "r(p(a b c d) q(z))",
        "r(p(d) q(z a b c))",
        "constrained",
        dict.fromkeys("abc", "moved"),
    ),
    "children rise beside their heading": (
        "r(p(a b) q)",
        "r(p a b q)",
        "constrained",
        dict.fromkeys("ab", "moved"),
    ),
    "children stay while their heading moves": (
        "r(p(a b) q(z))",
        "r(a b q(z p))",
        "constrained",
        {"p": "moved"},
    ),
    "a chain becomes flat": ("r(a(b(c(d))))", "r(a b c d)", "constrained", dict.fromkeys("bcd", "moved")),
    "parent and child swap, their other children stay": (
        "r(p(c x y m) q)",
        "r(c(p(n) x y) q m)",
        "constrained",
        {**dict.fromkeys("pcm", "moved"), "n": "extra"},
    ),
    "parent and child swap": ("r(p(c) q)", "r(c(p) q)", "constrained", dict.fromkeys("pc", "moved")),
    "the title above the root goes, and children rise": (
        "t(r(p(x y z)))",
        "r(p x y z)",
        "constrained",
        {"t": "missing", **dict.fromkeys("xyz", "moved")},
    ),
    "a title comes above the root, and a branch sinks": (
        "r(p(x y) q(z))",
        "t(r(p(x y q(z))))",
        "constrained",
        {"t": "extra", **dict.fromkeys("qz", "moved")},
    ),
    "the head of a branch changes, which gets another child": (
        "r(p(x y) q)",
        "r(s(x y w) q)",
        "constrained",
        {"p": "reworded", "w": "extra"},
    ),
    "the first branch becomes the root": (
        "z(a(x) b(y) c)",
        "a(x b(y) c)",
        "constrained",
        {"z": "missing", "a": "moved", "x": "moved"},
    ),
    "the first branch becomes the root, and leaves of a node in it rise": (
        "z(a(b(x y) c) d e)",
        "a(b c x y d e)",
        "constrained",
        {"z": "missing", **dict.fromkeys("abcxy", "moved")},
    ),
    "the root goes below a new one with some of its branches": (
        "r(s(t) a b c d)",
        "n(r(s(t)) a b c d)",
        "constrained",
        {**dict.fromkeys("rst", "moved"), "n": "extra"},
    ),
    "the root goes below a new one without its branches": (
        "r(a b c d e)",
        "n(r a b c d e)",
        "constrained",
        {"r": "moved", "n": "extra"},
    ),
    "two nodes swap positions": (
        "a(b x y(u v))",
        "b(a x y(u v))",
        "constrained",
        dict.fromkeys("ab", "moved"),
    ),
    "siblings in another order, where that counts": ("r(a b c d)", "r(b c d a)", "ordered", {"a": "moved"}),
    "siblings in another order, where it doesn't": ("r(a b c d)", "r(b c d a)", "constrained", {}),
    "the old root becomes a leaf": (
        "n(r(a b) c)",
        "r(a b n c)",
        "constrained",
        dict.fromkeys("nrab", "moved"),
    ),
    "one of two equal leaves goes, and others come": (
        "r(p(x y) q(x))",
        "r(p q(x y))",
        "constrained",
        {"x": "missing", "y": "moved"},
    ),
    "a leaf moves below the other of two equal nodes": (
        "r(p(x(y)) q(x))",
        "r(p(x) q(x(y)))",
        "constrained",
        {"y": "moved"},
    ),
    "one of two equal leaves goes": ("r(p(x) q(x))", "r(p q(x))", "constrained", {"x": "missing"}),
}


# Names of the cases with a branch that moved -> the nodes that moved along with its head.
ALONG = {
    "a branch moves": {"b", "c"},
    "the root goes below a new one with some of its branches": {"s", "t"},
    "the old root becomes a leaf": {"a", "b"},
    "the first branch becomes the root": {"x"},
    "the first branch becomes the root, and leaves of a node in it rise": {"b", "c"},
    "a title comes above the root, and a branch sinks": {"z"},
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name):
    left, right, order, words = CASES[name]
    result = compare(tree_of(left), tree_of(right), encoder=hashed, order=order)
    labels = result.left.tree.labels, result.right.tree.labels
    found = explain(result).matching.records
    assert {
        labels[0][each.source] if each.source is not None else labels[1][each.target]: each.status
        for each in found
        if each.status != "same"
    } == words
    heads = {each.source for each in found if each.head == each.source is not None}
    moved = {node for node, word in words.items() if word == "moved"}
    assert {labels[0][node] for node in heads} == moved - ALONG.get(name, set())


@pytest.mark.parametrize(
    ("left", "right", "costs", "words"),
    [
        ("r(a b)", "r(a c)", {"bc": 0.6}, {"b": "missing", "c": "extra"}),
        ("r(a b d)", "r(a c)", {"bc": 0.0, "dc": 0.0}, {"b": "missing", "c": "extra", "d": "missing"}),
        ("r(a b)", "r(h(a c))", {"bc": 0.4}, {"h": "extra", "b": "reworded"}),
        ("r(a b)", "r(h(c) a)", {"bc": 0.4}, {"h": "extra", "b": "reworded"}),
        ("r(p(q(x y)) a)", "r(s(x y) a)", {"ps": 0.1}, {"p": "reworded", "q": "missing"}),
        ("r(b d)", "r(c e)", {"bc": 0.4, "de": 0.2, "be": 0.41}, {"b": "reworded", "d": "reworded"}),
        (
            "r(b d)",
            "r(c e)",
            {"bc": 0.4, "de": 0.1, "be": 0.2},
            {"b": "missing", "c": "extra", "d": "reworded"},
        ),
    ],
    ids=[
        "too far",
        "the model can't tell texts apart",
        "heading above siblings",
        "heading above others",
        "a heading above took the children over",
        "rival is taken",
        "taken rival is nearer",
    ],
)
def test_words_by_position_and_cost(left, right, costs, words):
    one, other = map(tree_of, (left, right))
    nodes = np.array([[costs.get(v + w, float(v != w)) for w in other.labels] for v in one.labels])
    bounds = NearBounds(in_place=0.5, elsewhere=0.3, source="")
    partners = [-1] * len(one.labels)
    found = match(one, other, SentenceCosts(nodes), partners, ordered=False, bounds=bounds)
    assert {
        other.labels[each.target] if each.source is None else one.labels[each.source]: each.status
        for each in found.records
        if each.status != "same"
    } == words


def test_labels_with_a_word_that_no_sibling_has_are_reworded():
    pairs = {
        "Weaker judge": "Weaker model",
        "Minimization": "Minimizing a DFA",
        "Reinigung": "Endreinigung",
        "模型缓存区": "模型缓存目录",
        "LocalStore": "Store (local)",
        "Single sign-on": "SSO",
        "Part 4. Queues": "2. Queues",
    }
    gone, new = ["Week 5: Monday", "Week 6"], ["Week 5: Friday", "Week 7"]
    left = TextTree(("Plan", *pairs, *gone), (-1, *[0] * (len(pairs) + 2)))
    right = TextTree(("Plan", *pairs.values(), *new), (-1, *[0] * (len(pairs) + 2)))
    far = SentenceCosts(np.where(np.equal.outer(left.labels, right.labels), 0.0, 1.0))
    bounds = NearBounds(in_place=0.5, elsewhere=0.3, source="")
    found = match(left, right, far, [-1] * len(left), ordered=False, bounds=bounds)
    said = {left.labels[each.source]: each.target for each in found.records if each.status == "reworded"}
    assert {label: right.labels[node] for label, node in said.items()} == pairs
    assert (found.counts["missing"], found.counts["extra"]) == (2, 2)


@pytest.mark.parametrize(
    ("label", "other", "cost", "status"),
    [
        ("Flights", "Flights to Oslo: 900 euros", 0.45, "moved"),
        ("iOS", "The app for iOS", 0.45, "moved"),
        ("Flights", "Flights to Oslo: 900 euros", 0.6, "missing"),  # too far
        ("Flights", "Trains to Oslo: 900 euros", 0.45, "missing"),
        ("Plan", "Plans for Oslo", 0.45, "missing"),  # another label has the word
    ],
)
def test_an_extended_label_is_found_elsewhere(label, other, cost, status):
    left = TextTree(("Plan", "Before", label, "Then"), (-1, 0, 1, 0))
    right = TextTree(("Plan", "Before", "Then", other), (-1, 0, 0, 2))
    nodes = np.where(np.equal.outer(left.labels, right.labels), 0.0, 1.0)
    nodes[2, 3], nodes[2, 2] = cost, 0.4
    found = match(left, right, SentenceCosts(nodes), [-1] * 4, ordered=False, bounds=NearBounds(0.5, 0.3, ""))
    assert [each.status for each in found.records if each.source == 2] == [status]


JOINED = {
    "nodes below joined headings are in one position": (
        "Plan(Risks(Strong_wind) Costs(Tents))",
        "Plan(Risks_and_costs(Wind Tents))",
        {"Risks": "merged", "Costs": "merged", "Strong wind": "reworded"},
    ),
    "a heading is joined with all that stands below it": (
        "Coffee(Water(soft_water hot_water))",
        "Coffee(Water:_soft_and_hot)",
        dict.fromkeys(["Water", "soft water", "hot water"], "merged"),
    ),
    "a heading with other nodes is no part of the root": (
        "Testing_of_apps(Kinds_of_tests(Unit_tests Load_tests))",
        "How_we_test_apps(Unit_tests Load_tests)",
        {"Testing of apps": "reworded", "Kinds of tests": "missing"},
    ),
    "a number in common is nothing in common": (
        "Day(Tour_of_the_town,_10m Lunch)",
        "Day(Tour_of_the_town,_15m Lunch Break,_10m)",
        {"Tour of the town, 10m": "reworded", "Break, 10m": "extra"},
    ),
    "the nearer of two equal texts": (
        "Plan(Terms(Words Method) Chapter_4:_Joining(Way_of_work))",
        "Plan(Terms(Words Method Way_of_work!) Joining(Before(Way_of_work!)))",
        {
            "Chapter 4: Joining": "reworded",
            "Way of work": "reworded",
            "Before": "extra",
            "Way of work!": "extra",
        },
    ),
    "what stands deeper is joined with its headings": (
        "Saving(Rent(Smaller_rooms(fewer_lamps)))",
        "Saving(Rent:_smaller_rooms,_lamps)",
        dict.fromkeys(["Rent", "Smaller rooms", "fewer lamps"], "merged"),
    ),
    "a word of the heading doesn't join what stands below it": (
        "Tests(Name_tests Write_doctests_before_the_code)",
        "Tests(Doctests_before_the_code,_if_tests)",
        {"Name tests": "missing", "Write doctests before the code": "reworded"},
    ),
    "a longer heading that keeps three nodes": (
        "Paper(How_all_of_it_went,_month_by_month(Start Growth Ban))",
        "Paper(Life_of_the_initiative(Start Growth Ban))",
        {"How all of it went, month by month": "reworded"},
    ),
    "a longer heading that keeps two nodes": (
        "Paper(How_all_of_it_went,_month_by_month(Start Ban))",
        "Paper(Life_of_the_initiative(Start Ban))",
        {"How all of it went, month by month": "missing", "Life of the initiative": "extra"},
    ),
}


@pytest.mark.parametrize(("left", "right", "words"), JOINED.values(), ids=JOINED)
def test_headings_and_what_stands_below_them_are_joined(left, right, words):
    """Texts are as far from each other as can be: only their words count."""
    one, other = (
        TextTree(tuple(label.replace("_", " ") for label in tree.labels), tree.parents)
        for tree in map(tree_of, (left, right))
    )
    far = SentenceCosts(np.where(np.equal.outer(one.labels, other.labels), 0.0, 1.0))
    found = match(one, other, far, [-1] * len(one), ordered=False, bounds=NearBounds(0.5, 0.3, ""))
    assert {
        other.labels[each.target] if each.source is None else one.labels[each.source]: each.status
        for each in found.records
        if each.status != "same"
    } == words


@pytest.mark.parametrize(
    ("label", "other", "cost", "status"),
    [
        (
            "Aim: one tap, and everything else is done for you",
            "Aim: nothing that a tired person has to remember",
            0.54,
            "reworded",
        ),
        (
            "目标：一次点击，其余的一切都会自动为您完成，无需再做其他操作，也不用等待很久",
            "目标：疲惫的人什么都不必记住，只要打开应用看一眼就知道下一步该怎么走",
            0.54,
            "reworded",
        ),
        (
            "Aim: one tap, and everything else is done for you",
            "Aim: nothing that a tired person has to remember",
            0.6,
            "missing",
        ),  # too far
        (
            "Step 2: one tap, and everything else is done for you",
            "Step 2: nothing that a tired person has to remember",
            0.54,
            "missing",
        ),  # numbers of a list
        (
            "Aim: one tap, and everything else is done for you",
            "Plan: nothing that a tired person has to remember",
            0.54,
            "missing",
        ),
    ],
)
def test_texts_with_the_same_lead_are_reworded(label, other, cost, status):
    left, right = TextTree(("App", label), (-1, 0)), TextTree(("App", other), (-1, 0))
    nodes = SentenceCosts(np.array([[0.0, 1.0], [1.0, cost]]))
    found = match(left, right, nodes, [-1] * 2, ordered=False, bounds=NearBounds(0.5, 0.3, ""))
    assert [each.status for each in found.records if each.source == 1] == [status]


def test_the_script_may_pair_what_does_not_correspond():
    """One cheap pair of unrelated sentences keeps the equal ones apart; the words are those of the equal ones."""
    costs = np.full((2, 2), 1.0)
    costs[1, 0] = 0.0
    sides = TextTree(("x", "a"), (-1, 0)), TextTree(("a", "y"), (-1, 0))
    bounds = NearBounds(0.5, 0.5, "by hand")
    found = match(*sides, SentenceCosts(costs), [0, 1], ordered=False, bounds=bounds).records
    assert [(each.source, each.target, each.status) for each in found] == [
        (0, None, "missing"),
        (1, 0, "same"),
        (None, 1, "extra"),
    ]
