"""What tests of reviews share: vectors of texts that no server need compute, and files of the first version."""

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from helpers.encoders import hashed

from tted_core import load_encoder
from tted_core.encoders.embedding_cache import default_cache, remembering


def know_without_model(texts: Sequence[str]) -> None:
    """Put vectors of MiniLM's length into the cache, so that no server need load it for these texts."""
    model = load_encoder("minilm")
    model = dataclasses.replace(
        model,
        encode=lambda texts: np.tile(hashed(texts), 12),
        count_tokens=lambda texts: [len(text.split()) for text in texts],
    )
    remembering(model, default_cache())(texts)


def version_1(text: str) -> dict[str, Any]:
    """An export as the first version wrote it: one object, whose assignments name tasks by their places."""
    whole: dict[str, Any] = {"format": "tted-reviews", "version": 1, "maps": {}, "tasks": [], "studies": []}
    for line in text.splitlines()[1:-1]:
        ((kind, value),) = json.loads(line).items()
        if kind == "map":
            whole["maps"][value.pop("digest")] = value
        elif kind == "study":
            whole["studies"].append({**value, "assignments": []})
        else:
            whole["tasks"].append(value)
            for each in value.pop("assignments", ()):
                (study,) = (one for one in whole["studies"] if one["name"] == value["study"])
                study["assignments"].append({**each, "task": len(whole["tasks"])})
    return whole
