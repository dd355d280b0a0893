"""Shared by all tests: a fixed seed for hypothesis, the bundled encoder loaded once, options of pytest.

No test sees the user's cache of embeddings or decisions: each has an empty folder for them.
"""

import io
import itertools
import logging
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit.config
from helpers.browser import browser, chromium, page, server
from helpers.encoders import counting, sentence_encoder
from hypothesis import settings

from tted_core.cli import main
from tted_core.encoders.embedding import with_memory_cache
from tted_core.encoders.sentence_encoder import SentenceEncoder, load_encoder

# fixtures
__all__ = ["browser", "chromium", "page", "server"]

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may wait for a network
os.environ["TTED_CACHE"] = "off"
# As many processes as cores run tests; several threads in each would wait for each other, at full load.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Streamlit warns that a test has no server, on what was standard error when it first read its options.
streamlit.config.set_option("logger.level", "error")
MAIN = sys.modules["__main__"]
cache_folders = (f"embeddings-{number}" for number in itertools.count())
settings.register_profile("thorough", derandomize=True, deadline=None, database=None, max_examples=40)
settings.register_profile("tted", settings.get_profile("thorough"), max_examples=20)
settings.load_profile("tted")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite tests/golden/*.json with the current numbers"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the test that takes longest, so that no process runs it while others have nothing left."""
    items.sort(key=lambda item: item.path.name != "test_install.py")


@pytest.fixture(autouse=True)
def main_module() -> None:
    """Put the main module back: Streamlit's tests leave a page's there, which new processes would run."""
    sys.modules["__main__"] = MAIN


@pytest.fixture(autouse=True)
def cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of embeddings and decisions of this test and its processes, made at the first use."""
    folder = tmp_path_factory.getbasetemp() / next(cache_folders)
    monkeypatch.setenv("TTED_CACHE", str(folder))
    monkeypatch.setenv("TTED_DECISIONS", str(folder / "decisions.sqlite"))
    return folder


@pytest.fixture(autouse=True)
def forgotten_models() -> Iterator[None]:
    """Drop the pages' models after each test, since the next one may load others by the same names."""
    yield
    models = sys.modules.get("ui.models")
    if models is not None:
        models.fresh_encoder.cache_clear()


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pages wait for their work, since no browser reruns them, and share no results with other tests."""
    running = sys.modules.get("ui.running")
    if running is not None:
        monkeypatch.setattr(running, "PATIENCE_SECONDS", 600.0)
        monkeypatch.setattr(running, "EXECUTOR", type(running.EXECUTOR)())


@pytest.fixture(autouse=True)
def faults() -> Iterator[list[logging.LogRecord]]:
    """Log records of bugs on pages; a test fails unless it removes them."""
    found: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = found.append
    errors = logging.getLogger("ui.page")
    errors.addHandler(handler)
    yield found
    errors.removeHandler(handler)
    assert [record.exc_info for record in found] == []


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Give pages hashed vectors instead of all encoders, and empty their caches; the texts that are encoded."""
    import streamlit as st

    from ui import models

    encode, texts = counting()
    monkeypatch.setattr(models, "check_offered", lambda name: None)
    monkeypatch.setattr(models, "load_encoder", lambda name: sentence_encoder(encode=encode, name=name))
    # It would continue in the next test and load that test's model.
    monkeypatch.setattr("ui.comparisons.start_warming_up", lambda: None)
    st.cache_data.clear()
    st.cache_resource.clear()
    yield texts
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def hashed_models(encoded: list[str]) -> None:
    """Give pages hashed vectors instead of all encoders."""


@pytest.fixture(scope="session")
def minilm() -> SentenceEncoder:
    """The bundled encoder on the CPU; texts are encoded once."""
    return with_memory_cache(load_encoder("minilm", device="cpu"))


@pytest.fixture
def tted(capsys, monkeypatch):
    """Run a command in this process: (exit status, standard output, standard error).

    The bundled encoder is replaced by hashing; other encoders are loaded as usual.
    """

    def load(name, **options):
        known = name in {"minilm", "hashed"}
        return sentence_encoder(name=name) if known else load_encoder(name, **options)

    monkeypatch.setattr("tted_core.cli.shared.load_encoder", load)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            status = main(list(arguments))
        except SystemExit as exit_:
            status = exit_.code
        return (status, *capsys.readouterr())

    return run


@pytest.fixture
def no_network(monkeypatch, tmp_path):
    """Point the hub's address to an unused port of this machine, and give it an empty cache."""
    from huggingface_hub import constants

    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"
