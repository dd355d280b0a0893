"""How the two shares of the context "map" were chosen: R_S and R_M of a grid of shares on sample_trees.

python -m benchmarks.map_shares
"""

import itertools
from functools import partial
from pathlib import Path

from tted_core.blends import whole_map
from tted_core.contexts import CONTEXTS, Context
from tted_core.encoders.embedding_cache import default_cache, remembering
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.lab.quality import Grid, read_samples, run_grid

SHARES = (0.0, 0.2, 0.35, 0.5, 0.65)


def main() -> None:
    samples = read_samples(Path(__file__).parent.parent / "sample_trees")
    encoder = remembering(load_encoder("minilm"), default_cache())
    names = {}
    for path_share, map_share in itertools.product(SHARES, SHARES):
        name = f"map-{path_share}-{map_share}"
        blend = partial(whole_map, path_share=path_share, map_share=map_share)
        CONTEXTS[name] = Context(CONTEXTS["none"].texts, "", blend, looks_below=True)
        names[name] = (path_share, map_share)
    grid = Grid({"minilm": lambda: encoder}, ["constrained"], list(names), ["euclidean"])
    print("path share  map share   R_S     R_M     sum")
    found = []
    for row in run_grid(samples, grid).rows:
        r_s, r_m = row.quality.r_s.mean, row.quality.r_m.mean
        found.append((r_s + r_m, names[row.options["context"]], r_s, r_m))
    for total, (path_share, map_share), r_s, r_m in sorted(found):
        print(f"{path_share:10.2f}{map_share:11.2f}{r_s:8.3f}{r_m:8.3f}{total:8.3f}")


if __name__ == "__main__":
    main()
