"""What mkdocs doesn't find in docs/: the README as the first page, and a page of reference for each room."""

import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
"""File beside docs/ -> its page."""

LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)(?:\.\./)*([^)#\s]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^ *(```|~~~)", re.MULTILINE)
INDENTED = re.compile(r"^ +(?=\S)", re.MULTILINE)
DOCTEST = re.compile(r"^>>> .*?(?=\n\n|\n```|\Z)", re.MULTILINE | re.DOTALL)
PICTURE_OF_ORDERS = "<!-- picture of the orders -->"


class Examples(griffe.Extension):
    """Doctests, wherever they stand in a docstring, are shown as the code that they are."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called by griffe for each module, class, function and attribute."""
        if obj.docstring:
            obj.docstring.value = DOCTEST.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The reference's pages are the last of the menu."""
    assert config.nav is not None
    config.nav.append({"Reference": [{_title(room): f"reference/{room}.md"} for room in rooms()]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    for room, modules in rooms().items():
        text = f"# {_title(room)}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
        files.append(File.generated(config, f"reference/{room}.md", content=text))
    return files


def rooms() -> dict[str, list[str]]:
    """Room -> its modules, the room itself first; "index" is the root. Commands are told by ``tted --help``."""
    found: dict[str, list[str]] = {"index": ["tted_core"]}
    for path in sorted((ROOT / "tted_core").rglob("*.py")):
        *folders, name = path.relative_to(ROOT).with_suffix("").parts
        parts = folders if name == "__init__" else [*folders, name]
        hidden = any(part.startswith("_") for part in parts) or parts[1:2] == ["cli"] or "migrations" in parts
        if len(parts) > 1 and not hidden:
            found.setdefault(parts[1] if len(folders) > 1 else "index", []).append(".".join(parts))
    return found


def _title(room: str) -> str:
    return "tted_core" if room == "index" else f"tted_core.{room}"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Links lead to pages of the site, and lists are indented as Python-Markdown wants them."""
    if page.file.src_uri.startswith("reference/"):
        return markdown

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        target = PAGES.get(target, target.removeprefix("docs/"))
        return f"[{words}]({target}{anchor})" if files.get_file_from_path(target) else words

    pieces = FENCE.split(LINK.sub(link, markdown))
    # Inside and outside of fences by turns: text, mark, code, mark, text ...
    for number in range(0, len(pieces), 4):
        pieces[number] = INDENTED.sub(lambda found: " " * (4 * -(-len(found[0]) // 4)), pieces[number])
    return "".join(pieces).replace(
        PICTURE_OF_ORDERS, "*The application's page Method draws them side by side.*"
    )
