"""What a click costs: processor time of the server and seconds until the page stands, for a lone visitor.

A raw session (``session.py``) opens the Compare page of a fresh server, and a second one does: with an empty cache
of embeddings, and with one that knows all sentences. Then it compares two maps and clicks on nodes and tabs. Run
``python -m benchmarks.clicks`` (``--nodes 15,300``; ``--folder`` serves another checkout, to compare with). Other
load lengthens the seconds, and hardly the processor time. Linux only.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.server import ROOT, outline, processor_seconds, served
from benchmarks.session import Session

CLICKS = 8
SETTLED_SECONDS = 0.1
"""A server that takes no processor time for so long has done what there was to do."""

TABS = ("Steps", "Three orders", "What drives the score", "Download and cite", "Cost receipt")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each kind of view and click."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clicks", description=__doc__)
    parser.add_argument("--nodes", default="15,300", help="sizes of the maps; default: %(default)s")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    options = parser.parse_args(arguments)
    print(f"{'':>34} {'processor':>10} {'first':>7} {'whole':>7}   seconds")
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache", "TTED_DECISIONS": f"{folder}/decisions.sqlite"}
        for state in ("empty cache", "embeddings kept"):
            with served(options.folder, environment=kept) as (address, process):
                for visitor in ("first", "second"):
                    with Session(address) as session:
                        _tell(f"{visitor} view, {state}", process, session, [session.run])
                if state == "embeddings kept":
                    for nodes in map(int, options.nodes.split(",")):
                        _clicks(address, process, nodes)


def revised(nodes: int) -> tuple[str, str]:
    """Two maps of so many nodes, every tenth of which is reworded in the second one."""
    text = outline(nodes, 1)
    changed = json.loads(text)

    def reword(branch: dict[str, object], number: int = 0) -> int:
        if number % 10 == 3:
            branch["text"] = f"Nobody lives in bay {number} any longer"
        number += 1
        children = branch["children"]
        assert isinstance(children, list)
        for child in children:
            number = reword(child, number)
        return number

    reword(changed)
    return text, json.dumps(changed)


def _clicks(address: str, process: int, nodes: int) -> None:
    with Session(address) as session:
        session.run()
        for side, text in zip(("left", "right"), revised(nodes), strict=True):
            session.set(f"{side}-source", string_value="Paste")
            session.set(f"{side}-text", string_value=text)
        _tell(f"comparison, {nodes} nodes", process, session, [session.run])
        _tell(f"any other change, {nodes} nodes", process, session, [session.run] * CLICKS)
        picks = [_pick(session, number) for number in range(1, CLICKS + 1)]
        _tell(f"node, {nodes} nodes", process, session, picks)
        again = [_pick(session, CLICKS + number, node=number) for number in range(1, CLICKS + 1)]
        _tell(f"the same nodes again, {nodes} nodes", process, session, again)
        for tab in TABS:
            _tell(f"tab {tab}, {nodes} nodes", process, session, [_tab(session, tab)])
        again = [_tab(session, tab) for tab in TABS]
        _tell(f"the same tabs again, {nodes} nodes", process, session, again)


def _pick(session: Session, number: int, node: int = 0) -> Callable[[], None]:
    """A click on a node of the left map, the so-manieth one."""

    def click() -> None:
        session.set("outline", json_value=json.dumps({"picked": [node or number, node or number, number]}))
        session.run(of="outline")
        if not any("Left" in each.html.body for each in session.shown("html")):
            raise RuntimeError("the page does not tell of the node")

    return click


def _tab(session: Session, title: str) -> Callable[[], None]:
    def click() -> None:
        session.set("more", string_value=title)
        session.run(of="more")

    return click


def _tell(what: str, process: int, session: Session, clicks: Sequence[Callable[[], None]]) -> None:
    """Do it, and print the processor time of all and the medians of the seconds."""
    _settled(process)
    before = processor_seconds(process)
    firsts, wholes = [], []
    for click in clicks:
        click()
        firsts.append(session.first_seconds)
        wholes.append(session.seconds)
        if session.failures:
            raise RuntimeError(session.failures[0])
    _settled(process)
    spent = (processor_seconds(process) - before) / len(clicks)
    print(f"{what:>34} {spent:>10.3f} {median(firsts):>7.3f} {median(wholes):>7.3f}", flush=True)


def _settled(process: int) -> None:
    """Wait until the server rests."""
    while True:
        before = processor_seconds(process)
        time.sleep(SETTLED_SECONDS)
        if processor_seconds(process) == before:
            return


if __name__ == "__main__":
    main()
