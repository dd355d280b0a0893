"""The grid: every combination of options, the baselines and the controls, as methods and columns of a batch.

Controls are deliberately bad measures, for comparison with a figure. ``blind`` ignores the position of sentences:
half the distance of the maps' mean vectors, plus the least number of nodes by which their unlabelled trees differ.
``dear-gap`` is the published TTED with a large constant added for every missing node, so that little but the shape
of the trees counts. R_S and R_M reward both.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES
from tted_core.batch.table import combine
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.registry import lookup
from tted_core.method import PLURALS, Method
from tted_core.solvers import EditProblem
from tted_core.solvers import solve as solve_problem
from tted_core.tree import TextTree

DEAR = 50.0
"""Amount that ``dear-gap`` adds to each missing node; no two sentences are more than 1.5 apart."""

NAMED_OPTIONS = ("encoder", "distance", "context", "order", "gap", "power")
"""The options of a row, in the order of its name."""

CONTROLS: dict[str, Mapping[str, Any]] = {"blind": {}, "dear-gap": {"gap": DEAR}}
"""Control -> the options, beside the encoder, of the method that computes it or has the vectors for it."""


def blind(method: Method, vectors: Encoder, left: TextTree, right: TextTree) -> float:
    """Half the distance of the mean vectors, plus the edit distance of the trees without labels."""
    # Vectors are summed in sorted order, so that the mean doesn't depend on the order of nodes.
    means = [
        np.sort(vectors(tree.labels), axis=0).sum(axis=0, keepdims=True) / len(tree) for tree in (left, right)
    ]
    costs = np.zeros((len(left) + 1, len(right) + 1))
    costs[:-1, -1] = costs[-1, :-1] = 1.0
    edits = solve_problem(EditProblem(left, right, costs), "constrained").upper
    return float(method.record.function(*means)[0, 0] / 2) + edits


class Measure(NamedTuple):
    """A measure of a grid, as columns of a batch.

    Attributes:
        options: the options of its row.
        method: the method in whose rows of a batch it is.
        columns: score -> its column, the main one first.
    """

    options: dict[str, Any]
    method: Method
    columns: Mapping[str, str]


@dataclass(frozen=True)
class Grid:
    """Names to combine.

    Attributes:
        encoders: names of encoders -> functions that load them when needed.
        options: the other options of the methods, as ``combine`` takes them. Invalid combinations make no row,
            but a notice in the report.
        baselines: names of ``BASELINES``.
        controls: names of ``CONTROLS``, measured with each encoder in use.
        settings: options by their names, for example presets, each of which is combined with the other options;
            ``options`` override them.

    Raises:
        UnknownNameError: unknown name.
        OptionsError: only distances of texts, with contexts that need vectors, or an invalid gap or power.
    """

    encoders: Mapping[str, Callable[[], Encoder]]
    options: Mapping[str, Any] = field(default_factory=dict)
    baselines: Sequence[str] = ()
    controls: Sequence[str] = ()
    settings: Sequence[Mapping[str, Any]] = ({},)

    def __post_init__(self) -> None:
        for name in self.baselines:
            lookup(BASELINES, name, "baseline")
        for name in self.controls:
            lookup(CONTROLS, name, "control")
        _ = self.methods

    @property
    def _options(self) -> list[dict[str, Any]]:
        """The options of each setting, as ``combine`` takes them."""
        return [
            {**{PLURALS[name]: (value,) for name, value in setting.items()}, **self.options}
            for setting in self.settings
        ]

    @cached_property
    def methods(self) -> dict[str, list[Method]]:
        """All valid combinations by model; those with the same costs are adjacent."""
        found = dict.fromkeys(each for options in self._options for each in combine(self.encoders, **options))
        costs = list(dict.fromkeys((each.distance, each.context) for each in found))
        by_model: dict[str, list[Method]] = {each.model: [] for each in found}
        for each in sorted(found, key=lambda each: costs.index((each.distance, each.context))):
            by_model[each.model].append(each)
        return by_model

    @property
    def measures(self) -> list[list[Measure]]:
        """The measures of each model in order: baselines by words first, which need none."""
        reads = {name: BASELINES[name].reads for name in self.baselines}
        by_meaning = [name for name in reads if reads[name] == "encoder"]
        by_words = Method(distance="levenshtein")
        found = [[_baseline(name, by_words, {}) for name in reads if reads[name] == "none"]]
        for model in dict.fromkeys((*self.methods, *(self.encoders if by_meaning else ()))):
            measures = [
                Measure(
                    {option: method.described[option] for option in NAMED_OPTIONS},
                    method,
                    {name: name for name in ("tted", *NORMALISATIONS)},
                )
                for method in self.methods.get(model, ())
            ]
            if model in self.encoders:
                of_model = {"encoder": model}
                measures += [_baseline(name, Method(encoder=model), of_model) for name in by_meaning]
                measures += [
                    Measure(
                        {**of_model, "control": name},
                        Method(encoder=model, **CONTROLS[name]),
                        {"control": "tted"},
                    )
                    for name in (self.controls if model in self.methods else ())
                ]
            found.append(measures)
        return [each for each in found if each]

    @property
    def left_out(self) -> tuple[str, ...]:
        """A notice about combinations that make no row."""
        apart = [
            (distance, context)
            for options in self._options
            for distance, context in itertools.product(
                *(options.get(PLURALS[name], ()) for name in ("distance", "context"))
            )
            if not DISTANCES[distance].goes_with(CONTEXTS[context])
        ]
        if not apart:
            return ()
        distances, contexts = (", ".join(dict.fromkeys(names)) for names in zip(*apart, strict=True))
        return (f"left out: {distances} with the context {contexts}, which needs vectors",)


def _baseline(name: str, method: Method, options: Mapping[str, Any]) -> Measure:
    return Measure({**options, "baseline": name}, method, {"rho_base": f"{name}_rho", "sim": name})
