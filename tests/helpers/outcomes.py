"""Properties of every matching of sentences."""

from collections import Counter

from tted_core.matching.records import STATUSES


def check_outcomes(found, left, right):
    """Every node has a word, which goes with its text; equal texts are as many counterparts as there can be."""
    equal = Counter()
    for each in found.records:
        if each.source is None or each.target is None:
            assert each.status == ("extra" if each.source is None else "missing")
        else:
            is_equal = left.labels[each.source] == right.labels[each.target]
            equal[left.labels[each.source]] += is_equal
            others = {"reworded", "moved", "merged", "split"}
            assert each.status in ({"same", "moved"} if is_equal else others)
    assert +equal == Counter(left.labels) & Counter(right.labels)
    for side, tree in (("source", left), ("target", right)):
        held = {"merged": "target", "split": "source"}
        own = Counter(getattr(each, side) for each in found.records if held.get(each.status) != side)
        holding = {getattr(each, side) for each in found.records if held.get(each.status) == side}
        assert {*own, *holding} - {None} == set(range(len(tree)))
        assert all(count == 1 for node, count in own.items() if node is not None)
    assert list(found.counts) == list(STATUSES)
    assert all(0 <= share <= 1 for side in found.found for share in side)
