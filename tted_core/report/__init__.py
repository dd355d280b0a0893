"""Reports, pictures and replay files of a comparison; what it shows by itself is registered here."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tted_core.comparison import VIEWS


def _view(module: str, function: str) -> Callable[..., Any]:
    """A function whose module is imported at the first call: a comparison needs none of them to be computed."""

    def view(*given: object) -> Any:
        return getattr(import_module(f"tted_core.{module}"), function)(*given)

    return view


VIEWS.update(
    html=_view("report.notebook", "notebook_html"),
    figure=_view("report.notebook", "picture"),
    frame=_view("report.notebook", "script_frame"),
    file=_view("report.exports", "written"),
    sentences=_view("explain.correspondence", "sentences_json"),
)
