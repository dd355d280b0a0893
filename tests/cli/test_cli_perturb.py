"""tted perturb: variants on the command line."""

import json

from helpers.command import LEFT
from helpers.trees import SAMPLES

from tted_core import parse_map, read_map
from tted_core.lab.perturbation import perturb


def test_the_variant_is_that_of_the_library_and_can_be_read_again(tted):
    expected = perturb(read_map(LEFT).tree, "move", 0.5, seed=7)
    arguments = ("perturb", LEFT, "--by", "move", "--strength", "0.5", "--seed", "7")
    status, out, err = tted(*arguments)
    assert (status, err) == (0, "")
    assert parse_map(out).tree == expected
    status, out, _ = tted(*arguments, "--json")
    assert json.loads(out)["labels"] == list(expected.labels)
    assert json.loads(out)["parents"] == list(expected.parents)


def test_what_is_missing_is_named(tted):
    status, out, err = tted("perturb", LEFT, "--by", "meaning")
    assert (status, out) == (2, "")
    assert "needs the texts of another map; name a donor" in err
    assert tted("perturb", "-", "--by", "meaning", "--donor", "-")[0] == 2
    assert "unknown perturbation" in tted("perturb", LEFT, "--by", "nothing")[2]


DONOR = str(SAMPLES / "urban-heat" / "base.json")
STUDY = (
    "perturb",
    LEFT,
    "--study",
    "--by",
    "meaning,move",
    "--donor",
    DONOR,
    "--seeds",
    "1",
    "--orders",
    "ordered",
)


def test_a_study_measures_every_strength_and_draws_it(tted, tmp_path):
    plot = tmp_path / "curves.svg"
    status, out, err = tted(*STUDY, "--json", "--plot", str(plot))
    assert (status, err) == (0, "")
    points = json.loads(out)["points"]
    measures = {"TTED ordered", "TTED ordered, ancestors", "rouge_sim"}
    assert {point["measure"] for point in points} == measures
    assert len(points) == 2 * 6 * 3
    start = [point["relative"] for point in points if point["strength"] == 0]
    assert start == [0] * len(start)
    svg = plot.read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert all(name in svg for name in ("meaning", "move (structure)", "TTED ordered, ancestors"))


def test_a_study_as_a_table(tted):
    status, out, _ = tted(*STUDY, "--contexts", "none", "--baselines", "none")
    assert status == 0
    header, meaning, move = out.splitlines()[:3]
    assert header.split() == ["perturbation", "measure", "0%", "20%", "40%", "60%", "80%", "100%"]
    values = [float(cell) for cell in meaning.split()[3:]]
    assert values == sorted(values)
    assert values[0] == 0 < values[-1]
    assert move.split()[:3] == ["move", "TTED", "ordered"]


def test_what_a_study_refuses(tted, tmp_path):
    for extra, message in [
        (("--seeds", "0"), "--seeds is 0; give a number above 0"),
        (("--by", "blur"), "unknown perturbation 'blur'"),
        (
            ("--plot", str(tmp_path / "a.gif")),
            "unknown ending of a picture's file 'gif'; choose one of: svg, png, pdf",
        ),
        (("--orders", "none", "--baselines", "none"), "no measure is chosen; name an order or a baseline"),
    ]:
        status, out, err = tted(*STUDY, *extra)
        assert (status, out) == (2, "")
        assert message in err
    assert "name it with --donor" in tted("perturb", LEFT, "--study", "--by", "all")[2]
    assert "add --study" in tted("perturb", LEFT, "--by", "move", "--plot", "a.svg")[2]
    itself = tted("perturb", LEFT, "--donor", LEFT, "--study", "--by", "move")
    assert itself[:2] == (2, "")
    assert "the unrelated map is at no distance from the map by any measure; give one on another" in itself[2]
    nowhere = str(tmp_path / "none" / "a.svg")
    assert "can't be written (No such file or directory)" in tted(*STUDY, "--plot", nowhere)[2]


def test_what_was_done_to_the_donor_is_told_too(tted, tmp_path):
    donor = tmp_path / "donor.txt"
    donor.write_text("One\n  a\n  b\n  c\nTwo\n  d\n  e\n  f\n", encoding="utf-8")
    status, _, err = tted("perturb", LEFT, "--by", "meaning", "--donor", str(donor))
    assert status == 0
    assert "donor: the map has 2 roots ('One', 'Two')" in err
    assert tted("perturb", LEFT, "--by", "meaning", "--donor", str(donor), "--roots=error")[0] == 2
