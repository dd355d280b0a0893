"""Three simple generators of mind maps, to be compared by ``tted systems``: ``make example`` does all of it.

Each takes an article and makes a map of its title and half of its sentences, in three ways:

- lead: the first sentences of each paragraph, the very first being the branch of the others;
- textrank: the sentences that are most like the others (PageRank over similarities of meaning, Mihalcea and Tarau
  2004), each below the branch that it is most like;
- random: any sentences, put anywhere.

Usage: python examples/generators/generate.py FOLDER
"""

import random
import re
import sys
from pathlib import Path

import networkx as nx
import numpy as np

from tted_core import TextTree, load_encoder

ARTICLES = Path(__file__).with_name("articles")
BRANCHES = 3


def read(file: Path) -> tuple[str, list[list[str]]]:
    """The title of an article, and the sentences of its paragraphs."""
    title, *paragraphs = file.read_text(encoding="utf-8").strip().split("\n\n")
    return title, [re.split(r"(?<=[.!?])\s+", paragraph) for paragraph in paragraphs]


def lead(title: str, paragraphs: list[list[str]]) -> TextTree:
    """The first half of each paragraph; its first sentence is the branch of the others."""
    labels, parents = [title], [-1]
    for sentences in paragraphs:
        branch = len(labels)
        kept = sentences[: (len(sentences) + 1) // 2]
        labels += kept
        parents += [0, *[branch] * (len(kept) - 1)]
    return TextTree(tuple(labels), tuple(parents))


def textrank(title: str, paragraphs: list[list[str]]) -> TextTree:
    """The half of the sentences that PageRank puts first; the first of them are the branches."""
    sentences = [sentence for each in paragraphs for sentence in each]
    vectors = np.asarray(load_encoder("minilm").encode(sentences), dtype=float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    similar = np.clip(vectors @ vectors.T, 0, None)
    np.fill_diagonal(similar, 0)
    ranks = nx.pagerank(nx.from_numpy_array(similar))
    best = sorted(ranks, key=lambda sentence: -ranks[sentence])[: len(sentences) // 2]
    branches, rest = sorted(best[:BRANCHES]), sorted(best[BRANCHES:])
    labels, parents = [title], [-1]
    for branch in branches:
        place = len(labels)
        below = [each for each in rest if branches[int(np.argmax(similar[each, branches]))] == branch]
        labels += [sentences[each] for each in (branch, *below)]
        parents += [0, *[place] * len(below)]
    return TextTree(tuple(labels), tuple(parents))


def anywhere(title: str, paragraphs: list[list[str]]) -> TextTree:
    """Half of the sentences, each below any node of the path to the one before; the same ones in each run."""
    chance = random.Random(title)  # noqa: S311 - nothing is to be kept secret
    sentences = [sentence for each in paragraphs for sentence in each]
    labels, parents, path = [title], [-1], [0]
    for sentence in chance.sample(sentences, len(sentences) // 2):
        del path[chance.randint(1, len(path)) :]
        parents.append(path[-1])
        path.append(len(labels))
        labels.append(sentence)
    return TextTree(tuple(labels), tuple(parents))


def outline(tree: TextTree) -> str:
    """The tree as a list in Markdown, which ``tted`` and people read."""
    depths = [0] * len(tree)
    for node, parent in enumerate(tree.parents[1:], start=1):
        depths[node] = depths[parent] + 1
    lines = (f"{'  ' * depth}- {label}\n" for depth, label in zip(depths, tree.labels, strict=True))
    return "".join(lines)


GENERATORS = {"lead": lead, "textrank": textrank, "random": anywhere}


def main(folder: Path) -> None:
    """Write every generator's map of every article into a folder of the generator's name."""
    for name, generator in GENERATORS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for article in sorted(ARTICLES.glob("*.txt")):
            tree = generator(*read(article))
            (folder / name / f"{article.stem}.md").write_text(outline(tree), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
