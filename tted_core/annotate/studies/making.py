"""Tasks of a study: pairs of maps that are compared, and the mapping of each pair, which is fixed from then on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews import NEW, Task, fixed_by
from tted_core.batch.inputs import Inputs
from tted_core.comparing import compare_maps
from tted_core.distances import LoadedDistance, Models
from tted_core.errors import OptionsError, TTEDError
from tted_core.formats import MindMap
from tted_core.limits import MAX_STUDY_MAPPINGS, check_limit
from tted_core.method import Method
from tted_core.monitor import UNWATCHED, Monitor


@dataclass(frozen=True)
class Mapping:
    """Two maps of a document whose mapping is to be judged."""

    document: str
    left_name: str
    right_name: str
    left: MindMap
    right: MindMap


def mappings_of(documents: Iterable[AnnotatedDocument], reference: str) -> tuple[Mapping, ...]:
    """Each document's reference map with every other of its maps.

    ``reference`` is the annotator whose maps are the references; a document without one takes its first map.
    """
    return tuple(
        Mapping(each.name, first, second, each.maps[first], each.maps[second])
        for each in documents
        for first in [reference if reference in each.maps else next(iter(each.maps))]
        for second in each.maps
        if second != first
    )


def mappings_of_pairs(inputs: Inputs, chosen: Sequence[tuple[str, str, str]]) -> tuple[Mapping, ...]:
    """Pairs of a batch, by id and the maps' names; each is a document of its own.

    Raises:
        OptionsError: a pair isn't there any more, or a map of it can't be read.
    """
    names = [name for name, _ in inputs.maps]
    known = {
        (pair, names[left], names[right]): (left, right)
        for pair, (left, right) in zip(inputs.ids, inputs.pairs.tolist(), strict=True)
    }
    found = []
    for each in chosen:
        if each not in known:
            raise OptionsError(f"the maps of the pair {each[0][:80]!r} aren't where the batch found them")
        try:
            left, right = (inputs.maps[number][1]() for number in known[each])
        except TTEDError as error:
            raise OptionsError(f"the pair {each[0][:80]!r}: {error}") from error
        found.append(Mapping(each[0], PurePosixPath(each[1]).name, PurePosixPath(each[2]).name, left, right))
    return tuple(found)


def fixed_tasks(
    mappings: Sequence[Mapping],
    method: Method,
    models: Models | LoadedDistance | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> tuple[Task, ...]:
    """Compare all of them by the method, and fix what comes out as tasks.

    Raises:
        LimitError: too many.
        Interrupted: stopped before all maps were compared.
        TTEDError: whatever ``compare`` says of a map.
    """
    check_limit(len(mappings), MAX_STUDY_MAPPINGS, "mappings in the study", "make two studies of them")
    tasks = []
    for each in monitor.over(mappings, f"Comparing {len(mappings):,} pairs of maps"):
        quiet = Monitor(should_stop=monitor.should_stop)
        found = compare_maps(each.left, each.right, method, models, monitor=quiet)
        tasks.append(
            Task(
                NEW,
                each.document,
                each.left.tree,
                each.right.tree,
                each.left_name,
                each.right_name,
                fixed=fixed_by(found),
            )
        )
    return tuple(tasks)
