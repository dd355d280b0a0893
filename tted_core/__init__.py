"""TTED: text tree edit distance between mind maps (Sobolevsky and Vorontsov, APEIE 2025).

Five calls:

>>> from tted_core import TTED, TextTree, parse_map, read_map, read_maps, write_map
>>> left = read_map("left.mm")  # or parse_map(text), or TextTree(labels, parents)  # doctest: +SKIP
>>> tted = TTED(encoder="minilm", preset="published")  # options: help(Method)
>>> result = tted.compare(left, read_map("right.md"), baselines="all")  # a Comparison  # doctest: +SKIP
>>> rows = tted.compare_many(pairs)  # a row for each pair; rows.to_pandas()  # doctest: +SKIP
>>> matrix = tted.pairwise(read_maps("folder"))  # (n, n) distances  # doctest: +SKIP

A result has ``tted``, ``normalized``, ``proven``, ``script.ops``, ``statuses``, ``baselines``, ``tted_at``,
``notices`` and ``signature``; ``to_dict()``, ``to_frame()`` and ``save("report.html")``.
``write_map(left, "left.opml")`` writes a map. Errors are ``TTEDError``, each with one sentence.

Examples in docstrings are about these maps, unless they say otherwise:

>>> tree, other = TextTree(("Trees", "Oak", "Birch"), (-1, 0, 0)), TextTree(("Trees", "Oaks"), (-1, 0))
>>> tted = TTED(distance="levenshtein")
>>> result = tted.compare(tree, other)

Types: ``TextTree`` (labels and parents in preorder), ``MindMap`` (a tree and notices of its reader),
``Method`` (checked options), ``Comparison``. An encoder is a name, a folder, a model with ``encode``, or a
function from n texts to (n, d) vectors.

Registries are dicts by name, to which a program may add entries:

    encoders.ENCODERS    distances.DISTANCES    contexts.CONTEXTS    solvers.SOLVERS    baselines.MEASURES
    formats.FORMATS      formats.WRITERS        arithmetic.NORMALISATIONS               method.PRESETS

To cite: the paper above, and the signature of each number (``result.signature``), with which it can be reproduced.
"""

import sys

try:
    from tted_core.comparison import Comparison
    from tted_core.encoders.sentence_encoder import load_encoder
    from tted_core.errors import TTEDError
    from tted_core.formats import MindMap, map_text, parse_map, read_map, read_maps, write_map
    from tted_core.method import PRESETS, Method
    from tted_core.tree import TextTree
    from tted_core.tted import TTED, compare
    from tted_core.version import VERSION
except KeyboardInterrupt:
    if sys.argv[0] == "-m" or sys.argv[0].endswith(("tted", "tted.exe")):
        raise SystemExit(130) from None  # Ctrl-C before the command began: no traceback
    raise

__version__ = VERSION

__all__ = [
    "PRESETS",
    "TTED",
    "VERSION",
    "Comparison",
    "Method",
    "MindMap",
    "TTEDError",
    "TextTree",
    "compare",
    "load_encoder",
    "map_text",
    "parse_map",
    "read_map",
    "read_maps",
    "write_map",
]
