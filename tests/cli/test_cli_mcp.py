"""tted mcp: the official client asks the server's tools over standard input and output."""

import asyncio
import json
import sys

import pytest
from helpers.command import LEFT, RIGHT
from helpers.floats import by_arithmetic
from helpers.paths import SAMPLES

from tted_core import compare, read_map
from tted_core.cli.mcp import served

pytest.importorskip("mcp", reason="needs the package mcp")
from mcp import Client, StdioServerParameters

WITHOUT_MODEL = {"distance": "levenshtein"}


def asked(server, *calls):
    """The answers to some calls of tools in one session, and the tools that there are."""

    async def ask():
        async with Client(server) as client:
            tools = await client.list_tools()
            return tools.tools, [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(ask())


def test_tools_are_described():
    tools, _ = asked(served())
    assert [tool.name for tool in tools] == ["read", "compare"]
    assert tools[1].description.startswith("Compare two mind maps")
    assert set(tools[1].input_schema["properties"]) == {"left", "right", "options"}


def test_a_map_is_read_from_a_file_or_a_text():
    _, (of_file, of_text) = asked(
        served(), ("read", {"mind_map": {"file": LEFT}}), ("read", {"mind_map": {"text": "# a\n- b\n"}})
    )
    assert of_file.structured_content == read_map(LEFT).to_dict()
    assert of_text.structured_content["labels"] == ["a", "b"]


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        ("read", {"mind_map": {}}, "one of the two"),
        ("read", {"mind_map": {"file": "a.json", "text": "a"}}, "one of the two"),
        ("read", {"mind_map": {"file": "none.json"}}, "none.json"),
        (
            "compare",
            {"left": {"text": "a"}, "right": {"text": "b"}, "options": {"x": 1}},
            "there is no option 'x'",
        ),
    ],
)
def test_bad_input_is_one_sentence(tool, given, message):
    _, (answer,) = asked(served(), (tool, given))
    assert answer.is_error
    assert message in answer.content[0].text
    assert "\n" not in answer.content[0].text


@pytest.mark.thorough
def test_the_client_reads_and_compares_over_stdio(caplog):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tted_core", "mcp"], cwd=str(SAMPLES.parent)
    )
    left, right = {"file": LEFT}, {"file": RIGHT}
    _, (read, compared) = asked(
        server,
        ("read", {"mind_map": left}),
        ("compare", {"left": left, "right": right, "options": WITHOUT_MODEL}),
    )
    assert json.loads(read.content[0].text) == read.structured_content == read_map(LEFT).to_dict()
    result = compare(LEFT, RIGHT, **WITHOUT_MODEL).to_dict()
    assert compared.structured_content["tted"] == by_arithmetic(result["tted"])
    assert compared.structured_content["signature"] == result["signature"]
    assert [
        record for record in caplog.records if record.levelname == "ERROR"
    ] == []  # nothing else was printed
