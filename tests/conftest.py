"""What all tests share: a fixed seed for hypothesis, the bundled encoder loaded once, the pytest options."""

import dataclasses
import os

import pytest
from helpers.encoders import remembering
from hypothesis import settings

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
