"""
F1's two faces
==============

Is it a Chinstrap? The island rule says yes on Dream. F1 does not look at true negatives, so that
it has one value when Chinstraps are looked for and another when all others are, for the same 273
answers.
"""

from sklearn.model_selection import train_test_split

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.display import IntervalDisplay

penguins = load_penguins(as_frame=True).frame
train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins["species"])
train = train.dropna(subset=["bill_length_mm"])
truth = (train["species"] == "Chinstrap").map({True: "Chinstrap", False: "other"})
answer = (train["island"] == "Dream").map({True: "Chinstrap", False: "other"})

counts = ConfusionCounts.from_predictions(truth, answer, labels=["other", "Chinstrap"])
print(counts)
assert counts.n.tolist() == [[175, 44], [0, 54]]

# %%
# Which class is positive changes F1, and changes neither accuracy nor MCC.
chinstrap = counts.estimate("f1", pos_label="Chinstrap")
other = counts.estimate("f1", pos_label="other")
print(chinstrap, other, counts.estimate("accuracy"), counts.estimate("matthews_corrcoef"), sep="\n")
assert round(chinstrap.value, 2) == 0.71
assert round(other.value, 2) == 0.89
assert round(counts.estimate("accuracy").value, 3) == 0.839

# %%
# Precision, recall and the weighing between them.
shown = [
    counts.estimate("precision", pos_label="Chinstrap"),
    counts.estimate("recall", pos_label="Chinstrap"),
    chinstrap,
    counts.estimate("fbeta", beta=2, pos_label="Chinstrap"),
    counts.estimate("fbeta", beta=0.5, pos_label="Chinstrap"),
]
for estimate, published in zip(shown, [0.551, 1.0, 0.71, 0.86, 0.61], strict=True):
    assert round(estimate.value, 3 if published == 0.551 else 2) == published
IntervalDisplay.from_estimates(
    shown, names=["precision", "recall", "F1", "F2: misses are dear", "F0.5: alarms are dear"]
)

# %%
# And saying "no" always: right in four of five, precisely because Chinstraps are one in five.
never = ConfusionCounts.from_predictions(
    truth, ["other"] * len(truth), labels=["other", "Chinstrap"]
)
assert round(never.estimate("accuracy").value, 3) == 0.802
print(never.estimate("accuracy"))

# %%
# The two faces at their furthest: male or female, and the answer is always "male".
sexed = train.dropna(subset=["sex"])
sex = sexed["sex"].astype(str)
male = ConfusionCounts.from_predictions(sex, ["male"] * len(sex), labels=["female", "male"])
found = [male.estimate(name, pos_label="male") for name in ("precision", "recall", "f1")]
found.append(male.estimate("f1", pos_label="female"))
print(*found, sep="\n")
assert [round(e.value, 2) for e in found] == [0.51, 1.0, 0.67, 0.0]
