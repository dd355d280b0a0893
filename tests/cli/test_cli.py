"""The command line: its JSON contract, its text, and what goes to which stream."""

import json
import math
import random
import re
from pathlib import Path

import pytest
from helpers.command import LEFT, RIGHT, run_command

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES, MEASURES, SUITE
from tted_core.formats import FORMATS, WRITERS, parse_map, read_map
from tted_core.solvers import SOLVERS
from tted_core.version import VERSION

COMPARE = ("compare", LEFT, RIGHT)
WITHOUT_A_MODEL = ",".join(name for name in MEASURES if name != "linear_bertscore")
COMPARISON_KEYS = {
    "tted",
    "lower_bound",
    "proven",
    *NORMALISATIONS,
    "tted_at",
    "avg_tted",
    "equivalence",
    *(f"{name}{end}" for name in SUITE if name != "linear_bertscore" for end in ("", "_at")),
    "script",
    "sentences",
    "baselines",
    "left",
    "right",
    "options",
    "signature",
    "version",
}
MAP_KEYS = {"format", "nodes", "depth", "labels", "parents", "notices"}


def test_read_json_has_exactly_the_agreed_keys(tted):
    status, out, err = tted("read", LEFT, "--json")
    content = json.loads(out)
    assert (status, err, out.count("\n}")) == (0, "", 1)
    assert set(content) == MAP_KEYS
    assert (content["format"], content["nodes"], content["depth"], content["notices"]) == (
        "nested-json",
        7,
        3,
        [],
    )
    assert content["parents"] == [-1, 0, 1, 1, 0, 4, 4]
    assert len(content["labels"]) == 7


def test_read_text_shows_the_tree(tted):
    status, out, err = tted("read", "-", stdin="Корень\n  Ветка".encode())
    assert (status, err) == (0, "")
    assert out == f"read as {FORMATS['indented'].title}: 2 nodes, depth 2\nКорень\n  Ветка\n"


@pytest.mark.parametrize("name", WRITERS)
def test_read_writes_the_map_in_another_format(tted, name):
    status, out, err = tted("read", LEFT, "--to", name)
    assert (status, err) == (0, "")
    assert parse_map(out, format=name).tree == read_map(LEFT).tree


BOTH = [
    ("read", "--to", "opml", "--json"),
    ("read", "--outline", "--json"),
    ("read", "--outline", "--to", "opml"),
    ("merge", LEFT, "--ours", "--theirs"),
]


@pytest.mark.parametrize("both", BOTH)
def test_options_that_exclude_each_other(tted, both):
    status, out, err = tted(*both, LEFT)
    assert (status, out) == (2, "")
    assert re.fullmatch(
        rf"error: argument --\w+: not allowed with argument --\w+; see: tted {both[0]} .*\n", err
    )


def test_compare_json_has_the_agreed_keys_and_adds_up(tted):
    status, out, err = tted(*COMPARE, "--json", "--baselines", WITHOUT_A_MODEL)
    content = json.loads(out)
    assert (status, err) == (0, "")
    assert set(content) >= COMPARISON_KEYS
    assert set(content) - COMPARISON_KEYS <= {"notices"}
    assert set(content["left"]) == set(content["right"]) == MAP_KEYS
    assert set(content["baselines"]) == set(BASELINES)
    assert content["options"] == {
        "encoder": "minilm",
        "distance": "cosine",
        "order": "constrained",
        "context": "none",
        "depth": None,
        "time_limit": None,
        "gap": 0.0,
        "power": 1.0,
    }
    assert content["proven"] is True
    assert content["lower_bound"] == content["tted"] == content["tted_at"][-1]
    total = math.fsum(op["cost"] for op in content["script"])
    assert abs(total - content["tted"]) < 1e-9
    assert content["version"] == VERSION
    assert content["signature"].startswith(
        "TTED|order:constrained|proven:yes|enc:minilm@01234567|dist:cosine|"
    )
    for op in content["script"]:
        assert set(op) - {"notes"} == {"op", "source", "target", "cost"}
        assert (op["source"] is None) == (op["op"] == "insert")
        assert (op["target"] is None) == (op["op"] == "delete")


def test_every_option_reaches_the_comparison(tted):
    _, out, _ = tted(
        *COMPARE,
        "--encoder=hashed",
        "--distance=manhattan",
        "--order=ordered",
        "--context=ancestors",
        "--depth=2",
        "--baselines=rouge_sim",
        "--time-limit=1.5",
        "--gap=0.5",
        "--power=2",
        "--json",
    )
    content = json.loads(out)
    names = ("encoder", "distance", "order", "context", "depth", "time_limit", "gap", "power")
    chosen = ["hashed", "manhattan", "ordered", "ancestors", 2, 1.5, 0.5, 2.0]
    assert content["options"] == dict(zip(names, chosen, strict=True))
    assert list(content["baselines"]) == ["rouge_sim"]
    assert content["left"]["nodes"] == 3


def test_by_a_power_the_text_shows_shares_that_add_up(tted):
    _, out, _ = tted(*COMPARE, "--preset", "proofreading", "--baselines", "none")
    title, *lines = out.partition("shares of ")[2].splitlines()
    assert title == "d^8, which add up (costs don't)"
    shares = [float(line.split()[1]) for line in lines if " % " in line]
    assert sum(shares) == pytest.approx(100, abs=0.05 * len(shares))
    assert "shares of" not in tted(*COMPARE, "--baselines", "none")[1]


def test_a_preset_is_overridden_by_single_options(tted):
    def options(*given):
        content = json.loads(tted(*COMPARE, "--json", *given)[1])
        return [content["options"][name] for name in ("distance", "order", "context", "gap", "power")]

    assert options("--preset", "published") == options() == ["cosine", "constrained", "none", 0.0, 1.0]
    assert options("--preset", "proofreading") == ["cosine", "constrained", "none", "=0.8", 8.0]
    assert options("--preset", "proofreading", "--order", "ordered", "--gap", "=.5") == [
        "cosine",
        "ordered",
        "none",
        "=0.5",
        8.0,
    ]


@pytest.mark.parametrize(
    ("choice", "names"),
    [
        ("all", list(BASELINES)),
        ("none", []),
        ("rouge_sim_published", ["rouge_sim_published"]),
        (" rouge_sim , rouge_sim_published", ["rouge_sim", "rouge_sim_published"]),
    ],
)
def test_baselines_are_chosen_by_name(tted, choice, names):
    assert list(json.loads(tted(*COMPARE, "--baselines", choice, "--json")[1])["baselines"]) == names


@pytest.mark.parametrize("order", SOLVERS)
def test_compare_text(tted, order):
    status, out, err = tted(*COMPARE, "--order", order, "--baselines", "all")
    content = json.loads(tted(*COMPARE, "--order", order, "--baselines", "all", "--json")[1])
    assert (status, err) == (0, "")
    assert f"TTED                  {content['tted']:.4f}  ({order}, proven optimal)" in out
    assert f"{content['normalized']:.4f}" in out
    for name in BASELINES:
        assert f"\n{name} " in out
    assert out.endswith(f"\n{content['signature']}\n")
    for op in content["script"]:
        label = content["left" if op["source"] is not None else "right"]["labels"][
            op["source"] or op["target"] or 0
        ]
        assert label in out
    counts = ", ".join(
        f"{count} {status}" for status, count in content["sentences"]["counts"].items() if count
    )
    assert f"\n{counts}\n" in out
    listed = out.partition(f"\n{counts}\n")[2].partition("\n\n")[0].splitlines()
    assert {line[0] for line in listed} <= set("=~→⊂⊃≠−+")
    assert len(listed) == len(content["sentences"]["outcomes"])


def wide(label):
    """A map of 150 nodes whose texts all begin with this label, grown by chance."""
    rng, depths = random.Random(label), [0]
    for _ in range(149):
        depths.append(rng.randint(1, min(depths[-1] + 1, 6)))
    return "\n".join(f"{'  ' * depth}{label}{number}" for number, depth in enumerate(depths))


def test_a_search_that_runs_out_of_time_says_how_near_it_came(tted, tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(wide(name))
    arguments = (
        "compare",
        str(tmp_path / "a"),
        str(tmp_path / "b"),
        "--order=unordered",
        "--time-limit=1e-9",
    )
    status, out, err = tted(*arguments)
    content = json.loads(tted(*arguments, "--json")[1])
    gap = content["tted"] / content["lower_bound"] - 1
    assert status == 0
    assert 0.0 < gap < 2.0
    assert out.startswith(
        f"TTED                  {content['tted']:.4f}  (unordered, within {gap:.1%} of the optimum, not proven)\n"
    )
    assert content["proven"] is False
    assert "|proven:no|" in content["signature"]
    assert err.startswith("notice: TTED@k is not proven optimal for k = ")
    assert err == f"notice: {content['notices'][0]}\n"


def test_standard_input_on_either_side(tted):
    base = Path(LEFT).read_bytes()
    for sides in (("-", LEFT), (LEFT, "-")):
        status, out, _ = tted("compare", *sides, "--json", stdin=base)
        assert (status, json.loads(out)["tted"]) == (0, 0.0)


def test_notices_go_to_standard_error(tted):
    stdin = b'{"a": {"b": {}, "b ": {"c": {}}}}'
    status, out, err = tted("read", "-", "--json", stdin=stdin)
    assert status == 0
    assert err == f"notice: {json.loads(out)['notices'][0]}\n"
    status, out, err = tted("compare", "-", LEFT, "--depth", "2", "--json", stdin=stdin)
    assert status == 0
    assert all(line.startswith("notice: ") for line in err.splitlines())
    assert "notice: left map: trimmed to depth 2: 3 of 4 nodes are compared" in err
    assert "notice: right map: trimmed to depth 2: 3 of 7 nodes are compared" in err
    assert json.loads(out)["left"]["notices"][-1].startswith("trimmed")


def test_format_roots_and_sheet(tted):
    several = b"a\n b\nc\n d"
    assert tted("read", "-", "--roots=error", stdin=several)[0] == 2
    assert json.loads(tted("read", "-", "--roots=first", "--json", stdin=several)[1])["labels"] == ["a", "b"]
    assert json.loads(tted("read", "-", "--roots=join", "--json", stdin=several)[1])["nodes"] == 5
    assert tted("read", "-", "--json", stdin=several) == tted(
        "read", "-", "--roots=join", "--json", stdin=several
    )
    assert (
        json.loads(tted("read", "-", "--format=indented", "--json", stdin=b"# a\n  - b")[1])["labels"][0]
        == "# a"
    )
    fenced = b"```\na\n```\n```\nb\n```"
    assert json.loads(tted("read", "-", "--sheet=2", "--json", stdin=fenced)[1])["labels"] == ["b"]


def test_version_and_help(tted):
    assert tted("--version") == (0, f"tted {VERSION}\n", "")
    status, out, _ = tted("compare", "--help")
    assert status == 0
    for name in (*BASELINES, *SOLVERS, "minilm", "--no-cache", "TTED_CACHE"):
        assert name in out


@pytest.mark.thorough
def test_the_command_itself_compares_with_the_bundled_encoder():
    result = run_command(*COMPARE, "--json", "--context", "ancestors")
    assert result.returncode == 0, result.stderr.decode()
    content = json.loads(result.stdout)
    assert content["signature"].split("|")[3] == "enc:minilm@53aa5117"
    assert result.stderr == b""


def test_a_distance_above_a_bound_fails_the_command(tted, tmp_path):
    for name, text in (("a.txt", "Trees\n  Oak"), ("b.txt", "Trees\n  Birch")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    maps = (str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--distance", "levenshtein")
    status, out, err = tted("compare", *maps, "--fail-above", "0.1")
    assert status == 1
    assert err.endswith("the normalized distance is 0.4000, above 0.1\n")
    assert "normalized            0.4000" in out
    assert tted("compare", *maps, "--fail-above", "0.5")[0] == 0
    assert "'2' is not a number from 0 to 1" in tted("compare", *maps, "--fail-above", "2")[2]
