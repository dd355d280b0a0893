"""What a check finds, and the thresholds that decide what is worth a finding."""

import json
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import NamedTuple

from tted_core.errors import LimitError
from tted_core.tree import TextTree


class Issue(NamedTuple):
    """What one check found: the nodes it points to (preorder), a sentence, and the value measured if any."""

    nodes: tuple[int, ...]
    text: str
    value: float | None = None


@dataclass(frozen=True)
class Finding:
    """An issue with the name of the check (in ``CHECKS``) that found it, and the map that it is in."""

    check: str
    nodes: tuple[int, ...]
    text: str
    value: float | None = None
    tree: TextTree = field(repr=False, kw_only=True)

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """Of each node its text, after those of its ancestors from the root on."""
        return tuple(self._path(node) for node in self.nodes)

    def _path(self, node: int) -> tuple[str, ...]:
        texts: list[str] = []
        while node >= 0:
            texts.append(self.tree.labels[node])
            node = self.tree.parents[node]
        return tuple(reversed(texts))

    @property
    def key(self) -> str:
        """The same for the same check and nodes with the same paths, wherever they stand in whichever map."""
        named = json.dumps([self.check, sorted(self.paths)], ensure_ascii=False)
        return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _number(default: float, label: str, least: float, most: float) -> float:
    value: float = field(default=default, metadata={"label": label, "least": least, "most": most})
    return value


@dataclass(frozen=True)
class Thresholds:
    """When something is worth a finding. docs/annotation.md has the figures behind the defaults.

    Each field's metadata hold ``label`` (for people), ``least`` and ``most``; distances are cosine distances of
    sentences, 0 for the same and about 1 for unrelated ones.

    Raises:
        LimitError: a value outside its range.
    """

    duplicate: float = _number(0.40, "Near-duplicates: distance below", 0.0, 1.0)
    restatement: float = _number(0.45, "Restated parent: distance below", 0.0, 1.0)
    nearer_by: float = _number(0.12, "Nearer to another branch by more than", 0.0, 1.0)
    label_characters: int = _number(200, "Very long text: characters above", 1, 10_000)  # type: ignore[assignment]
    chain_nodes: int = _number(3, "Chain: only children in a row, at least", 2, 100)  # type: ignore[assignment]
    depth_spread: int = _number(3, "Unbalanced: levels between main branches, at least", 1, 100)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for each in fields(self):
            value, limits = getattr(self, each.name), each.metadata
            if not limits["least"] <= value <= limits["most"]:
                raise LimitError(
                    f"the threshold {each.name} is {value:g}; give a number from {limits['least']:g} to "
                    f"{limits['most']:g}"
                )
