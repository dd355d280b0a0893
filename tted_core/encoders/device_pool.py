"""A model on several devices at once, by sentence-transformers' own pool: a process for each device."""

import atexit
import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import EncoderError


def devices_of(device: str | None) -> list[str]:
    """The devices in a list such as "cuda:0,cuda:1"; none if there are not several.

    >>> devices_of("cuda:0, cuda:1"), devices_of("cuda:1"), devices_of(None)
    (['cuda:0', 'cuda:1'], [], [])
    """
    names = [name.strip() for name in (device or "").split(",") if name.strip()]
    return names if len(names) > 1 else []


def encode_on(
    model: Any, devices: list[str], batch: int
) -> Callable[[Sequence[str]], NDArray[np.floating[Any]]]:
    """What encodes texts on these devices, ``batch`` at a time on each; its processes end with this one.

    ``model`` is a ``SentenceTransformer``. Batches are padded, so that the devices have whole ones; vectors differ
    from those of one device by about 1e-7.
    """
    starting = threading.Lock()

    @functools.cache
    def started() -> dict[str, Any]:
        pool: dict[str, Any] = model.start_multi_process_pool(devices)
        atexit.register(model.stop_multi_process_pool, pool)
        return pool

    def encode(texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        try:
            with starting:
                pool = started()
            vectors: NDArray[np.floating[Any]] = model.encode(
                list(texts),
                batch_size=batch,
                chunk_size=batch,
                pool=pool,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        except (
            Exception
        ) as error:  # torch raises AssertionError for a missing GPU, and RuntimeError for most else
            cause = " ".join(str(error).split()) or type(error).__name__
            raise EncoderError(
                f"the model can't be run on the devices {', '.join(devices)} ({cause[:300]}); name others, or one"
            ) from error
        return vectors

    return encode
