"""Exercises on costs and scores."""

from random import Random

import numpy as np

from tted_core.arithmetic import published, sizes_of
from tted_core.distances.vectors import cosine as cosine_distance
from tted_core.learn.exercises.exercise import Exercise


def cosine_cost(rng: Random) -> Exercise:
    """From a cosine to the cost of replacing."""
    cosine = rng.choice([0.19, 0.36, 0.51, 0.64, 0.75, 0.84, 0.91, 0.96])
    angle = np.arccos(cosine)
    vectors = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    cost = float(cosine_distance(vectors[:1], vectors[1:])[0, 0])
    return Exercise(
        f"The cosine of two sentences' vectors is **{cosine}**. What does replacing one by the other **cost** "
        "(distance *cosine*, two decimals)?",
        round(cost, 10),
        f"√(1 − cos) = √(1 − {cosine}) = √{1 - cosine:.2f} = {cost:.2f}.",
    )


def normalized_score(rng: Random) -> Exercise:
    """From a distance to the published normalisation."""
    n, m = rng.randint(3, 9), rng.randint(3, 9)
    distance = rng.randint(1, n + m)
    score = float(published(float(distance), sizes_of(np.ones((n + 1, m + 1)), power=1.0)))
    shown = f"= {score:g}" if round(score, 3) == score else f"≈ {score:.2f}"
    return Exercise(
        f"Two maps have **{n}** and **{m}** nodes, every deletion and insertion costs 1, and their distance is "
        f"**{distance}**. What is the **normalized** distance (two decimals)?",
        score,
        f"2d / (w (n + m) + d) = 2·{distance} / (1·({n} + {m}) + {distance}) = "
        f"{2 * distance}/{n + m + distance} {shown}.",
    )
