"""What all tests share: a fixed seed for hypothesis, the bundled encoder loaded once, the pytest options."""

import dataclasses
import io
import os
import sys

import pytest
from helpers.encoders import remembering, sentence_encoder
from hypothesis import settings

from tted_core.cli import main
from tted_core.encoders import SentenceEncoder, load_encoder

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may wait for a network
settings.register_profile("tted", derandomize=True, deadline=None, database=None)
settings.load_profile("tted")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite tests/golden/*.json with what comes out now"
    )


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def minilm() -> SentenceEncoder:
    """The bundled encoder on the CPU; a text that it has seen is not encoded again."""
    encoder = load_encoder("minilm", device="cpu")
    return dataclasses.replace(encoder, encode=remembering(encoder.encode))


@pytest.fixture
def tted(capsys, monkeypatch):
    """Run a command in this process: (exit status, standard output, standard error).

    The bundled encoder is replaced by hashing; any other name is looked up as always.
    """

    def load(name, **options):
        known = name in {"minilm", "hashed"}
        return sentence_encoder(name=name) if known else load_encoder(name, **options)

    monkeypatch.setattr(sys.modules["tted_core.compare"], "load_encoder", load)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            status = main(list(arguments))
        except SystemExit as exit_:
            status = exit_.code
        return (status, *capsys.readouterr())

    return run
