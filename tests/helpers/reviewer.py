"""A reviewer in a process of its own: saves judgements as fast as it can, and prints each once it is confirmed.

Where the database is busy for too long (SQLite's waiting isn't fair: who writes without a pause can keep others
out), it tries again, as the page does.

Run with the database's address, a reviewer's name, and how many of the pairs (k, k) to judge how often.
"""

import sys

from tted_core.annotate.reviews import Judgement, open_store
from tted_core.errors import ConflictError, DatabaseError
from tted_core.tree import TextTree

SIZE = 200
TREE = TextTree(tuple(f"node {number}" for number in range(SIZE)), (-1, *(0 for _ in range(SIZE - 1))))


def check_busy(error: DatabaseError) -> None:
    """Let pass that another holds the lock: nothing was written then."""
    if "locked" not in str(error) and "lock timeout" not in str(error):
        raise error


def main(address: str, person: str, pairs: int, rounds: int) -> None:
    task = None
    while task is None:
        try:
            store = open_store(address)
            task = store.open_task("a document", TREE, TREE)
        except DatabaseError as error:
            check_busy(error)
    print("ready", flush=True)
    for round_ in range(rounds):
        for node in range(pairs):
            revision = round_
            while True:
                judgement = Judgement(person, node, node, "accept", comment=str(round_), revision=revision)
                try:
                    saved = store.save(task, judgement)
                except ConflictError as conflict:  # another process, the same reviewer
                    revision = conflict.current.revision
                except DatabaseError as error:
                    check_busy(error)
                else:
                    print(node, saved.revision, flush=True)
                    break


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
