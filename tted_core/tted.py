"""``TTED``, the method as an object that keeps its model, ``compare`` for a single comparison, and its result."""

import functools
import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import DEFAULT_BASELINES
from tted_core.baselines.suite import EQUIVALENCE, check_equivalence
from tted_core.compare import compare_maps
from tted_core.comparison import Comparison
from tted_core.distances import Models
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.embedding import AnyEncoder, encoder_of, load_cached_encoder, name_of
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.errors import OptionsError
from tted_core.formats import AnyMap
from tted_core.foundations.monitor import UNWATCHED, Monitor, check_monitor
from tted_core.foundations.output import ending, write_file
from tted_core.method import DEFAULT_PRESET, OPTIONS, Method, Signature, check_option_names

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.batch.memory import LazyRows
    from tted_core.explanation import Explanation


@dataclass(frozen=True, eq=False, repr=False)
class Result(Comparison):
    """The result of ``compare``: a comparison with methods that explain, draw and save it.

    >>> [op.op for op in result.script.ops]
    ['match', 'replace', 'delete']
    """

    @classmethod
    def of(cls, comparison: Comparison) -> "Result":
        """The result with a comparison's data.

        >>> Result.of(result) == result
        True
        """
        return cls(**{each.name: getattr(comparison, each.name) for each in fields(comparison)})

    def explain(self) -> "Explanation":
        """The edit script and the status of each sentence, as objects that hold each other.

        >>> [str(change.kind) for change in result.explain().changes]
        ['missing', 'reworded']
        """
        from tted_core.explain.build import explain

        return explain(self)

    @property
    def statuses(self) -> dict[str, int]:
        """Number of sentences by status: same, reworded, moved, merged, split, missing and extra.

        >>> result.statuses["missing"]
        1
        """
        return {str(status): count for status, count in self.explain().matching.counts.items()}

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-compatible data (:mod:`tted_core.report.exports`).

        >>> result.to_dict()["left"]["labels"]
        ['Trees', 'Oak', 'Birch']
        """
        from tted_core.report.exports import describe

        return describe(self.explain())

    def to_frame(self) -> "pd.DataFrame":
        """The edit script as a table, one row per operation; shares are of the distance (to the power p).

        A sentence's status is given on one of its two sides only, so that both status columns together add up to
        ``statuses``.

        >>> result.to_frame()["cost"].tolist()
        [0.0, 0.25, 1.0]
        """
        from tted_core.report.exports import script_frame

        return script_frame(self.explain())

    def save(self, file: str | Path, *, columns: int = 2) -> None:
        """Write a file, creating its folder: .html (a report), .json, .csv, .tex, .svg, .png or .pdf.

        Pictures are as wide as so many ``columns`` of a paper, 1 or 2.

        >>> result.save("comparison.html")
        """
        from tted_core.report.exports import write_export

        write_file(file, write_export(self.explain(), ending(file), columns=columns))

    def _repr_html_(self) -> str:
        from tted_core.report.html_report import notebook_view

        return notebook_view(self.explain())


class TTED:
    """Text tree edit distance by one method; the model is loaded at the first comparison.

    Args:
        encoder: a name for ``load_encoder``; or an encoder: anything with ``encode`` (a ``SentenceTransformer``),
            or a function from n texts to (n, d) vectors.
        encoder_name: name of an encoder object in signatures; by default its attribute ``name``, or "custom".
            Signatures add a fingerprint of its vectors of ten fixed sentences.
        preset: a name of ``PRESETS``, from which options that aren't given are taken.
        cache: keep models and vectors in this process, shared by every ``TTED`` of the same encoder.
        options: options of ``Method``: distance, order, context, gap, power, depth and time_limit.

    The object is immutable and can be pickled; another setting is another ``TTED``.

    >>> TTED(distance="levenshtein", order="ordered").compare(tree, other).tted
    1.25
    """

    method: Method
    _given: dict[str, Any]
    _models: Models

    def __init__(
        self,
        encoder: str | os.PathLike[str] | AnyEncoder = "minilm",
        *,
        encoder_name: str | None = None,
        preset: str = DEFAULT_PRESET,
        cache: bool = True,
        **options: Any,
    ) -> None:
        given = {"encoder": encoder, "encoder_name": encoder_name, "preset": preset, "cache": cache}
        model = (
            os.fspath(encoder)
            if isinstance(encoder, (str, os.PathLike))
            else encoder_of(encoder, encoder_name)
        )
        # Options of a single call are likely to be given here.
        check_option_names(
            options, given | OPTIONS, "; compare and compare_many take baselines, equivalence and monitor"
        )
        vars(self).update(
            _given=given,
            method=Method.of(preset, encoder=name_of(model), **options),
            # Once loaded, a model stays with this object.
            _models=Models(
                model,
                load_cached_encoder if cache else functools.cache(load_encoder),
                functools.cache(load_bertscorer),
            ),
        )

    def __setattr__(self, name: str, _value: Any) -> None:
        raise OptionsError(
            f"{name} can't be set: a TTED keeps the options that it was made with; make another by TTED(...)"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(TTED, **self.get_params()), ()

    def __repr__(self) -> str:
        return f"TTED({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def get_params(self) -> dict[str, Any]:
        """The arguments that construct an equal object, with all options.

        >>> tted.get_params()["distance"]
        'levenshtein'
        """
        return self._given | {name: getattr(self.method, name) for name in OPTIONS if name not in self._given}

    @property
    def signature(self) -> str:
        """The part of signatures that doesn't depend on the maps; loads the model.

        >>> tted.signature.split("|")[1]
        'order:constrained'
        """
        model, fingerprint = self.method.record.load(self._models).model
        return f"TTED|{Signature.of(self.method.with_model(model), fingerprint).setting}"

    def compare(
        self,
        left: AnyMap,
        right: AnyMap,
        *,
        baselines: Iterable[str] = DEFAULT_BASELINES,
        equivalence: float = EQUIVALENCE,
        monitor: Monitor = UNWATCHED,
    ) -> Result:
        """Compare two maps.

        Args:
            left: the source map: a ``MindMap``, a ``TextTree``, a path, or a pair of texts and lists of children.
            right: the target map, likewise.
            baselines: names of ``MEASURES`` to compute as well; the default is that of the command and the page,
                () is quicker. Those that read vectors use the distance's.
            equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
            monitor: receives the stages. Once it is stopped, a search ends with its best script so far; before
                there is one, ``Interrupted`` is raised.

        >>> tted.compare(tree, other).proven
        True
        """
        return Result.of(
            compare_maps(
                left,
                right,
                self.method,
                self._models,
                baselines=baselines,
                equivalence=check_equivalence(equivalence),
                monitor=check_monitor(monitor),
            )
        )

    def compare_many(
        self,
        pairs: Iterable[tuple[AnyMap, AnyMap]],
        *,
        baselines: Iterable[str] = (),
        equivalence: float = EQUIVALENCE,
        sentences: bool = False,
        monitor: Monitor = UNWATCHED,
    ) -> "LazyRows":
        """Compare many pairs, encoding each distinct text once; one row per pair, with the columns of a batch.

        A pair that can't be compared has an ``error`` in its row. Pass a map of several pairs as one object. With
        ``sentences``, rows also count sentences by status, as ``tted batch --sentences`` does.

        >>> tted.compare_many([(tree, other), (tree, tree)]).to_pandas()["tted"].tolist()
        [1.25, 0.0]
        """
        from tted_core.batch.memory import compare_many

        return compare_many(
            pairs,
            self.method,
            self._models,
            baselines=baselines,
            equivalence=equivalence,
            sentences=sentences,
            monitor=monitor,
        )

    def pairwise(
        self,
        maps: Iterable[AnyMap],
        others: Iterable[AnyMap] | None = None,
        *,
        score: str = "tted",
        monitor: Monitor = UNWATCHED,
    ) -> NDArray[np.float64]:
        """(n, n) distances between n maps, or (n, m) distances to m others.

        ``score`` is "tted" or a name of ``tted_core.arithmetic.NORMALISATIONS``.

        >>> tted.pairwise([tree, other]).tolist()
        [[0.0, 1.25], [1.25, 0.0]]
        """
        from tted_core.batch.memory import distance_matrix

        return distance_matrix(maps, self.method, self._models, others=others, score=score, monitor=monitor)


def compare(
    left: AnyMap,
    right: AnyMap,
    *,
    baselines: Iterable[str] = DEFAULT_BASELINES,
    equivalence: float = EQUIVALENCE,
    monitor: Monitor = UNWATCHED,
    **options: Any,
) -> Result:
    """Compare two maps: ``TTED(**options).compare(left, right)``.

    >>> compare(tree, other, distance="levenshtein").normalized
    0.4
    """
    return TTED(**options).compare(left, right, baselines=baselines, equivalence=equivalence, monitor=monitor)
