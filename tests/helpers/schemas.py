"""What commands print with ``--json``, held against the schemas in docs/schemas."""

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from helpers.paths import ROOT
from jsonschema import Draft202012Validator

FOLDER = ROOT / "docs" / "schemas" / "1"


def strict(schema: Any) -> Any:
    """The schema, which allows no further fields: the files allow them, for those of later versions."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if "properties" in schema else {}
    return closed | {name: strict(each) for name, each in schema.items()}


@cache
def validator(command: str) -> Draft202012Validator:
    """What validates the output of this command."""
    schema = json.loads((FOLDER / f"{command}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(strict(schema))


def check_output(arguments: Iterable[str], output: str) -> None:
    """Hold what a command printed against its schema, if it was asked for JSON and printed it."""
    command, *options = arguments or ("",)
    if "--json" in options and output.startswith("{"):
        validator(command).validate(json.loads(output))
        if seen := os.environ.get("TTED_SCHEMAS_SEEN"):
            with Path(seen).open("a", encoding="utf-8") as file:
                file.write(f"{command}\n")
