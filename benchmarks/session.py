"""A visitor without a browser: Streamlit's protocol spoken over a WebSocket, for load, faults and payloads.

It keeps what a browser would: the state of its widgets, and what is on its page. Nothing of a page's look or
scripts is tested in this way, and a server answers hundreds of such visitors where a browser shows one.
"""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

if TYPE_CHECKING:
    from streamlit.proto.Block_pb2 import Block

ROOT = Path(__file__).parent.parent
PATIENCE = 120.0
"""Seconds within which a page must have run to its end."""


class Session:
    """One tab of a visitor. ``seconds`` is how long the last run of the page took, ``elements`` what it drew."""

    def __init__(self, address: str, **headers: str) -> None:
        """Shake hands; nothing runs yet. ``headers``: Host and Origin, where they aren't the server's own.

        Raises:
            websockets.exceptions.InvalidStatus: the server refuses them.
        """
        at = address.removeprefix("http://")
        name, _, port = at.partition(":")
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://{headers.get('host', at)}/_stcore/stream",
                sock=socket.create_connection((name, int(port)), timeout=PATIENCE),
                origin=headers.get("origin"),
                subprotocols=["streamlit"],
                max_size=None,
                open_timeout=PATIENCE,
            )
        )
        self._states: dict[str, WidgetState] = {}
        self._known: dict[str, ForwardMsg] = {}
        self._blocks: list[Block] = []
        self.elements: dict[tuple[int, ...], Element] = {}
        self.identity = ""
        self.seconds = 0.0
        self._page = ""

    def __enter__(self) -> Self:
        """The visitor."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the tab."""
        self._open.close()

    def run(self, *triggers: WidgetState, page: str = "", query: str = "") -> None:
        """Let the page run, with what has been set since the last run."""
        message = BackMsg()
        request = message.rerun_script
        self._page = page or self._page  # a run without a page would go back to the first one
        request.page_name = self._page
        request.query_string = query
        request.widget_states.widgets.extend([*self._states.values(), *triggers])
        start = time.perf_counter()
        self._socket.send(message.SerializeToString())
        drawn: dict[tuple[int, ...], Element] = {}
        blocks: list[Block] = []
        while True:
            found = ForwardMsg()
            found.ParseFromString(bytes(self._socket.recv(timeout=PATIENCE)))
            if found.WhichOneof("type") == "ref_hash":
                metadata, found = found.metadata, self._known[found.ref_hash]
                found.metadata.CopyFrom(metadata)
            elif found.metadata.cacheable:
                self._known[found.hash] = found
            kind = found.WhichOneof("type")
            if kind == "new_session":
                self.identity = found.new_session.initialize.session_id
            if kind == "delta" and found.delta.WhichOneof("type") == "new_element":
                drawn[tuple(found.metadata.delta_path)] = found.delta.new_element
            elif kind == "delta" and found.delta.WhichOneof("type") == "add_block":
                blocks.append(found.delta.add_block)
            elif kind == "script_finished" and found.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                break
        self.elements, self._blocks = drawn, blocks
        self.seconds = time.perf_counter() - start

    def set(self, key: str, **value: Any) -> None:
        """Give a widget a value for the runs to come: ``string_value="text"``, ``bool_value=True`` ..."""
        identity = self.widget(key)
        self._states[identity] = WidgetState(id=identity, **value)

    def click(self, key: str) -> None:
        """Press a button, and wait for the run that follows."""
        self.run(WidgetState(id=self.widget(key), trigger_value=True))

    def widget(self, key: str) -> str:
        """The name that Streamlit gave to the widget with this key."""
        parts = (*self.shown(), *self._blocks)
        names = (getattr(getattr(each, each.WhichOneof("type") or "", None), "id", "") for each in parts)
        found = next((name for name in names if name.endswith(f"-{key}")), None)
        if found is None:
            raise LookupError(f"no widget {key} on the page")
        return found

    def shown(self, kind: str | None = None) -> Iterator[Element]:
        """What is on the page, of one kind ("exception", "dataframe", "markdown" ...) or all of it."""
        return (each for each in self.elements.values() if kind is None or each.WhichOneof("type") == kind)

    @property
    def failures(self) -> list[str]:
        """What went wrong in the last run, in the words of the page."""
        return [each.exception.message for each in self.shown("exception")]


@contextmanager
def served(
    folder: Path = ROOT, *options: str, environment: dict[str, str] | None = None, log: Path | None = None
) -> Iterator[tuple[str, int]]:
    """A server of the application in this folder, on a free port of this machine: its address and process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    with (
        (log or Path(os.devnull)).open("wb") as written,
        subprocess.Popen(
            [*command, "--server.port", str(port), "--server.fileWatcherType", "none", *options],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdout=written,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        address = f"http://127.0.0.1:{port}"
        try:
            while not healthy(address):
                if process.poll() is not None:
                    raise RuntimeError("the server ended")
                time.sleep(0.1)
            yield address, process.pid
        finally:
            process.terminate()


def healthy(address: str, timeout: float = 5.0) -> bool:
    """Whether the server answers."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=timeout) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


def processes_of(process: int) -> list[int]:
    """A process and all that it started, those that these started too (Linux)."""
    found = [process]
    for each in found:
        with suppress(OSError):  # it has just ended
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text(encoding="ascii").split())
    return found


def megabytes(process: int) -> float:
    """Resident memory of a process and of all that it started (Linux)."""
    kilobytes = 0
    for each in processes_of(process):
        with suppress(OSError):
            lines = Path(f"/proc/{each}/status").read_text(encoding="ascii").splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return kilobytes / 1024


def quantile(seconds: Sequence[float], share: float) -> float:
    """The value that this share of the values doesn't exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * len(ordered) * 1000) // 1000) - 1))]


def outline(nodes: int, seed: int) -> str:
    """A map of so many nodes, unlike that of any other seed, as JSON."""
    parents = [-1, *((number - 1) // 3 for number in range(1, nodes))]
    labels = [f"Reef {seed} has {number * 7 + seed} polyps in bay {number}" for number in range(nodes)]
    children: list[list[int]] = [[] for _ in range(nodes)]
    for node, parent in enumerate(parents[1:], start=1):
        children[parent].append(node)

    def branch(node: int) -> dict[str, Any]:
        return {"text": labels[node], "children": [branch(child) for child in children[node]]}

    return json.dumps(branch(0))
