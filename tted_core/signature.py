"""The signature of a result, by which a reader can repeat its number, in the manner of sacreBLEU (Post 2018)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.method import OPTIONS, Method
from tted_core.version import VERSION


@dataclass(frozen=True)
class Signature:
    """A signature; ``parts`` are its parts in order, by their keys."""

    parts: dict[str, str]

    def __str__(self) -> str:
        return "|".join(("TTED", *(f"{key}:{value}" for key, value in self.parts.items())))

    @classmethod
    def of(cls, method: Method, fingerprint: str) -> "Signature":
        """That of a method, which names the model with this fingerprint, before it has a result."""
        parts = method.signed(fingerprint)
        return cls({"order": parts.pop("order"), "proven": "", **parts, "in": "", "v": VERSION})

    def signing(self, *, proven: bool, digests: Sequence[str]) -> "Signature":
        """That of a result; ``digests`` are of both trees as they were given."""
        inputs = ",".join(digest[:8] for digest in digests)
        return Signature(self.parts | {"proven": "yes" if proven else "no", "in": inputs})

    @classmethod
    def read(cls, line: str) -> "Signature":
        """The signature in a line; without parts if there is none.

        >>> Signature.read("TTED|order:ordered|in:1,2").parts
        {'order': 'ordered', 'in': '1,2'}
        """
        split = (part.partition(":") for part in line.split("|"))
        return cls({key: value for key, sign, value in split if sign})

    @property
    def setting(self) -> str:
        """The parts that are the same for all pairs of maps, as text."""
        own = {"proven", "in"}
        return "|".join(f"{key}:{value}" for key, value in self.parts.items() if key not in own)

    @property
    def method(self) -> Method:
        """The method whose results have this signature; ``KeyError`` if a part is missing."""
        told = {
            name: self.parts.get(option.key, option.unsaid)
            if option.unsaid is not None
            else self.parts[option.key]
            for name, option in OPTIONS.items()
            if option.key
        }
        model = told.pop("encoder").rpartition("@")[0]
        return Method.by_model(model, told.pop("distance"), **told)
