"""The server's processes, and what runs in them; nothing here knows of pages, so that they start soon."""

import threading


def start_processes() -> None:
    """Start those that a first comparison waits for, which takes them a second; where there are none, nothing.

    Raises:
        OptionsError: TTED_WORKERS is no whole number from 0 on.
        ToolError: no process can be started.
    """
    from ui.processes.encoding import encoder_process
    from ui.processes.workers import pool

    process, workers = encoder_process(), pool()
    if process is not None:  # which is asked for its encoder's description, also where all vectors are kept
        threading.Thread(target=process.encoder, args=("minilm",), daemon=True).start()
    if workers is not None:
        workers.start()
