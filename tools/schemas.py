"""The JSON Schemas of what commands print with ``--json``, in docs/schemas/VERSION/COMMAND.json.

    python tools/schemas.py

Records that commands print as they are (``asdict``) are described by their own dataclasses, names by the
registries; the rest is described here. tests/cli/test_schemas.py holds real outputs against the files, and the
files against this module. A field that is added leaves the version; one that goes, or has another type, raises it.
"""

import json
import sys
from pathlib import Path
from typing import Any, NotRequired

from pydantic import TypeAdapter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import schemas_compare  # noqa: E402
import schemas_judge  # noqa: E402

from tted_core.annotate.reviews.people import Person  # noqa: E402

VERSION = 1
FOLDER = ROOT / "docs" / "schemas" / str(VERSION)


OUTPUTS: dict[str, Any] = {
    "read": schemas_compare.Map,
    "compare": schemas_compare.Compared,
    "replay": schemas_compare.Compared,
    "batch": schemas_compare.Batch,
    "matrix": schemas_compare.Matrix,
    "nearest": schemas_compare.Nearest,
    "systems": schemas_compare.Systems | schemas_compare.ReliabilityOfMeasures,
    "corpus": schemas_judge.Corpus,
    "agree": schemas_judge.Agree,
    "check": schemas_judge.Findings | schemas_judge.FindingsOfMaps,
    "agreement": schemas_judge.MapAgreement,
    "reviews": schemas_judge.Tasks
    | schemas_judge.Backup
    | schemas_judge.Restored
    | schemas_judge.DeletedTasks
    | schemas_judge.DeletedEmpty,
    "people": schemas_judge.Team | schemas_compare.record(Person, link=NotRequired[str]),
    "quality": schemas_judge.Quality | schemas_judge.QualityOfMany,
    "detect": schemas_judge.Detected,
    "perturb": schemas_compare.Map | schemas_judge.Study,
    "text": schemas_judge.Text,
    "paraphrases": schemas_judge.Paraphrases,
    "ndd": schemas_judge.Ndd,
    "ndd-table": schemas_judge.NddTable,
    "compress": schemas_judge.Compressed,
}
"""Command -> what it prints with ``--json``."""


def schema(command: str) -> dict[str, Any]:
    """The JSON Schema of a command's output."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:tted:schema:{VERSION}:{command}",
        "title": f"tted {command} --json",
        **TypeAdapter(OUTPUTS[command]).json_schema(mode="serialization"),
    }


def text(command: str) -> str:
    """The schema as its file has it."""
    return json.dumps(schema(command), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in OUTPUTS:
        (FOLDER / f"{each}.json").write_text(text(each), encoding="utf-8")
