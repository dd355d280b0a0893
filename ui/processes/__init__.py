"""The server's processes, and what runs in them; nothing here knows of pages, so that they start soon."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from tted_core.errors import ToolError, TTEDError

if TYPE_CHECKING:
    from ui.processes.encoding import EncoderProcess


def start_processes() -> None:
    """Start those that a first comparison waits for, which takes them a second.

    None with TTED_WORKERS=0.

    Raises:
        OptionsError: TTED_WORKERS is no whole number from 0 on.
    """
    from ui.processes.encoding import encoder_process
    from ui.processes.workers import pool

    process, workers = encoder_process(), pool()
    if process is not None:
        threading.Thread(target=_described, args=(process,), daemon=True).start()
    if workers is not None:
        with suppress(ToolError):  # whoever asks for work is told
            workers.start()


def _described(process: "EncoderProcess") -> None:
    """Ask for the encoder's description, which a comparison needs also where all vectors are kept."""
    with suppress(TTEDError):  # whoever asks next is told
        process.encoder("minilm")
