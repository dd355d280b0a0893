"""Timings beside other packages, and the tables of docs/; they print their command and assert nothing."""

import sys


def print_command() -> None:
    """Print the command that was called, which repeats the table."""
    print("$ python", *sys.orig_argv[1:], flush=True)
