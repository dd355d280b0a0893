"""A comparison as one HTML file that needs nothing besides: no network, no script, no other file.

Every text of a user goes through Jinja's escaping; should one ever slip through, the page's own content security
policy still forbids all scripts and requests. Two radio buttons and the style sheet switch between both readings.
"""

import base64
import functools
import html
import re
from typing import TYPE_CHECKING, Any

from tted_core.baselines import BASELINES, measure_title
from tted_core.comparison import Comparison
from tted_core.explanation import Explanation
from tted_core.foundations.output import is_leftward, printable
from tted_core.report.palette import KIND_STYLES, SURFACE
from tted_core.report.readings import read_script, read_sentences
from tted_core.report.wording import how_sure, names_of, what_happened
from tted_core.version import VERSION
from tted_core.words.languages import language

if TYPE_CHECKING:
    import jinja2


# CSS pixels from level to level, as long as the deepest level is not further in than ``DEEPEST``.
INDENT, DEEPEST = 18, 140


MOST_HEIGHT = 720  # CSS pixels of a notebook's cell; larger reports scroll in it


def html_report(explanation: Explanation, replay: str | None = None) -> str:
    """The report: the answer, both readings, what changed, the receipt, scores, options and signature.

    Args:
        explanation: of the comparison to report.
        replay: the comparison's replay file, to be offered for download inside the report.
    """
    comparison = explanation.comparison
    packed = None if replay is None else base64.b64encode(replay.encode()).decode("ascii")
    return load_template("report.html").render(
        _shared_values(explanation),
        names=names_of(comparison),
        maps=(comparison.left, comparison.right),
        languages=[language(" ".join(tree.labels)) or "" for tree in explanation.trees],
        readings=(read_script(explanation), read_sentences(explanation)),  # in the order of Compare
        prefixes={"script": "s", "sentences": ""},  # of the ids of nodes
        sure=how_sure(comparison),
        step=min(INDENT, DEEPEST // max(tree.depth for tree in explanation.trees)),
        surface=SURFACE,
        replay_name=f"{file_stem(comparison)}.replay.json",
        replay=packed,
        version=VERSION,
    )


def report_part(name: str, explanation: Explanation, **more: Any) -> str:
    """HTML of a part of the report for a page: "scores", or the "receipt" of a ``reading``."""
    return load_template(f"{name}.html").render(_shared_values(explanation), is_page=True, **more)


def _shared_values(explanation: Explanation) -> dict[str, Any]:
    comparison = explanation.comparison
    return {
        "comparison": comparison,
        "unit": comparison.script.unit,
        "styles": KIND_STYLES,
        "shares": explanation.matching.shares(comparison.costs),
        "baselines": BASELINES,
        "measure_title": measure_title,
    }


def notebook_view(explanation: Explanation) -> str:
    """The report's outlines for a notebook's cell, as wide as that; a line of the answer folds and unfolds them.

    The report is in a frame of its own, so that its style doesn't reach the notebook's.
    """
    comparison = explanation.comparison
    line = f"{' ⇄ '.join(names_of(comparison))}: {comparison.normalized:.3f} · {what_happened(explanation)}"
    height = min(MOST_HEIGHT, 200 + 34 * len(explanation.rows))
    return (
        f"<details open><summary>{html.escape(line)}</summary>"
        f'<iframe sandbox title="Comparison" srcdoc="{html.escape(html_report(explanation))}" '
        f'style="width: 100%; height: {height}px; border: 0"></iframe></details>'
    )


@functools.cache
def load_template(name: str) -> "jinja2.Template":
    """A template of this folder; all that it shows is escaped, and numbers have one decimal place."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tted_core.report", ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters["is_leftward"] = is_leftward
    return environment.get_template(name)


def _finalize(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return printable(value) if type(value) is str else value


CHARACTERS = 40  # of each map's name

FILE_ENDING = re.compile(r"\.[A-Za-z]{1,9}$")


def file_stem(comparison: Comparison) -> str:
    """A name after both maps, without an ending, that every system takes: "coral-reefs-base--coral-reefs-demo".

    Letters and digits of all scripts stay; a map without a name is called by its side.
    """
    stems = (FILE_ENDING.sub("", each.name or "") for each in (comparison.left, comparison.right))
    words = (re.sub(r"[\W_]+", "-", stem).strip("-")[:CHARACTERS].strip("-") for stem in stems)
    return "--".join(name or side for name, side in zip(words, ("left", "right"), strict=True))
