"""Signatures of results, with which a number can be reproduced, in the manner of sacreBLEU (Post 2018)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.method import OPTIONS, Method
from tted_core.version import VERSION


@dataclass(frozen=True)
class Signature:
    """A signature: its parts in order, by their keys."""

    parts: dict[str, str]

    def __str__(self) -> str:
        return "|".join(("TTED", *(f"{key}:{value}" for key, value in self.parts.items())))

    @classmethod
    def of(cls, method: Method, fingerprint: str) -> "Signature":
        """The signature of a method and its model's fingerprint, before there is a result."""
        parts = method.signed(fingerprint)
        return cls({"order": parts.pop("order"), "proven": "", **parts, "in": "", "v": VERSION})

    def signing(self, *, proven: bool, digests: Sequence[str]) -> "Signature":
        """The signature of a result; ``digests`` are of both trees as given."""
        inputs = ",".join(digest[:8] for digest in digests)
        return Signature(self.parts | {"proven": "yes" if proven else "no", "in": inputs})

    @classmethod
    def read(cls, line: str) -> "Signature":
        """Parse a signature; without parts if the line has none.

        >>> Signature.read("TTED|order:ordered|in:1,2").parts
        {'order': 'ordered', 'in': '1,2'}
        """
        split = (part.partition(":") for part in line.split("|"))
        return cls({key: value for key, sign, value in split if sign})

    @property
    def setting(self) -> str:
        """The parts that don't depend on the pair of maps, as text."""
        own = {"proven", "in"}
        return "|".join(f"{key}:{value}" for key, value in self.parts.items() if key not in own)

    @property
    def method(self) -> Method:
        """The method that the signature describes; ``KeyError`` if a part is missing."""
        options = {
            name: self.parts.get(option.key, option.implied)
            if option.implied is not None
            else self.parts[option.key]
            for name, option in OPTIONS.items()
            if option.key
        }
        model = options.pop("encoder").rpartition("@")[0]
        return Method.by_model(model, options.pop("distance"), **options)
