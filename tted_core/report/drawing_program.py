"""The program that draws one picture, started by ``drawer.py``: a request on standard input, the picture out.

It imports nothing of this package, so that it runs wherever its file lies.
"""

import faulthandler
import json
import sys

import vl_convert


def main() -> None:
    """Draw the input in the format that it names, within the seconds that the argument names."""
    # vl-convert holds the interpreter while it draws, so a thread of C keeps the time.
    faulthandler.dump_traceback_later(float(sys.argv[1]), exit=True)
    function, source, options = json.load(sys.stdin.buffer)
    picture = getattr(vl_convert, function)(source, **options)
    sys.stdout.buffer.write(picture if isinstance(picture, bytes) else picture.encode())


if __name__ == "__main__":
    main()
