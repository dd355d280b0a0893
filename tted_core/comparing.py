"""compare(): the method, from two maps to everything that is said of them.

tree -> context -> texts -> distance -> costs -> search -> scores and script (Sobolevsky and Vorontsov 2025). Each
step is a module of its own; here they are only put one after another.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tted_core.baselines import BASELINES, NOT_COMPUTED, BaselineScore
from tted_core.comparison import Comparison, Options, check_depth
from tted_core.contexts import CONTEXTS
from tted_core.costs import edit_problem
from tted_core.distances import DISTANCES, Distance, LoadedDistance, Models
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, MaskedModel
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.formats import MindMap
from tted_core.limits import MAX_NODES_COMPARED, check_limit
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.presets import DEFAULT
from tted_core.registry import lookup
from tted_core.script import edit_script
from tted_core.search import Search, solve_and_score
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree
from tted_core.weighing import Gap, checked_gap, checked_power

if TYPE_CHECKING:
    from tted_core.errors import TTEDError


def compare(
    left: MindMap | TextTree,
    right: MindMap | TextTree,
    *,
    encoder: str | Encoder = "minilm",
    masked_model: str | MaskedModel = DEFAULT_MASKED_MODEL,
    distance: str | LoadedDistance = DEFAULT.distance,
    order: str = DEFAULT.order,
    context: str = DEFAULT.context,
    gap: Gap = DEFAULT.gap,
    power: float = DEFAULT.power,
    depth: int | None = None,
    baselines: Iterable[str] = (),
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> Comparison:
    """Compare two text trees by TTED, with the recommended settings (``PRESETS``) unless others are given.

    Args:
        left: the map to edit.
        right: the map it becomes.
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors.
        masked_model: a name for ``load_masked_model``, or a loaded one.
        distance: a name of ``DISTANCES``, which says whether it reads the encoder, the masked model or neither; or
            one that is loaded and has its model, for many comparisons.
        order: a name of ``SOLVERS``: ordered, constrained or unordered.
        context: a name of ``CONTEXTS``.
        gap: what a missing node costs: a number to add to its distance to the empty string, or "=x" for x whatever
            the node.
        power: the p of d_p = (sum of costs^p)^(1/p); the larger, the more the worst sentences weigh.
        depth: trim both trees to this depth first (TTED@k); the root has depth 1.
        baselines: names of ``BASELINES`` to compute besides; those that read vectors take the distance's.
        time_limit: seconds for the search of an order that may take long, and as many again for all TTED@k
            together; when they are over, the best script so far is returned, with its gap instead of a proof.
        monitor: watches the stages. Once it says stop, a search ends with its best script so far; before there
            is one, ``Interrupted`` is raised.

    Raises:
        UnknownNameError: a name that isn't known.
        InvalidTreeError: ``depth`` is below 1.
        OptionsError: a distance of texts with a context that works on vectors, or BERTScore with a function; a gap
            or a power that is none.
        LimitError: more than ``MAX_NODES_COMPARED`` nodes in a map, or a depth above ``MAX_DEPTH``.
        EncoderError: the encoder can't be had or its vectors can't be used.
        SolverError: the solver's result failed the independent check.
        Interrupted: stopped before there was a script.
    """
    record = (
        distance.record if isinstance(distance, LoadedDistance) else lookup(DISTANCES, distance, "distance")
    )
    record.check_goes_with(context)
    in_context = lookup(CONTEXTS, context, "context")
    lookup(SOLVERS, order, "order")
    gap, power = checked_gap(gap), checked_power(power)
    chosen_baselines = {name: lookup(BASELINES, name, "baseline") for name in baselines}
    check_depth(depth)
    maps = (_as_map(left), _as_map(right))
    compared = (_trimmed(maps[0], depth, "left"), _trimmed(maps[1], depth, "right"))
    trees = (compared[0].tree, compared[1].tree)

    texts = (in_context.texts(trees[0]), in_context.texts(trees[1]))
    every_text = (*texts[0], *texts[1], "")

    if isinstance(distance, str):
        distance = _loaded(record, encoder, masked_model, monitor)
    monitor.stage(distance.stage.format(len(set(every_text))))
    distance = distance.read(every_text, monitor)
    problem = edit_problem(distance, in_context, *trees, monitor, by_depth=True, gap=gap, power=power)

    monitor.stage("Computing the edit script")
    search = Search(order, time_limit=time_limit, monitor=monitor)
    solution, scores = solve_and_score(problem, search, by_depth=True)
    script = edit_script(*trees, solution.mapping, problem.costs, texts, power=power)

    beside: dict[str, BaselineScore | TTEDError] = {}
    for name, baseline in chosen_baselines.items():
        monitor.stage(f"Computing the baseline {name}")
        try:
            beside[name] = baseline(*trees, distance.vectors)
        except NOT_COMPUTED as error:  # the distance stands without it; the reader is told
            beside[name] = error

    model, fingerprint = distance.model
    return Comparison(
        left=compared[0],
        right=compared[1],
        options=Options(model, record.name, order, context, depth, time_limit, gap, power),
        fingerprint=fingerprint,
        digests=(maps[0].tree.digest, maps[1].tree.digest),
        problem=problem,
        script=script,
        scores=scores,
        baselines=beside,
        input_notices=distance.notices(every_text, context),
    )


def _loaded(
    record: Distance, encoder: str | Encoder, masked_model: str | MaskedModel, monitor: Monitor
) -> LoadedDistance:
    if isinstance(record.model_of(encoder=encoder, masked_model=masked_model), str):
        monitor.stage(f"Loading the {record.reads}")
    return record.load(Models(encoder, masked_model))


def _as_map(side: MindMap | TextTree) -> MindMap:
    return side if isinstance(side, MindMap) else MindMap(side, "tree")


def _trimmed(side: MindMap, depth: int | None, word: str) -> MindMap:
    """The map to compare; ``word`` (left or right) is for the message if it is too large."""
    tree = side.tree if depth is None else side.tree.trimmed(depth)
    way_out = "compare to a smaller depth or split the map"
    check_limit(len(tree), MAX_NODES_COMPARED, f"nodes in the {word} map", way_out)
    if len(tree) == len(side.tree):
        return side
    notice = f"trimmed to depth {depth}: {len(tree)} of {len(side.tree)} nodes are compared"
    return replace(side, tree=tree, notices=(*side.notices, notice))
