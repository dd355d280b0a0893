"""Build hook: the README as a package index shows it, and the project's addresses.

TTED_REPOSITORY is the address of the repository that a release is made from (docs/releasing.md); the README's
links lead into it then, to the files as they were in that version. Without it they stay relative.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAPER = "https://doi.org/10.1109/APEIE66761.2025.11289395"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")


class Readme(MetadataHookInterface):
    """Sets ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling, which has found the version by then."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["urls"] = {"Paper": PAPER}
        repository = os.environ.get("TTED_REPOSITORY", "").rstrip("/")
        if repository:
            version = f"v{metadata['version']}"

            def absolute(link: re.Match[str]) -> str:
                picture, words, file = link.groups()
                return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/{version}/{file})"

            text = LINK.sub(absolute, text)
            metadata["urls"] |= {
                "Homepage": repository,
                "Documentation": f"{repository}/blob/{version}/docs/method.md",
                "Changelog": f"{repository}/blob/{version}/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
