"""tted read FILE: show how a file is read, or convert it to another format."""

from tted_core.cli.shared import (
    JSON,
    READING,
    Options,
    argument,
    command,
    dump,
    exclusive,
    file_name,
    read_chosen_map,
    tell,
)
from tted_core.formats import FORMATS, WRITERS, map_text


@command(
    argument("file", type=file_name, help="a mind map, or - for standard input"),
    *READING,
    exclusive(
        argument("--to", choices=WRITERS, metavar="FORMAT", help=f"print the map as {', '.join(WRITERS)}"),
        argument("--outline", action="store_true", help="print only the indented texts, for git diff"),
        JSON,
    ),
)
def read_command(options: Options) -> str:
    """Read the file and return what to print."""
    mind_map = read_chosen_map(options.file, options)
    tell(mind_map.notices)
    if options.json:
        return dump(mind_map.to_dict())
    tree = mind_map.tree
    if options.to:
        text, losses = map_text(tree, options.to)
        tell(losses)
        return text.removesuffix("\n")
    lines = [f"{'  ' * (depth - 1)}{label}" for label, depth in zip(tree.labels, tree.depths, strict=True)]
    if not options.outline:
        lines.insert(0, f"read as {FORMATS[mind_map.format].title}: {len(tree)} nodes, depth {tree.depth}")
    return "\n".join(lines)
