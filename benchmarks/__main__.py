"""All benchmarks: ``python -m benchmarks`` (``--quick`` for a few minutes' worth)."""

import sys

from benchmarks import encoders, pipeline, solvers

if __name__ == "__main__":
    solvers.main(sys.argv[1:])
    pipeline.main(sys.argv[1:])
    encoders.main(sys.argv[1:])
