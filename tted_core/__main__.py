"""``python -m tted_core``, and ``tted``."""

import sys


def run() -> int:
    """Run the command line; whoever stops it while it is still loading sees no traceback either."""
    try:
        from tted_core.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
