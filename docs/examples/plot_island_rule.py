"""
The island rule and its nine cells
==================================

Penguins of three species, told apart by the island alone: Biscoe means Gentoo, Dream means
Chinstrap, Torgersen means Adelie. Seven of ten are right, and the table says which ones are not.
"""

from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import train_test_split

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.display import ConfusionCountsDisplay

penguins = load_penguins(as_frame=True).frame
train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins["species"])
train = train.dropna(subset=["bill_length_mm"])
rule = {"Biscoe": "Gentoo", "Dream": "Chinstrap", "Torgersen": "Adelie"}
answer = train["island"].map(rule)

counts = ConfusionCounts.from_predictions(train["species"], answer)
ConfusionCountsDisplay.from_counts(counts)
assert counts.n.tolist() == [[42, 44, 35], [0, 54, 0], [0, 0, 98]]

# %%
# Each number with its counts.
print(counts.report())
assert (counts.n.trace(), counts.n.sum()) == (194, 273)
for name, published in [
    ("accuracy", 0.711),
    ("balanced_accuracy", 0.78),
    ("matthews_corrcoef", 0.64),
]:
    value = counts.estimate(name).value
    assert round(value, len(str(published)) - 2) == published
assert round(counts.estimate("f1", average="macro").value, 2) == 0.69

# %%
# scikit-learn's functions say the same.
assert (
    abs(
        counts.estimate("balanced_accuracy").value
        - balanced_accuracy_score(train["species"], answer)
    )
    < 1e-12
)
assert (
    abs(
        counts.estimate("f1", average="macro").value
        - f1_score(train["species"], answer, average="macro")
    )
    < 1e-12
)

# %%
# Always the most frequent species, for comparison.
always = ConfusionCounts.from_predictions(train["species"], ["Adelie"] * len(train))
for name, published in [
    ("accuracy", 0.443),
    ("balanced_accuracy", 0.33),
    ("matthews_corrcoef", 0.0),
]:
    estimate = always.estimate(name)
    print(estimate)
    assert round(estimate.value, len(str(published)) - 2) == published
assert round(always.estimate("f1", average="macro", zero_division=0.0).value, 1) == 0.2
