"""``python -m tted_core``."""

import sys

from tted_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
