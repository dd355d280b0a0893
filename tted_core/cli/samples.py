"""tted samples: the sample maps that the installation carries."""

import argparse
from pathlib import Path

from tted_core.cli.app import first_page
from tted_core.cli.shared import fail


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "topic",
        nargs="?",
        help="print a topic's maps, say coral-reefs, with the map itself first (default: print all topics)",
    )


def run(options: argparse.Namespace) -> str:
    """The folders of the topics, or the JSON files of one."""
    folder = first_page().parent / "sample_trees"
    topics = {path.parent.name: path.parent for path in sorted(folder.glob("*/base.json"))}
    if options.topic is None:
        return "\n".join(map(str, topics.values()))
    if options.topic not in topics:
        fail(f"there is no sample topic {options.topic!r}; choose from {', '.join(topics)}")
    return "\n".join(map(str, _maps(topics[options.topic])))


def _maps(topic: Path) -> list[Path]:
    return sorted(topic.glob("*.json"), key=lambda path: (path.name != "base.json", path.name))
