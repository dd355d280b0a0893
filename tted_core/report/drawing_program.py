"""The program that draws one picture, started by ``drawer.py``: a request on standard input, the picture out.

It imports nothing of this package, so that it runs wherever its file lies.
"""

import json
import sys

import vl_convert


def main() -> None:
    """Draw what is asked for."""
    function, source, options = json.load(sys.stdin.buffer)
    picture = getattr(vl_convert, function)(source, **options)
    sys.stdout.buffer.write(picture if isinstance(picture, bytes) else picture.encode())


if __name__ == "__main__":
    main()
