"""Do once what would make a first comparison slow: compile the solvers. ``python -m tted_core.warm_up``."""

from tted_core.solvers import kernels, unordered


def warm_up() -> None:
    """Compile all solvers, or load their machine code from the disk (about 20 and 1 seconds)."""
    kernels.warm_up()
    unordered.warm_up()


if __name__ == "__main__":
    warm_up()
