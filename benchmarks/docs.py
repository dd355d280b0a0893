"""The tables of docs/: by which command each was made, at which commit, in how long, and which are stale.

Below a table of measured figures stands "Made by `COMMAND` at `COMMIT`, SECONDS.". This lists them all, runs the
commands of ``CHECKS``, which take under a minute each on an idle machine, and names every cell that comes out
otherwise by more than one in its last digit. The exit status is 1 if there is one.

    python -m benchmarks.docs                 # all
    python -m benchmarks.docs annotation      # of the documents whose name has this in it
    python -m benchmarks.docs --list          # computes nothing

PUBLISHED in a command is the authors' test set; ``TTED_PUBLISHED_DATA`` says where it lies (tables of it are
skipped without).
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any, TypeAlias

import numpy as np

from benchmarks.check_precision import counts
from tted_core import TTED, TextTree, load_encoder, read_map
from tted_core.annotate.agreement.consensus import krippendorff_alpha
from tted_core.annotate.checks import CHECKS as MAP_CHECKS
from tted_core.baselines.kernel import cosines
from tted_core.encoders.embedding import embed
from tted_core.lab.edits import DOSES, edited
from tted_core.lab.quality import other_texts, read_samples

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_trees"
FIRST_TOPICS = (
    *(
        "coral-reefs",
        "history-of-writing",
        "how-vaccines-work",
        "photosynthesis",
        "solar-system",
        "urban-heat",
    ),
    "baikal",
)
"""The seven topics that sample_trees had at first; the last one is Russian."""

TWELVE_TOPICS = (*FIRST_TOPICS, "bread", "buchdruck", "honigbiene", "human-body", "periodic-table")
"""Those by which proofreading was chosen; two are in German, two in Russian."""

MADE = re.compile(r" *Made by `(?P<command>.+?)` at `(?P<commit>[0-9a-f]{7})`, (?P<seconds>[^.]+)\.")
NUMBER = re.compile(r"[-+]?(?:\d[\d,]*)?\.?\d+")
DEFINITIONS = {
    "architecture.md": (
        "floor | rooms (of `tted_core`, unless they begin with `ui`)",
        "file | written by",
        "you want to add | write",
    ),
    "evaluating-generators.md": (" | ",),
    "formats.md": (
        "name | format",
        "what the file has | what happens",
        "name | ending",
        "limit | value",
    ),
    "languages.md": ("language of the maps | take",),
    "method.md": (
        "name | formula",
        "order | what may happen",
        "score | formula",
        "word | ",
        " | pairs that are matched",
        "number | formula",
        "word | meaning",
    ),
    "quality-tables.md": ("name | formula",),
    "quality.md": ("task | preset",),
    "reproduction.md": ("what | command",),
    "scale.md": ("columns | ",),
    "teaching.md": ("order | what is played",),
}
"""Tables without measured figures: document -> the first two cells of their heads."""

Rows: TypeAlias = Mapping[str, Mapping[str, str]]
"""The first cells of a row (joined by a space) -> head of a column -> cell."""


@dataclass(frozen=True)
class Table:
    """A table in a document.

    ``made`` is what stands below it: command, commit and seconds; None where nothing does.
    """

    file: str
    line: int
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    made: tuple[str, str, str] | None

    @property
    def name(self) -> tuple[str, str]:
        """Document and head in short, by which ``CHECKS`` knows it."""
        return self.file, " | ".join(self.head[:2])

    @property
    def defines(self) -> bool:
        """Whether it has no measured figures."""
        return self.name[1] in DEFINITIONS.get(self.file, ())


def tables(file: Path) -> Iterator[Table]:
    """All tables of a Markdown file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if not re.fullmatch(r" *\|(?: *:?-+:? *\|)+", line):
            continue
        end = next(
            (at for at in range(number, len(lines)) if not lines[at].lstrip().startswith("|")), len(lines)
        )
        after = " ".join(lines[end + 1 : end + 4])
        made = MADE.match(after)
        yield Table(
            file.name,
            number,
            _cells(lines[number - 1]),
            tuple(map(_cells, lines[number + 1 : end])),
            made and (made["command"], made["commit"], made["seconds"]),
        )


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def stale(table: Table, rows: Rows) -> list[str]:
    """The cells of a table that come out otherwise, and rows that don't come out or aren't there."""
    found, seen = [], set()
    for cells in table.rows:
        key = next((key for key in rows if key in {_plain(cells[0]), _plain(" ".join(cells[:2]))}), None)
        if key is None:
            continue
        seen.add(key)
        for head, now in rows[key].items():
            cell = cells[table.head.index(head)]
            if not same(cell, now):
                found.append(f"{key}, {head}: {cell} is {now}")
    return found + [f"{key}: there is no such row" for key in rows if key not in seen]


def _plain(text: str) -> str:
    return re.sub(r", \*off\*|[*`]", "", text).strip()


def same(cell: str, now: str) -> bool:
    """Whether two cells have the same numbers, but for one in the last digit that the first one shows."""
    written, computed = (NUMBER.findall(text.replace("−", "-")) for text in (cell, now))
    if len(written) != len(computed):
        return False
    for one, other in zip(written, computed, strict=True):
        digits = len(one.partition(".")[2])
        if abs(float(one.replace(",", "")) - float(other.replace(",", ""))) > 1.01 * 10**-digits:
            return False
    return True


# What recomputes a table: the command that stands below it -> rows.


def of_use(_command: str) -> Rows:
    """How many findings of each check are of use."""
    return {
        MAP_CHECKS[name].title.lower(): {"of use on real maps": f"{useful} of {found}"}
        for name, (useful, found) in counts().items()
        if found
    }


def near_duplicates(_command: str) -> Rows:
    """Distances of nodes that are the same in other words, and of others, of the six English first topics."""
    encoder = load_encoder("minilm")
    known: dict[str, list[float]] = {"different nodes": [], "parent and child": []}
    known |= {f"paraphrase {number}": [] for number in (1, 2, 3)}
    for topic in FIRST_TOPICS[:-1]:
        maps = {path.stem: read_map(path).tree for path in (SAMPLES / topic).glob("*_[123].json")}
        maps["base"] = base = read_map(SAMPLES / topic / "base.json").tree
        vectors = embed(encoder, [label for tree in maps.values() for label in tree.labels])

        def far(tree: TextTree, other: TextTree, vectors: Any = vectors) -> Any:
            rows, columns = (np.array([vectors[label] for label in each.labels]) for each in (tree, other))
            return np.sqrt(1 - cosines(rows, columns))

        for name, tree in maps.items():
            if name.startswith("paraphrase"):
                known[name.replace("_", " ")] += far(base, tree).diagonal().tolist()
            if not name.startswith("structure"):
                distances = far(tree, tree)
                for one, other in combinations(range(len(tree)), 2):
                    kind = "parent and child" if tree.parents[other] == one else "different nodes"
                    known[kind].append(distances[one, other])
    return {
        f"{below:.2f}": {kind: _share(values, below) for kind, values in known.items()}
        for below in (0.35, 0.4, 0.45, 0.5)
    }


def _share(values: list[float], below: float) -> str:
    found = sum(value < below for value in values)
    few = found < 0.004 * len(values) and len(values) > 200
    return f"{found} of {len(values):,}" if few else f"{100 * found / len(values):.1f} %"


def coefficients(command: str) -> Rows:
    """R_S and R_M of all contexts and orders, of the published samples or of the first topics."""
    rows: dict[str, dict[str, str]] = {}
    for row in _ran(command)["rows"]:
        options, (r_s, r_m) = row["options"], (row["r_s"], row["r_m"])
        told = [f"{each['mean']:.2f} ± {each['std']:.2f}" for each in (r_s, r_m)]
        if "baseline" in options:
            rows[options["baseline"]] = {"R_S ordered": told[0], "R_M (constrained)": told[1]}
            continue
        if options["distance"] == "euclidean" and options["context"] in {"none", "ancestors", "parent"}:
            continue  # as cosine
        cells = rows.setdefault(f"{options['context']} {options['distance']}", {})
        cells[f"R_S {options['order']}"] = told[0]
        if options["order"] == "constrained":
            cells["R_M (constrained)"] = told[1]
    return rows


def normalisations(command: str) -> Rows:
    """Rank correlations of TTED with its normalised scores."""
    (row,) = (row for row in _ran(command)["rows"] if row["options"].get("score") == "tted")
    names = {"normalized": "published normalisation", "steinhaus": "Steinhaus"}
    return {
        f" {title}".strip(): {
            "within a sample": f"{row['ranking'][name]['within']:.3f}",
            "across all pairs": f"{row['ranking'][name]['across']:.3f}",
        }
        for name, title in names.items()
    }


def kinds_as_systems(_command: str) -> Rows:
    """The published variants as three systems: means of each measure."""
    published = Path(os.environ["TTED_PUBLISHED_DATA"])
    samples = list(read_samples(published, 5))
    names = ("rouge_sim", "rouge_sim_published", "rouge_bag")
    rows: dict[str, dict[str, str]] = {}
    for preset, column in (
        ("published", "normalized"),
        ("proofreading", "normalized, `--preset proofreading`"),
    ):
        tted = TTED(preset=preset)
        for kind in ("paraphrase", "structure", "meaning"):
            pairs = [(sample.base, variant) for sample in samples for variant in sample.variants[kind]]
            found = list(tted.compare_many(pairs, baselines=names if preset == "published" else ()))
            cells = rows.setdefault(kind, {})
            cells[column] = f"{mean(row['normalized'] for row in found):.3f}"
            if preset == "published":
                cells |= {name: f"{mean(row[name] for row in found):.3g}" for name in names}
    places = {kind: number for number, kind in enumerate(("paraphrase", "structure", "meaning"), start=1)}
    for column in next(iter(rows.values())):
        lower = column.startswith("normalized")
        order = sorted(rows, key=lambda kind: float(rows[kind][column]) * (1 if lower else -1))
        for kind in places:
            rows[kind][column] += f" ({order.index(kind) + 1})"
    return rows


def alphas(_command: str) -> Rows:
    """Alpha of each sample map and two paraphrases, as more and more sentences of each are replaced."""
    samples = [each for each in read_samples(SAMPLES) if each.name in TWELVE_TOPICS]
    doses = {"$k=0$": None, "1": "1", "2": "2", "3": "3", "a half": "50%"}
    rows: dict[str, dict[str, str]] = {}
    for head, dose in doses.items():
        maps, units = [], []
        for number, sample in enumerate(samples):
            texts = other_texts(sample, samples)
            for annotator, tree in enumerate((sample.base, *sample.variants["paraphrase"][:2])):
                count = DOSES[dose](len(tree)) if dose else 0
                seed = f"{sample.name}/{annotator}"
                maps.append(edited(tree, "meaning", count, seed=seed, texts=texts).tree)
                units.append(number)
        for preset, usual, other, power in (
            ("published", "published, normalized", "the same, squared", 2),
            ("proofreading", "proofreading, normalized", "the same to the power 8", 8),
        ):
            distances = TTED(preset=preset).pairwise(maps, score="normalized")
            for name, each in ((usual, distances), (other, distances**power)):
                alpha = krippendorff_alpha(each, units).value
                rows.setdefault(name, {})[head] = f"{alpha:.2f}".removeprefix("0")
    return rows


def _ran(command: str) -> dict[str, Any]:
    """What a command of the program prints with ``--json``."""
    with tempfile.TemporaryDirectory() as folder:
        for topic in FIRST_TOPICS:
            shutil.copytree(SAMPLES / topic, Path(folder) / topic)
        places = {"PUBLISHED": os.environ.get("TTED_PUBLISHED_DATA", ""), "FIRST_TOPICS": folder}
        words = [places.get(word, word) for word in shlex.split(command.removeprefix("tted "))]
        program = [sys.executable, "-m", "tted_core", *words, "--json"]
        ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    content: dict[str, Any] = json.loads(ran.stdout)
    return content if "rows" in content else {"rows": [content]}  # of one measure it prints the row alone


CHECKS: dict[tuple[str, str], Callable[[str], Rows]] = {
    ("annotation.md", "check | finds"): of_use,
    ("annotation.md", "below | different nodes"): near_duplicates,
    ("evaluating-generators.md", " | normalized, `--preset proofreading`"): kinds_as_systems,
    ("method.md", "alpha by | $k=0$"): alphas,
    ("quality-tables.md", "context | distance"): coefficients,
    ("quality-tables.md", "measure | score"): normalisations,
}
"""What recomputes a table, where that takes under a minute."""


def main(arguments: list[str]) -> int:
    """List and recompute; the exit status is 1 if a table is stale."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.docs", description=__doc__)
    parser.add_argument("name", nargs="?", default="", help="a part of the documents' names")
    parser.add_argument("--list", action="store_true", help="compute nothing")
    options = parser.parse_args(arguments)
    every = [table for file in sorted((ROOT / "docs").glob("*.md")) for table in tables(file)]
    differs = False
    print("| table | command | commit | made in | now |\n| --- | --- | --- | --- | --- |")
    for table in every:
        if table.defines or options.name not in table.file:
            continue
        command, commit, seconds = table.made or ("", "", "")
        now = "" if options.list else _now(table, command)
        differs |= now.startswith("STALE")
        place = f"{table.file}:{table.line} {' / '.join(table.head[:3])}"
        print(f"| {place} | `{command}` | {commit} | {seconds} | {now} |", flush=True)
    return int(differs)


def _now(table: Table, command: str) -> str:
    if table.made is None:
        return "STALE: no command stands below it"
    compute = CHECKS.get(table.name)
    if compute is None:
        return "not recomputed"
    if "PUBLISHED" in command and not os.environ.get("TTED_PUBLISHED_DATA"):
        return "skipped: TTED_PUBLISHED_DATA names no folder"
    start = time.monotonic()
    differences = stale(table, compute(command))
    told = f"{time.monotonic() - start:.0f} s"
    return f"STALE ({told}): {'; '.join(differences)}" if differences else f"came out ({told})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
