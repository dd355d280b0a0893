"""What the page of the step player has of each order: trees to play with, and the recurrence in letters."""

REEFS = """\
Coral reefs shelter many species
  Polyps build the reef
    Algae feed the polyps
  Warm water is a danger
  Reefs protect the coast"""
OTHER_REEFS = """\
Coral reefs are full of life
  Warming seas threaten reefs
    Corals turn white
  Tiny animals build the reef
  Reserves can help"""

SENTENCES = {"Sentences on reefs": (REEFS, OTHER_REEFS)}
TWELVE = {
    "Twelve nodes": (
        "a\n  b\n    c\n    d\n    e\n  f\n    g\n    h\n  i\n    j\n    k\n    l",
        "a\n  f\n    h\n    g\n  b\n    e\n    c\n  i\n    l\n    m\n    k\n  n",
    )
}

ORDERED = {
    "Five nodes: b goes, f comes": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  f\n    e"),
    "A parent is taken out": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  e"),
    "Zhang and Shasha's own (1989)": (
        "f\n  d\n    a\n    c\n      b\n  e",
        "f\n  c\n    d\n      a\n      b\n  e",
    ),
    "Two siblings swapped": ("a\n  b\n  c", "a\n  c\n  b"),
}
CONSTRAINED = {
    "Children in another order": ("a\n  b\n    c\n    d\n  e\n  f", "a\n  e\n  b\n    d\n    c\n  g"),
    "A parent is taken out": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  e"),
    "Two branches merged": ("a\n  b\n    c\n    d\n  e\n    f\n    g", "a\n  c\n  d\n  g\n  f"),
}
UNORDERED = {
    "Two branches merged": ("a\n  b\n    c\n    d\n  e\n    f\n    g", "a\n  c\n  d\n  g\n  f"),
    "A linear program closes it": ("a\n  b\n  c\n  c\n  d\n  d", "e\n  d\n    d\n    a\n      a\n  c"),
    "Constraints are added": ("b\n  e\n    d\n    e\n    d\n  a", "c\n  a\n    e\n  d\n  b"),
    "An integer program decides": ("d\n  b\n    b\n  c\n  c", "d\n  d\n    c\n    c\n  d\n  c"),
}
EXAMPLES: dict[str, dict[str, tuple[str, str]]] = {
    "ordered": ORDERED | TWELVE | SENTENCES,
    "constrained": CONSTRAINED | TWELVE | SENTENCES,
    "unordered": UNORDERED | TWELVE | SENTENCES,
}
"""By order: each example's name, with the two outlines."""

EXPLAINED: dict[str, tuple[str, str]] = {
    "ordered": (
        r"""
f(i, j) = \min \begin{cases}
f(i-1,\, j) + \mathrm{delete}(i) \\
f(i,\, j-1) + \mathrm{insert}(j) \\
f(i-1,\, j-1) + \mathrm{replace}(i, j) & \text{if } l(i) = l(x) \text{ and } l(j) = l(y);
\text{ then } D(i, j) = f(i, j) \\
f(l(i)-1,\, l(j)-1) + D(i, j) & \text{otherwise}
\end{cases}
""",
        (
            "For keyroots $x$ and $y$, $f(i, j)$ is the distance between the left nodes $l(x), \\dots, i$ "
            "and the right nodes $l(y), \\dots, j$; $D(i, j)$ is that between the subtrees of $i$ and $j$. "
            "Nodes are numbered in postorder, and $l(i)$ is the leftmost leaf below $i$ (Zhang and Shasha "
            "1989)."
        ),
    ),
    "constrained": (
        r"""
\begin{aligned}
T(i, j) &= \min \begin{cases}
F(i, j) + \mathrm{replace}(i, j) \\
T(i, \varnothing) + \min_k \left( T(k, j) - T(k, \varnothing) \right) \\
T(\varnothing, j) + \min_l \left( T(i, l) - T(\varnothing, l) \right)
\end{cases} \\
F(i, j) &= \min \begin{cases}
\min_M \left( \sum_{(k, l) \in M} T(k, l) + \sum_{k \notin M} T(k, \varnothing) +
\sum_{l \notin M} T(\varnothing, l) \right) \\
F(i, \varnothing) + \min_k \left( F(k, j) - F(k, \varnothing) \right) \\
F(\varnothing, j) + \min_l \left( F(i, l) - F(\varnothing, l) \right)
\end{cases}
\end{aligned}
""",
        (
            "$T(i, j)$ is the distance between the subtrees of $i$ and $j$, $F(i, j)$ that between what lies "
            "below them; $k$ runs over the children of $i$, $l$ over those of $j$, $M$ over the matchings of "
            "the former with the latter, and $\\varnothing$ is nothing. Nodes are numbered in postorder. A "
            "pair that costs more than deleting and inserting its nodes is given just that (Zhang 1996)."
        ),
    ),
    "unordered": (
        r"""
\begin{aligned}
d &= \sum_i \mathrm{delete}(i) + \sum_j \mathrm{insert}(j) - \max_{i, j} W(i, j) \\
W(i, j) &= F(i, j) + \max \left( 0,\; \mathrm{delete}(i) + \mathrm{insert}(j) - \mathrm{replace}(i, j) \right) \\
F(i, j) &= \max_M \sum_{(k, l) \in M} W(k, l) \;\le\; \sum_{\text{leaves}} p +
\max_A \sum_{k \in A} \max_l \left( W(k, l) - p(l) \right) \quad \text{for any prices } p \ge 0
\end{aligned}
""",
        (
            "$W(i, j)$ is the most that can be saved if nothing above $i$ and $j$ is kept; $M$ runs over the "
            "matchings of nodes below $i$ with nodes below $j$, $A$ over sets of nodes below $i$, no two of "
            "one side on one path (Hong, Kobayashi and Yamamoto 2017). $p(l)$ is the sum of the prices of "
            "the leaves below $l$, as small a bound as the solver could find. What stays open is closed by "
            "linear programs with added constraints, then by integer programs. These are the bounds of the "
            "solver that the other pages use."
        ),
    ),
}
"""By order: the recurrence (LaTeX), and what it means (Markdown)."""
