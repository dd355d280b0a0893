"""``python -m tted_core``, and ``tted``."""

import sys


def run() -> int:
    """Run the command line, without a traceback if it is interrupted while loading."""
    try:
        from tted_core.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
