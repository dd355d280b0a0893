"""The house rules that a reader of DEVELOPERS.md relies on: who may import whom, and what is documented."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
from helpers.paths import ROOT

from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.extras import EXTRAS
from tted_core.formats import FORMATS
from tted_core.solvers import SOLVERS

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
    "streamlit",
    "pyvis",
    "edist",
    "numba",
    "scipy",
    "highspy",
    "krippendorff",
    "sqlalchemy",
    "alembic",
    "language_tool_python",
    "bert_score",
)
# package: the one place in tted_core that imports it
ONLY_IN = {
    "sentence_transformers": "tted_core/encoders/sentence_encoder.py",
    "transformers": (
        "tted_core/encoders/hub.py",
        "tted_core/encoders/masked_model.py",
        "tted_core/distances/bertscore/loading.py",
    ),
    "bert_score": ("tted_core/distances/bertscore/loading.py", "tted_core/distances/bertscore/scorer.py"),
    "huggingface_hub": "tted_core/encoders/hub.py",
    "language_tool_python": "tted_core/measures/corpus/grammar.py",
    "edist": "tted_core/solvers/edist_reference.py",
    "jinja2": "tted_core/report/html_report.py",
    "vl_convert": "tted_core/report/drawing_program.py",
    "scipy": (
        "tted_core/distances/vectors.py",
        "tted_core/baselines/assignment.py",
        "tted_core/lab/people/correlation.py",
        "tted_core/lab/quality/coefficients.py",
        "tted_core/lab/quality/ranking.py",
        "tted_core/annotate/agreement/layout.py",
    ),
    "krippendorff": "tted_core/annotate/agreement/alpha.py",
    "sqlalchemy": (
        "tted_core/annotate/reviews/database.py",
        "tted_core/annotate/reviews/schema.py",
        "tted_core/annotate/reviews/store.py",
        "tted_core/annotate/reviews/migrations/versions/v1_judgements.py",
        "tted_core/annotate/reviews/migrations/versions/v2_adjudication.py",
    ),
    "rouge": "tted_core/baselines/sim_published.py",
    "rouge_score": "tted_core/baselines/sim.py",
}


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
    other_names = {"pyyaml": "yaml", "markdown_it_py": "markdown_it", "vl_convert_python": "vl_convert"}
    names = (re.match(r"[\w-]+", line)[0].lower().replace("-", "_") for line in lines)
    return {other_names.get(name, name) for name in names}


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = declared(PROJECT["dependencies"])
IN_EXTRAS = {name: declared(lines) - {"tted"} for name, lines in PROJECT["optional-dependencies"].items()}
WITH_ANOTHER = {"transformers", "huggingface_hub"}
"""What sentence-transformers is made of."""


def test_every_package_that_is_imported_is_declared():
    """What comes with another package today may not come with it tomorrow."""
    everything = BASE.union(WITH_ANOTHER, *IN_EXTRAS.values())
    for file in CORE:
        assert packages(file) - {"tted_core"} - set(sys.stdlib_module_names) <= everything, file
    for file in FACE:
        assert packages(file) - {"tted_core", "ui"} - set(sys.stdlib_module_names) <= everything, file


def test_an_extra_is_checked_for_all_that_it_installs():
    """The error says which package is missing and which extra has it: it must know the same as pip."""
    assert EXTRAS.keys() | {"all"} == IN_EXTRAS.keys()
    for name, extra in EXTRAS.items():
        within = re.findall(r"tted\[([\w,]+)\]", " ".join(PROJECT["optional-dependencies"][name]))
        installs = IN_EXTRAS[name].union(
            *(EXTRAS[other].packages for each in within for other in each.split(","))
        )
        assert set(extra.packages) == installs


def test_who_imports_an_extra_asks_for_it_first():
    """In the same package, so that no import of an extra is reached without the sentence that names it."""
    extra_packages = WITH_ANOTHER.union(*IN_EXTRAS.values()) - BASE
    asking = {file for file in CORE if "tted_core.extras.require" in imports(file)}
    for file in CORE:
        if packages(file) & extra_packages:
            folder = file.rsplit("/", 1)[0]
            assert any(
                asker.startswith(folder) or folder.startswith(asker[: -len("/__init__.py")])
                for asker in asking
            ), file


@pytest.mark.parametrize("package", ONLY_IN)
def test_one_place_imports_it(package):
    allowed = {ONLY_IN[package]} if isinstance(ONLY_IN[package], str) else set(ONLY_IN[package])
    assert {file for file in CORE if package in packages(file)} == allowed


@pytest.mark.parametrize("file", CORE)
def test_the_core_knows_nothing_of_its_faces(file):
    assert packages(file).isdisjoint({"streamlit", "pyvis", "ui", "pages", "app", "tests", "benchmarks"})


@pytest.mark.parametrize("file", FACE)
def test_the_face_imports_one_way(file):
    """app, pages -> ui -> tted_core; what is heavy is reached through the core only."""
    assert packages(file).isdisjoint({"app", "pages", "tests", "sentence_transformers", "torch", "edist"})
    if not file.startswith("ui/"):
        assert packages(file) <= {"ui", "tted_core", "streamlit", *sys.stdlib_module_names}


@pytest.mark.parametrize("file", [file for file in FACE if file.startswith("ui/")])
def test_no_room_of_a_page_imports_another_pages_room(file):
    """What several pages share stands in ui itself, or is a room of its own there (mapping, running)."""
    of_a_page = {"annotate", "compare", "lab", "learn", "measures"}
    here = file.split("/")[1]
    rooms = {name.split(".")[1] for name in imports(file) if name.startswith("ui.")}
    assert rooms & of_a_page <= {here}


def test_only_the_command_line_stands_behind_compare():
    """Only comparing.py sees the whole line of the method; nothing before it knows of it."""
    behind = {file for file in CORE if "tted_core.comparing" in imports(file)}
    assert behind == {
        "tted_core/__init__.py",
        "tted_core/annotate/agreement/measure.py",
        "tted_core/cli/compare.py",
        "tted_core/cli/replay.py",
        "tted_core/lab/map_measures.py",
        "tted_core/explain/alternatives.py",
    }
    for file in ("errors", "extras", "limits", "registry", "tree", "version"):
        known = {name for name in imports(f"tted_core/{file}.py") if name.startswith("tted_core")}
        assert {name.split(".")[1] for name in known} <= {"errors", "limits"}


def test_one_path_leads_from_costs_to_scores():
    """Who has trees and their costs asks search.py; scores.py alone holds the formulas against a distance."""

    def importers(*names: str) -> set[str]:
        outside = (file for file in CORE if not file.startswith("tted_core/solvers/"))
        return {file.removeprefix("tted_core/") for file in outside if imports(file).intersection(names)}

    assert importers("tted_core.normalization") == {
        "scores.py",
        "measures/bag.py",  # of another distance
        "learn/exercises/costs.py",  # of a made-up one, to be computed by hand
    }
    assert importers("tted_core.solvers.solve", "tted_core.solvers.choices.solve_under") == {
        "search.py",
        "lab/quality/published.py",  # the distance alone, beside the published one
        "learn/mappings.py",  # the mapping alone, beside a person's
    }


def test_formats_and_solvers_do_not_know_each_other():
    for file in CORE:
        names = " ".join(imports(file))
        if file.startswith("tted_core/formats/"):
            assert "tted_core.solvers" not in names
            assert "tted_core.encoders.sentence_encoder" not in names
        if file.startswith(("tted_core/solvers/", "tted_core/baselines/")):
            assert "tted_core.formats" not in names
            assert "tted_core.encoders.sentence_encoder" not in names


@pytest.mark.parametrize("file", [*CORE, *FACE])
def test_every_module_says_what_it_is(file):
    assert ast.get_docstring(ast.parse((ROOT / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("registry", [BASELINES, CONTEXTS, DISTANCES, SOLVERS])
def test_every_entry_of_a_registry_is_documented(registry):
    for name, entry in registry.items():
        if registry is CONTEXTS:
            entry = entry.blend or entry.texts  # noqa: PLW2901
        elif registry in (BASELINES, DISTANCES):
            entry = entry.function  # noqa: PLW2901
        assert inspect.getdoc(entry), name
        assert "." in inspect.getdoc(entry), name


@pytest.mark.parametrize("registry", [ENCODERS, FORMATS])
def test_every_record_of_a_registry_has_a_title_of_its_own(registry):
    titles = [entry.title for entry in registry.values()]
    assert all(titles)
    assert len(set(titles)) == len(titles)


def test_no_print_outside_the_command_line():
    for file in CORE:
        if not file.startswith("tted_core/cli/"):
            calls = (node for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))))
            assert not any(
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
                for node in calls
            ), file
