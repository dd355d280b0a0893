"""An example of two topics for the Evaluate page, which computes it in each test that opens the page."""

import pytest


@pytest.fixture(autouse=True)
def small_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave two topics in the example."""
    monkeypatch.setattr("ui.samples.topics", lambda: ("bread", "coral-reefs"))
