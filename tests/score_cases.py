"""Scored rows for the tests of ScoreCounts: few and many ties, words and numbers, weights."""

import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from skmetrics_ext.datasets import load_penguins

DATA = Path(__file__).parent / "data"
PUBLISHED = json.loads((DATA / "scores.json").read_text())
PENGUINS = PUBLISHED["sex_by_five_neighbours"]
INTERVALS = json.loads((DATA / "intervals.json").read_text())

TIED = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 1.0])
ANY = st.floats(0, 1)


@st.composite
def scored_rows(draw, *, scores=None, both_classes=True, max_rows=40):
    """``y`` (0 and 1), scores in [0, 1], weights that are not negative."""
    scores = draw(st.sampled_from([TIED, ANY])) if scores is None else scores
    weights = st.sampled_from([0.25, 0.5, 1.0, 1.5, 3.0])
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 1), scores, weights),
            min_size=4,
            max_size=max_rows,
        )
    )
    y, score, weight = map(np.array, zip(*rows, strict=True))
    if both_classes:
        y[:2] = [0, 1]
    return y, score.astype(float), weight.astype(float)


def penguins_of_known_sex():
    """The 264 training rows that the published numbers are of: species, sex, measurements."""
    from sklearn.model_selection import train_test_split

    bunch = load_penguins(as_frame=True)
    train, _ = train_test_split(
        bunch.frame, test_size=0.2, random_state=42, stratify=bunch.frame.species
    )
    train = train.dropna(subset=["bill_length_mm"])
    return train.dropna(subset=["sex"])
