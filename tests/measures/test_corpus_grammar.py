"""The grammar check: what is missing is named, with the way to get it; what is there is used, and ended."""

import sys

import pytest

from tted_core.errors import MissingExtraError, ToolError
from tted_core.foundations.monitor import UNWATCHED
from tted_core.measures.corpus import load_grammar_check


@pytest.fixture
def language_tool(monkeypatch, tmp_path):
    """A folder for LanguageTool, a Java of version 17, and a fake tool instead of LanguageTool."""
    from language_tool_python import download_lt

    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    monkeypatch.setattr(download_lt, "which", lambda _name: "java")
    monkeypatch.setattr(download_lt.subprocess, "check_output", lambda *_, **__: 'openjdk version "17.0.1"')
    (tmp_path / f"LanguageTool-{download_lt.LTP_DOWNLOAD_VERSION}").mkdir()
    used = []

    class Tool:
        def __init__(self, language):
            used.append(language)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            used.append("closed")

        def check(self, text):
            return [word for word in text.split() if word == "is" * 2]

    monkeypatch.setattr("language_tool_python.LanguageTool", Tool)
    return used


def test_errors_are_counted_and_the_tool_is_closed(language_tool):
    check = load_grammar_check("en-GB")
    assert language_tool == []
    assert check(["all is well", "it isis wrong isis"], UNWATCHED) == [0, 2]
    assert language_tool == ["en-GB", "closed"]


def test_without_java(language_tool, monkeypatch):
    monkeypatch.setattr("language_tool_python.download_lt.which", lambda _name: None)
    with pytest.raises(ToolError, match=r"grammar needs Java 17 or newer on this machine \(No java install"):
        load_grammar_check()


def test_without_language_tool_nothing_is_fetched(language_tool, monkeypatch, tmp_path):
    monkeypatch.setenv("LTP_PATH", str(tmp_path / "none"))
    with pytest.raises(
        ToolError, match=r"LanguageTool, which is not on this machine; fetch it once .*download\(\)"
    ):
        load_grammar_check()
    assert language_tool == []


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "language_tool_python", None)
    with pytest.raises(MissingExtraError, match="pip install language_tool_python"):
        load_grammar_check()
