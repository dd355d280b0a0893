"""What a part of the Learn page is, and what its link carries."""

from collections.abc import Callable
from dataclasses import dataclass

from ui.permalink import Parameter

LONGEST = 1500
"""Characters of a text in a link; longer ones stay out of it, as browsers and mail programs cut links."""


@dataclass(frozen=True)
class Part:
    """A part of the page: its title, what draws it, and what its link carries besides the part's own name."""

    title: str
    draw: Callable[[], None]
    parameters: tuple[Parameter, ...] = ()


def text(name: str, default: str) -> Parameter:
    """The parameter of a text input of the same key."""
    return Parameter(
        name,
        default,
        (name,),
        lambda given: {name: given},
        lambda state: given if len(given := state.get(name, default)) <= LONGEST else None,
    )
