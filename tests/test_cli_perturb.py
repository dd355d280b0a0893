"""tted perturb: variants on the command line."""

import json

from helpers.command import LEFT

from tted_core import parse_map, read_map
from tted_core.perturbation import perturb


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
    assert tted("perturb", LEFT, "--by", "nothing")[0] == 2
