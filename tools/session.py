"""A client without a browser: Streamlit's protocol over a WebSocket, for load tests and hostile input.

It keeps the state of its widgets and the elements on its page as a browser does. A server answers hundreds of such
clients, but looks and scripts of a page can't be tested in this way.
"""

import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http import HTTPStatus
from http.cookies import SimpleCookie
from itertools import count
from pathlib import Path
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Common_pb2 import FileUploaderState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Subprotocol

PATIENCE = 120.0
"""Longest time in seconds for a run of a page."""


class Session:
    """One tab of a user.

    ``seconds`` is the time of the last run of the page or of a fragment, ``elements`` the elements on the page by
    their positions, ``query`` the query string of the address bar.
    """

    def __init__(self, address: str, **headers: str) -> None:
        """Connect without running the page. ``headers``: Host and Origin, if they aren't the server's own.

        Raises:
            websockets.exceptions.InvalidStatus: the server refuses the connection.
        """
        self.address = address
        self._headers = headers
        self._states: dict[str, WidgetState] = {}
        self._known: dict[str, ForwardMsg] = {}
        self._blocks: dict[tuple[int, ...], Block] = {}
        self._fragments: dict[tuple[int, ...], str] = {}
        self._fresh: set[tuple[int, ...]] = set()
        self._again: dict[str, float] = {}
        self._uploads = count()
        self._begun = False
        self.elements: dict[tuple[int, ...], Element] = {}
        self.identity = ""
        self.seconds = 0.0
        self._started = 0.0
        self.page = self._script = self.query = ""
        self._connect()

    def _connect(self) -> None:
        at = self.address.removeprefix("http://")
        name, _, port = at.partition(":")
        before = ("-", self.identity) if self.identity else ()
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://{self._headers.get('host', at)}/_stcore/stream",
                sock=socket.create_connection((name, int(port)), timeout=PATIENCE),
                origin=self._headers.get("origin"),
                subprotocols=[Subprotocol(each) for each in ("streamlit", *before)],
                max_size=None,
                max_queue=None,  # a browser receives everything, even in a background tab
                ping_interval=None,
                open_timeout=PATIENCE,
            )
        )

    def reconnect(self) -> None:
        """Lose the connection and open it again, as after a tunnel."""
        self._open.close()
        time.sleep(1.0)  # the server must notice it
        self._connect()

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the tab."""
        self._open.close()

    def run(
        self,
        *triggers: WidgetState,
        page: str | None = None,
        query: str = "",
        of: str = "",
        patience: float = PATIENCE,
    ) -> None:
        """Run the page with the values set since the last run.

        Args:
            *triggers: buttons that are pressed, for this run only.
            page: the page; by default, the current one.
            query: the query string, if it isn't the one that the page has set.
            of: the key of the widget that was set or pressed; if it is in a fragment, only that runs.
            patience: the longest time in seconds until the end of the run.

        Raises:
            TimeoutError: it takes longer; the next run interrupts it, as another click in a browser does.
        """
        self.send(*triggers, page=page, query=query, of=of)
        self.receive(patience=patience)

    def send(self, *triggers: WidgetState, page: str | None = None, query: str = "", of: str = "") -> None:
        """Send the request of ``run``."""
        if page is not None and page != self.page:
            self.page, self._script, self.query = page, "", ""
        with suppress(TimeoutError):  # messages of an interrupted run
            while True:
                self._hear(0.0)
        self.query = query or self.query  # an empty one would mean the Back button
        self._started = time.perf_counter()
        self._rerun(
            *triggers, fragment=self._fragments.get(self._position(self.widget(of)), "") if of else ""
        )

    def _rerun(self, *triggers: WidgetState, fragment: str = "") -> None:
        message = BackMsg()
        request = message.rerun_script
        request.page_script_hash = self._script  # without it, the page forgets its widgets
        request.page_name = "" if self._script else self.page
        request.fragment_id = fragment
        request.query_string = self.query
        request.widget_states.widgets.extend([*self._states.values(), *triggers])
        self._begun = False
        self._socket.send(message.SerializeToString())

    def receive(self, *, patience: float = PATIENCE) -> None:
        """Receive messages until all runs have ended."""
        try:
            while True:
                found = self._hear(self._started + patience - time.perf_counter())
                # Of this run, not of an earlier one that has ended meanwhile.
                ended = self._begun and found.WhichOneof("type") == "script_finished"
                if ended and found.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    waiting = [each for each in self._again if each in self._fragments.values()]
                    if not waiting:
                        break
                    time.sleep(self._again[waiting[0]])
                    self._rerun(fragment=waiting[0])
        finally:
            self.seconds = time.perf_counter() - self._started
        there = {each.id for each in self.widgets()}
        self._states = {name: state for name, state in self._states.items() if name in there}

    def _hear(self, patience: float) -> ForwardMsg:
        """Receive the next message."""
        found = ForwardMsg()
        found.ParseFromString(bytes(self._socket.recv(timeout=max(0.0, patience))))
        if found.WhichOneof("type") == "ref_hash":
            metadata, found = found.metadata, self._known[found.ref_hash]
            found.metadata.CopyFrom(metadata)
        elif found.metadata.cacheable:
            self._known[found.hash] = found
        match found.WhichOneof("type"):
            case "new_session":
                self._begun = True
                self.identity = found.new_session.initialize.session_id
                self._fresh = set()
            case "navigation":
                self._script = found.navigation.page_script_hash
            case "auto_rerun":
                self._again[found.auto_rerun.fragment_id] = found.auto_rerun.interval
            case "page_info_changed":
                self.query = found.page_info_changed.query_string
            case "delta":
                self._draw(tuple(found.metadata.delta_path), found.delta)
            case "script_finished" if found.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                for position in self._fragments.keys() - self._fresh:  # a fragment's run keeps them
                    self._remove(position)
        return found

    def _draw(self, position: tuple[int, ...], delta: Delta) -> None:
        """Replace the element at a position, and all elements in it."""
        for old in [old for old in self._fragments if old[: len(position)] == position]:
            self._remove(old)
        self._fresh.add(position)
        self._fragments[position] = delta.fragment_id
        if delta.WhichOneof("type") == "add_block":
            self._blocks[position] = delta.add_block
        elif delta.WhichOneof("type") == "new_element":
            self.elements[position] = delta.new_element
            widget = part_of(delta.new_element)
            if getattr(widget, "set_value", False):  # the page has set its value
                self._states.pop(widget.id, None)

    def _remove(self, position: tuple[int, ...]) -> None:
        for parts in (self.elements, self._blocks, self._fragments):
            parts.pop(position, None)

    def set(self, key: str, **value: Any) -> None:
        """Set a widget's value for the next runs: ``string_value="text"``, ``bool_value=True`` ..."""
        self.set_state(WidgetState(id=self.widget(key), **value))

    def set_state(self, state: WidgetState) -> None:
        """Set the state of a widget by its id."""
        self._states[state.id] = state

    def click(self, key: str) -> None:
        """Press a button, and wait for the run that follows."""
        self.run(WidgetState(id=self.widget(key), trigger_value=True), of=key)

    def upload(self, widget: str, *files: tuple[str, bytes]) -> list[int]:
        """Upload named files for the next runs; return the statuses of the responses."""
        state = FileUploaderState()
        answers = []
        for name, content in files:
            identity = f"file-{next(self._uploads)}"
            answers.append(self._sent(identity, content, Path(name).suffix))
            if answers[-1] == HTTPStatus.NO_CONTENT:
                state.uploaded_file_info.add(name=name, size=len(content), file_id=identity)
        self.set_state(WidgetState(id=widget, file_uploader_state_value=state))
        return answers

    def _sent(self, identity: str, content: bytes, ending: str) -> int:
        """Send a file as the page's uploader does; return the status of the response."""
        mark = "mark-of-the-part"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="f"; filename="f{ending}"\r\n\r\n'
        with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=PATIENCE) as answer:
            token = SimpleCookie(answer.headers["Set-Cookie"])["_streamlit_xsrf"].value
        request = urllib.request.Request(
            f"{self.address}/_stcore/upload_file/{self.identity}/{identity}",
            data=head.encode() + content + f"\r\n--{mark}--\r\n".encode(),
            headers={
                "Content-Type": f"multipart/form-data; boundary={mark}",
                "Cookie": f"_streamlit_xsrf={token}",
                "X-Xsrftoken": token,
            },
            method="PUT",
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def widget(self, key: str) -> str:
        """The id of the widget with this key."""
        for each in self.widgets():
            if each.id.split("-", 2)[2:] == [key]:  # a prefix and a hash come first
                return str(each.id)
        raise LookupError(f"no widget {key} on the page")

    def _position(self, widget: str) -> tuple[int, ...]:
        parts = (*self.elements.items(), *self._blocks.items())
        return next(position for position, part in parts if getattr(part_of(part), "id", "") == widget)

    def widgets(self) -> Iterator[Any]:
        """All widgets on the page, including tabs and expanders."""
        parts = map(part_of, (*self.shown(), *self._blocks.values()))
        return (each for each in parts if getattr(each, "id", ""))

    def shown(self, kind: str | None = None) -> Iterator[Element]:
        """The elements on the page, all or of one kind ("exception", "dataframe", "markdown" ...)."""
        return (each for each in self.elements.values() if kind is None or each.WhichOneof("type") == kind)

    @property
    def failures(self) -> list[str]:
        """Messages of exceptions in the last run."""
        return [each.exception.message for each in self.shown("exception")]


def part_of(drawn: Element | Block) -> Any:
    """The content of an element or a block: a button, a table, a row of tabs ...; None if empty."""
    return getattr(drawn, drawn.WhichOneof("type") or "", None)
