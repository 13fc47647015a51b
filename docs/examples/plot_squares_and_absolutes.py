"""
Squares against absolutes
=========================

One error of 100, or two of 50? Absolute errors call it even, squares count the single large one
double. For numbers scikit-learn's functions are the ones to take; the choice between them is the
same as for classes: which mistake is dear?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score

truth = np.zeros(2)
one_of_100, two_of_50 = np.array([100.0, 0.0]), np.array([50.0, 50.0])
squares = [2 * mean_squared_error(truth, e) for e in (one_of_100, two_of_50)]
absolutes = [2 * mean_absolute_error(truth, e) for e in (one_of_100, two_of_50)]
print(squares, absolutes)
assert squares == [10000, 5000]
assert absolutes == [100, 100]

# %%
# R2 compares squares with those of the mean: 40,000 by the mean, 10,000 by the model is 0.75.
values = np.array([-200.0, 200.0])
assert mean_squared_error(values, np.zeros(2)) == 40000
assert mean_squared_error(values, values + [100, -100]) == 10000
assert r2_score(values, values + [100, -100]) == 0.75

# %%
fig, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
errors = np.linspace(-100, 100, 201)
ax.plot(errors, errors**2 / 100, label="square / 100")
ax.plot(errors, np.abs(errors), "--", label="absolute")
ax.set(xlabel="error", ylabel="what it counts")
ax.legend()

# %%
# Ordered classes ask the same: quadratic kappa counts squares, the mean absolute error in classes
# does not.
