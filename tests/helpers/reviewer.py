"""A reviewer in a process of its own: saves judgements as fast as it can, and prints each once it is confirmed.

Run with the database's address, an annotator's name, and how many of the pairs (k, k) to judge how often.
"""

import sys

from tted_core.annotate.reviews import Judgement, open_store
from tted_core.errors import ConflictError
from tted_core.tree import TextTree

SIZE = 200
TREE = TextTree(tuple(f"node {number}" for number in range(SIZE)), (-1, *(0 for _ in range(SIZE - 1))))


def main(address: str, person: str, pairs: int, rounds: int) -> None:
    store = open_store(address)
    task = store.open_task("a document", TREE, TREE)
    print("ready", flush=True)
    for round_ in range(rounds):
        for node in range(pairs):
            revision = round_
            while True:
                judgement = Judgement(person, node, node, "accept", comment=str(round_), revision=revision)
                try:
                    saved = store.save(task, judgement)
                except ConflictError as conflict:  # another process, the same annotator
                    revision = conflict.current.revision
                else:
                    print(node, saved.revision, flush=True)
                    break


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
