"""A comparison as one HTML file that needs nothing besides: no network, no script, no other file.

Every text of a user goes through Jinja's escaping; should one ever slip through, the page's own content security
policy still forbids all scripts and requests. Two radio buttons and the style sheet switch between both readings.
"""

import base64
import functools
import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tted_core.baselines import BASELINES, BaselineScore, measure_title
from tted_core.comparison import Comparison
from tted_core.explanation import Explanation
from tted_core.foundations.printable import is_leftward, printable
from tted_core.report.palette import KIND_STYLES, SURFACE
from tted_core.report.readings import read_script, read_sentences
from tted_core.report.words import how_sure, names_of, what_happened
from tted_core.version import VERSION
from tted_core.words.languages import language

if TYPE_CHECKING:
    import jinja2


INDENT, DEEPEST = 18, 140
"""CSS pixels from level to level, as long as the deepest level is not further in than ``DEEPEST``."""


MOST_HEIGHT = 720
"""CSS pixels of a notebook's cell; larger reports scroll in it."""


def html_report(explanation: Explanation, replay: str | None = None) -> str:
    """The report: the answer, both readings, what changed, the receipt, scores, options and signature.

    Args:
        explanation: of the comparison to report.
        replay: the comparison's replay file, to be offered for download inside the report.
    """
    comparison = explanation.comparison
    packed = None if replay is None else base64.b64encode(replay.encode()).decode("ascii")
    return load_template("report.html").render(
        comparison=comparison,
        names=names_of(comparison),
        maps=(comparison.left, comparison.right),
        languages=[language(" ".join(tree.labels)) or "" for tree in explanation.trees],
        readings=(read_script(explanation), read_sentences(explanation)),  # in the order of Compare
        prefixes={"script": "s", "sentences": ""},  # of the ids of nodes
        sure=how_sure(comparison),
        scores=_scores(explanation),
        measures=list(_measures(comparison)),
        step=min(INDENT, DEEPEST // max(tree.depth for tree in explanation.trees)),
        unit=comparison.script.unit,
        styles=KIND_STYLES,
        surface=SURFACE,
        replay_name=f"{file_stem(comparison)}.replay.json",
        notices=_notices(comparison),
        replay=packed,
        version=VERSION,
    )


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


def _scores(explanation: Explanation) -> list[tuple[str, str, str]]:
    """Title, value and meaning of TTED and what is derived from it."""
    comparison = explanation.comparison
    coverage, support = explanation.matching.shares(comparison.costs)
    levels = ", ".join(f"{value:.2f}" for value in comparison.tted_at)
    average = f"mean normalized distance of the first 1, 2, ... levels; TTED of these: {levels}"
    return [
        (
            "Normalized distance",
            f"{comparison.normalized:.4f}",
            "from 0 for equal maps to 1; lower = more alike",
        ),
        ("TTED", f"{comparison.tted:.4f}", "total cost of the cheapest edits; larger maps have larger ones"),
        ("Coverage", f"{coverage:.0%}", "of the left map is also in the right one, by costs"),
        ("Support", f"{support:.0%}", "of the right map is also in the left one"),
        ("Steinhaus", f"{comparison.steinhaus:.4f}", "another normalization, a metric if TTED is one"),
        ("AvgTTED", f"{comparison.avg_tted:.4f}", average),
    ]


def _measures(comparison: Comparison) -> Iterator[tuple[str, str, str, str]]:
    """Title, similarity, distance and meaning of each baseline."""
    for name, score in comparison.baselines.items():
        if isinstance(score, BaselineScore):
            rho = "undefined" if score.rho_base is None else f"{score.rho_base:.4f}"
            yield measure_title(name), f"{score.sim:.4f}", rho, BASELINES[name].note
        else:
            yield measure_title(name), "–", "–", f"not computed: {score}"


def _notices(comparison: Comparison) -> list[str]:
    sides = (("Left map", comparison.left), ("Right map", comparison.right))
    notices = [f"{word}: {notice}" for word, side in sides for notice in side.notices]
    if comparison.choices:
        forced, forbidden = len(comparison.choices.forced), len(comparison.choices.forbidden)
        notices.append(
            f"The script is bound by a person's choices ({forced} forced, {forbidden} forbidden): without them "
            "the distance may be smaller."
        )
    return [*notices, *comparison.notices]


CHARACTERS = 40
"""Of each map's name."""


def file_stem(comparison: Comparison) -> str:
    """A name after both maps, without an ending, that every system takes: "coral-reefs-base--coral-reefs-demo".

    Letters and digits of all scripts stay; a map without a name is called by its side.
    """
    sides = ((comparison.left.name, "left"), (comparison.right.name, "right"))
    return "--".join(_clean(name or "") or side for name, side in sides)


def _clean(name: str) -> str:
    stem = re.sub(r"\.[A-Za-z]{1,9}$", "", name)
    return re.sub(r"[\W_]+", "-", stem).strip("-")[:CHARACTERS].strip("-")
