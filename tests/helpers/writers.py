"""Writers that run at once: this module run as a program starts four threads that write by one of ``WRITERS``.

Run with the writer's name, a folder, and the number of this process.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

THREADS = 4
ROUNDS = 5

Write = Callable[[Path, str, int], None]
"""Is told the folder, the writer's name (which no other has) and the number of the round."""


def embedding(folder: Path, name: str, number: int) -> None:
    from tted_core.encoders.embedding_cache import EmbeddingCache, Entry

    cache = EmbeddingCache(folder / "embeddings.sqlite", wait_seconds=60.0)
    cache.put({f"{name}-{number}".encode(): Entry(np.full(8, number, dtype=np.float32), 1)})


def kept_map(folder: Path, name: str, number: int) -> None:
    """All write the same one, as a server does whose visitors come by one link."""
    from ui.kept_maps import _write

    _write(folder / "token", name, f"{name} {number} ".encode() * 1000, pasted=True)


def description(folder: Path, name: str, number: int) -> None:
    from tted_core.batch.parts import write_json

    write_json({"name": name, "round": number, "filler": ["x"] * 1000}, folder / "job.json")


def part(folder: Path, name: str, number: int) -> None:
    import pyarrow as pa

    from tted_core.batch.parts import part_file, write_part

    write_part(pa.table({"name": [f"{name} {number}"] * 1000}), part_file(folder, 0))


def run(folder: Path, _name: str, _number: int) -> None:
    """A run reads, waits and writes, as only one that is alone may."""
    from tted_core.batch.parts import BUSY, LOCK, held
    from tted_core.errors import OptionsError

    done = False
    while not done:
        try:
            with held(folder / LOCK, BUSY):
                counter = folder / "counter"
                before = int(counter.read_text(encoding="ascii")) if counter.exists() else 0
                time.sleep(0.002)
                counter.write_text(str(before + 1), encoding="ascii")
                done = True
        except OptionsError:
            time.sleep(0.005)


WRITERS: dict[str, Write] = {
    "embedding": embedding,
    "kept map": kept_map,
    "description": description,
    "part": part,
    "run": run,
}


def main(writer: str, folder: Path, process: int) -> None:
    """Write in four threads; ends with status 1 if any of them fails."""
    failed: list[BaseException] = []

    def work(thread: int) -> None:
        try:
            for number in range(ROUNDS):
                WRITERS[writer](folder, f"{process}-{thread}", number)
        except BaseException as error:  # noqa: BLE001 - told below
            failed.append(error)

    print("ready", flush=True)  # noqa: T201 - who started it waits for it
    sys.stdin.readline()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    print(json.dumps([repr(error) for error in failed]), flush=True)  # noqa: T201 - who started it shows it
    os._exit(bool(failed))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
