"""What a page's link carries of the options in its sidebar."""

from collections.abc import Mapping, Sequence
from typing import Any

from tted_core.arithmetic import checked_gap, gap_text
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.limits import MAX_DEPTH, MAX_POWER
from tted_core.method import Method
from tted_core.solvers import SOLVERS
from ui.masked_models import offered_masked_models
from ui.options import MAX_SECONDS, UNORDERED_SECONDS, chosen_gap, gap_state, offered_encoders
from ui.permalink import Parameter, number, one_of


def options_link() -> Sequence[Parameter]:
    """The parameters of ``ui.options.sidebar``."""
    return (
        one_of("order", list(SOLVERS), Method.order),
        one_of("context", list(CONTEXTS), Method.context),
        one_of("encoder", offered_encoders(), Method.encoder),
        one_of("distance", list(DISTANCES), Method.distance),
        one_of("masked_model", offered_masked_models(), offered_masked_models()[0]),
        gap_parameter(),
        number("power", float, 1.0, MAX_POWER, default=f"{Method.power:g}"),
        number("depth", int, 1, MAX_DEPTH),
        number("time_limit", float, 1.0, MAX_SECONDS, default=f"{UNORDERED_SECONDS:g}"),
    )


def gap_parameter(prefix: str = "") -> Parameter:
    """What a missing sentence costs, as a signature has it; ``prefix`` begins its name and its inputs' keys."""
    amount, kind = (f"{prefix}{key}" for key in ("gap_amount", "gap_kind"))

    def write(state: Mapping[str, Any]) -> str:
        if amount not in state:
            return gap_text(Method.gap)
        return gap_text(chosen_gap({"gap_amount": state[amount], "gap_kind": state[kind]}))

    return Parameter(
        f"{prefix}gap",
        gap_text(Method.gap),
        (amount, kind),
        lambda text: {f"{prefix}{key}": value for key, value in gap_state(checked_gap(text)).items()},
        write,
    )
