"""Maps inside records of a program: --field and --id, and the error for JSON that isn't a map."""

import json

import pytest
from test_formats_readers import outline

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map, parse_maps
from tted_core.formats.fields import candidate_paths, records_in

SENTENCES = ["Root.", "One.", "Left out.", "Two."]
RESULTS = [
    {
        "article_id": "a1",
        "reference_path": "refs/a1.story",
        "sentences": SENTENCES,
        "generation": {
            "mindmap": {"root": 0, "selected": [0, 1, 3], "edges": [[0, 1], [1, 3]]},
            "rendered": "[0] Root.\n1. [1] One.\n1.1. [3] Two.",
            "attempts": [{"text": "- a\n  - b"}],
        },
        "evaluation": {"scores": {"rouge_1": 0.4}},
    },
    {
        "article_id": "a2",
        "reference_path": "refs/a2.story",
        "sentences": SENTENCES,
        "generation": {"mindmap": {"root": 1, "edges": [[1, 3]]}, "rendered": "[1] One.\n1. [3] Two."},
        "evaluation": {},
    },
]
LIST, LINES = json.dumps(RESULTS, indent=1), "\n".join(map(json.dumps, RESULTS))
FAILED = {"article_id": "a3", "sentences": SENTENCES, "generation": {"mindmap": None, "rendered": ""}}
PROMPTED = [{"id": 1, "prompt": "Make a map", "score": 0.5, "output": "- a\n  - b\n  - c\n"}]


def shown(maps):
    return {each.maps[each.sheet - 1]: outline(each.tree) for each in maps}


@pytest.mark.parametrize("content", [LIST, LINES], ids=["list", "lines"])
@pytest.mark.parametrize("path", ["generation.mindmap", "generation.rendered", None])
def test_the_authors_results_are_maps_by_their_articles(content, path):
    maps = parse_maps(content, field=path, key=path and "article_id")
    assert shown(maps) == {"a1": "Root. | -One. | --Two.", "a2": "One. | -Two."}


def test_a_number_in_a_path_is_an_index_in_a_list():
    assert outline(parse_map(LINES.splitlines()[0], field="generation.attempts.0.text").tree) == "a | -b"


def test_a_record_without_a_map_is_named_and_left_out():
    maps = parse_maps(json.dumps([*RESULTS, FAILED]))
    assert len(maps) == 2
    assert any("1 record without a map left out: a3" in notice for notice in maps[0].notices)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (
            LIST,
            {"field": "generation.map"},
            "no field 'generation.map', or an empty one; it has 'article_id', ",
        ),
        (LIST, {"field": "generation.rendered", "key": "name"}, "no id at 'name'; it has 'article_id', "),
        (
            json.dumps([FAILED]),
            {"field": "generation.rendered"},
            "the record 'a3' has no field 'generation.rendered', or an empty one",
        ),
        ("- a\n  - b", {"field": "map"}, "which the content isn't; leave it out"),
        (
            json.dumps(PROMPTED),
            {},
            r"program \(keys id, prompt, score, output\), not like a map: .* field='output'",
        ),
        (json.dumps(PROMPTED[0]), {}, "1 record of a program"),
        ('{"map": "# a\\n- b\\n- c"}', {}, "1 record of a program .*field='map'"),
        (
            '{"choices": [{"message": {"content": "# a\\n- b\\n- c"}}], "id": "x"}',
            {},
            "1 record of a program .*field='choices.0.message.content'",
        ),
    ],
)
def test_other_records_are_refused_with_a_way_out(content, options, message):
    with pytest.raises(MapFormatError, match=message):
        parse_map(content, **options)


def test_records_of_a_program_are_read_on_request():
    assert outline(parse_map(json.dumps(PROMPTED), field="output").tree) == "a | -b | -c"
    assert parse_map(json.dumps(PROMPTED), format="nested-json").tree.labels[1:3] == ("id", "1")


@pytest.mark.parametrize(
    "content",
    [
        '{"Animals": {"Cats": "purr", "Dogs": "bark"}}',
        '{"model": {"Perception": {}, "Attention": {}}, "Memory": {}}',
        '{"https://example.org": {"About": {}, "Contact": {}}}',
        '{"react": {"hooks": {"state": {}, "effect": {}}, "package.json": {}}}',
        '{"Links": {"Docs": "https://docs.python.org", "Wiki": "https://en.wikipedia.org/wiki/Tree"}}',
        '{"name": "react", "children": ["hooks", "state"]}',
        '{"version control": {"git": {}, "score of a game": {}}}',
    ],
)
def test_a_map_of_few_words_is_still_a_map(content):
    assert len(parse_map(content).tree) > 2


@pytest.mark.parametrize("content", [LIST, LINES], ids=["list", "lines"])
def test_fields_of_a_file_are_suggested(content):
    fields, names = candidate_paths(content.encode())
    assert fields[:2] == ["generation.mindmap", "generation.rendered"]
    assert names[0] == "article_id"
    long = json.dumps(
        {"id": 1, "sentence " * 50: {"map": {"a": {}}}}
    )  # as paths, many such would take gigabytes
    assert candidate_paths(long.encode()) == ([], [])
    assert candidate_paths(b"- a\n  - b") == candidate_paths(b'{"a": {"b": {}}}') == ([], [])
    assert all(record.at("generation.rendered") for record in records_in(content.encode()))
    assert not records_in(b'{"a": {"b": {}}}')[0].at("generation.rendered")
