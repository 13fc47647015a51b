"""
ROC AUC by counting pairs, and per species
==========================================

Take a male and a female penguin: who is heavier? The area under the ROC curve of body mass is the
share of such pairs in which the male is, ties counted half. Over all penguins it is 0.75, and
within each species it is more: the species differ in weight, and nine times in ten a female Gentoo
outweighs a male of the others.
"""

import numpy as np
from sklearn.metrics import RocCurveDisplay, roc_auc_score
from sklearn.model_selection import train_test_split

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.display import IntervalDisplay

penguins = load_penguins(as_frame=True).frame
train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins["species"])
train = train.dropna(subset=["bill_length_mm", "sex"])
sex, mass = train["sex"].astype(str), train["body_mass_g"]

# %%
# By hand: all pairs of a male and a female.
male, female = mass[sex == "male"].to_numpy(), mass[sex == "female"].to_numpy()
greater = (male[:, None] > female).mean()
tie = (male[:, None] == female).mean()
print(f"{male.size * female.size} pairs: heavier {greater:.4f}, as heavy {tie:.4f}")
assert (male.size * female.size, round(greater, 4), round(tie, 4)) == (17420, 0.7498, 0.0086)

auc = ScoreCounts.from_predictions(sex, mass, pos_label="male").roc_auc()
print(auc)
assert round(auc.value, 4) == 0.7541
assert np.isclose(auc.value, greater + tie / 2)
assert np.isclose(auc.value, roc_auc_score(sex, mass))

# %%
# As a curve, which is scikit-learn's to draw. From the heaviest penguin down, a male is a step up
# and a female one to the right; the area below is the share of the pairs.
RocCurveDisplay.from_predictions(
    sex, mass, pos_label="male", name="body mass", plot_chance_level=True
)

# %%
# Per species.
by_species = ScoreCounts.from_predictions(
    sex, mass, pos_label="male", by=train["species"].astype(str)
).roc_auc()
print(by_species)
assert [round(e.value, 2) for e in by_species] == [0.94, 0.83, 0.99]
of_gentoo = train["species"] == "Gentoo"
heavy, others = mass[of_gentoo & (sex == "female")], mass[~of_gentoo & (sex == "male")]
assert round((heavy.to_numpy()[:, None] > others.to_numpy()).mean(), 1) == 0.9
IntervalDisplay.from_estimates([auc, *by_species], names=["all", "Adelie", "Chinstrap", "Gentoo"])

# %%
# A classifier that only answers 0 or 1 has an area too. It flags 70 % of the positives and 20 %
# of the negatives: in 56 of a hundred pairs the positive has the greater score, 38 are ties.
y = np.repeat([0, 1], 100)
flags = np.r_[np.repeat([0, 1], [80, 20]), np.repeat([0, 1], [30, 70])]
flagged, alarms = flags[y == 1], flags[y == 0]
assert np.isclose((flagged[:, None] > alarms).mean(), 0.56)
assert np.isclose((flagged[:, None] == alarms).mean(), 0.38)
assert np.isclose(float(ScoreCounts.from_predictions(y, flags).roc_auc()), 0.75)
