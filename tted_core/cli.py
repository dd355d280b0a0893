"""The command line: ``python -m tted_core read|compare``, also installed as ``tted``.

With ``--json`` standard output holds one JSON object and nothing else; progress and notices go to standard
error. Bad input is one line "error: ..." and exit status 2.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from tted_core.baselines import BASELINES, BaselineScore
from tted_core.compare import compare
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.embedding_cache import default_cache, remembering
from tted_core.encoders import ENCODERS, SentenceEncoder, load_encoder
from tted_core.errors import TTEDError
from tted_core.formats import FORMATS, ROOTS, WRITERS, MindMap, parse_map, read_map, write_map
from tted_core.limits import MAX_BYTES
from tted_core.registry import lookup
from tted_core.report import comparison_json, map_json
from tted_core.script import GLYPHS
from tted_core.solvers import SOLVERS
from tted_core.version import VERSION


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0, or 2 for bad input."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    options = _parser().parse_args(arguments)
    try:
        print(options.run(options))
        sys.stdout.flush()
    except TTEDError as error:
        _fail(str(error))
    except BrokenPipeError:  # the reader (head, say) has seen enough
        sys.stderr.close()
    except KeyboardInterrupt:
        return 130
    return 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _fail(f"{message}; see: {self.prog} --help")


def _fail(message: str) -> NoReturn:
    print("error:", " ".join(message.split()), file=sys.stderr)
    raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="tted", description="Compare mind maps by text tree edit distance (TTED).")
    parser.add_argument("--version", action="version", version=f"tted {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="read|compare")

    read = commands.add_parser("read", help="show what a file is read as")
    read.add_argument("file", help="a mind map, or - for standard input")
    read.add_argument(
        "--to", choices=WRITERS, metavar="FORMAT", help=f"print the map as {', '.join(WRITERS)}"
    )
    read.set_defaults(run=_read)

    comparison = commands.add_parser("compare", help="compare two mind maps")
    comparison.add_argument("left", help="the map that is edited, or - for standard input")
    comparison.add_argument("right", help="the map that comes out, or -")
    comparison.add_argument(
        "--encoder",
        default="minilm",
        metavar="NAME|ID|FOLDER",
        help=f"{', '.join(ENCODERS)}, a model id of the Hugging Face hub, or a folder (default: minilm)",
    )
    comparison.add_argument("--distance", default="cosine", choices=DISTANCES, help="default: cosine")
    comparison.add_argument("--order", default="constrained", choices=SOLVERS, help="default: constrained")
    comparison.add_argument("--context", default="none", choices=CONTEXTS, help="default: none")
    comparison.add_argument("--depth", type=int, metavar="K", help="compare the first K levels (TTED@k)")
    comparison.add_argument(
        "--baselines",
        default="all",
        metavar="NAME[,NAME...]|all|none",
        help=f"of {', '.join(BASELINES)} (default: all)",
    )
    comparison.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds for an order that may take long"
    )
    comparison.add_argument(
        "--no-cache", action="store_true", help="neither look up nor keep embeddings on disk (see TTED_CACHE)"
    )
    comparison.set_defaults(run=_compare)

    for command in (read, comparison):
        command.add_argument("--format", choices=FORMATS, help="default: recognised from the content")
        command.add_argument(
            "--roots",
            default="error",
            choices=ROOTS,
            help="what to do with several roots: refuse the map, join them under a new root, or keep the "
            "first (default: error)",
        )
        command.add_argument("--sheet", metavar="TITLE|N", help="which map of a file with several")
        command.add_argument(
            "--include-floating", action="store_true", help="keep topics outside the hierarchy"
        )
        command.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _read(options: argparse.Namespace) -> str:
    mind_map = _input(options.file, options)
    _tell(mind_map.notices)
    if options.json and options.to:
        _fail("--json and --to can't both have the output; give one of them")
    if options.json:
        return _dump(map_json(mind_map))
    tree = mind_map.tree
    if options.to:
        text, losses = write_map(tree, options.to)
        _tell(losses)
        return text.removesuffix("\n")
    lines = [f"read as {FORMATS[mind_map.format].title}: {len(tree)} nodes, depth {tree.depth}"]
    lines += [f"{'  ' * (depth - 1)}{label}" for label, depth in zip(tree.labels, tree.depths, strict=True)]
    return "\n".join(lines)


def _compare(options: argparse.Namespace) -> str:
    if options.left == options.right == "-":
        _fail("both maps can't come from standard input; name a file for one of them")
    if options.time_limit is not None and not 0 < options.time_limit < math.inf:
        _fail("--time-limit takes a finite number of seconds above 0")
    names = _baseline_names(options.baselines)
    left, right = _input(options.left, options), _input(options.right, options)
    result = compare(
        left,
        right,
        encoder=_encoder(options),
        distance=options.distance,
        order=options.order,
        context=options.context,
        depth=options.depth,
        baselines=names,
        time_limit=options.time_limit,
        progress=_progress if sys.stderr.isatty() else _silent,
    )
    for word, side in (("left", result.left), ("right", result.right)):
        _tell(f"{word} map: {notice}" for notice in side.notices)
    _tell(result.notices)
    return _dump(comparison_json(result)) if options.json else _text(result)


def _encoder(options: argparse.Namespace) -> SentenceEncoder:
    return remembering(load_encoder(options.encoder), None if options.no_cache else default_cache())


def _baseline_names(choice: str) -> list[str]:
    if choice in {"all", "none"}:
        return list(BASELINES) if choice == "all" else []
    names = [name.strip() for name in choice.split(",")]
    for name in names:
        lookup(BASELINES, name, "baseline")
    return names


def _input(file: str, options: argparse.Namespace) -> MindMap:
    how = {
        "format": options.format,
        "roots": options.roots,
        "sheet": options.sheet,
        "include_floating": options.include_floating,
    }
    if file == "-":
        return parse_map(sys.stdin.buffer.read(MAX_BYTES + 1), name="standard input", **how)
    return read_map(file, **how)


def _tell(notices: Iterable[str]) -> None:
    for notice in notices:
        print("notice:", notice, file=sys.stderr)


def _progress(stage: str, share: float) -> None:
    end = "\n" if share >= 1 else "\r"
    print(f"\x1b[2K{stage} ... {share:.0%}", end=end, file=sys.stderr, flush=True)


def _silent(_stage: str, _share: float) -> None:
    """Where nobody watches, progress is noise."""


def _dump(content: dict[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)


def _text(result: Comparison) -> str:
    left, right = result.left.tree.labels, result.right.tree.labels
    proof = "proven optimal" if result.proven else _gap(result.gap)
    lines = [
        f"TTED                  {result.tted:.4f}  ({result.options.order}, {proof})",
        f"normalized            {result.normalized:.4f}",
        f"Steinhaus-normalized  {result.steinhaus:.4f}",
        f"AvgTTED               {result.avg_tted:.4f}",
        f"TTED@k                {' '.join(f'{value:.4f}' for value in result.tted_at)}",
    ]
    for name, score in result.baselines.items():
        if isinstance(score, BaselineScore):
            rho = "undefined" if score.rho_base is None else f"{score.rho_base:.4f}"
            lines.append(f"{name:<21} {score.sim:.4f}  (rho_base {rho})")
        else:
            lines.append(f"{name:<21} not computed: {score}")
    lines.append("")
    for op in result.script.ops:
        labels = [
            labels[node] for labels, node in ((left, op.source), (right, op.target)) if node is not None
        ]
        text = labels[0] if op.op == "match" else " -> ".join(labels)
        note = f"  [{'; '.join(op.notes)}]" if op.notes else ""
        lines.append(f"{GLYPHS[op.op]} {op.cost:.4f}  {text}{note}")
    lines += ["", result.signature]
    return "\n".join(lines)


def _gap(gap: float) -> str:
    return "not proven" if math.isinf(gap) else f"within {gap:.1%} of the optimum, not proven"
