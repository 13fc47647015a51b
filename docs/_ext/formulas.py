"""What the page of formulas says of each metric beyond what the registry knows."""

__all__ = ["FORMULAS", "FUNCTIONS", "OF_SCORES", "RANGES", "SOURCES", "UNDEFINED"]

FORMULAS = {
    "accuracy": r"\frac{1}{N} \sum_k n_{kk}",
    "balanced_accuracy": r"\frac{1}{K_+} \sum_{k : r_k > 0} \frac{n_{kk}}{r_k}",
    "classwise_mean_absolute_error": r"\frac{1}{r_t} \sum_p n_{tp} \, |t - p|"
    r" \quad \text{for each class } t",
    "cost_savings": r"\frac{\min_i \sum_t r_t c_{it} - \sum_{t,p} n_{tp} c_{pt}}"
    r"{\min_i \sum_t r_t c_{it} - \sum_t r_t \min_i c_{it}}",
    "expected_cost": r"\frac{1}{N} \sum_{t,p} n_{tp} \, c_{pt}",
    "f1": r"\frac{2 \, TP}{2 \, TP + FP + FN}",
    "fbeta": r"\frac{(1 + \beta^2) \, TP}{(1 + \beta^2) \, TP + FP + \beta^2 \, FN}",
    "geometric_mean": r"\left( \prod_k \frac{n_{kk}}{r_k} \right)^{1 / K}",
    "jaccard": r"\frac{TP}{TP + FP + FN}",
    "matthews_corrcoef": r"\frac{N \sum_k n_{kk} - \sum_k r_k s_k}"
    r"{\sqrt{N^2 - \sum_k r_k^2} \, \sqrt{N^2 - \sum_k s_k^2}}",
    "negative_likelihood_ratio": r"\frac{FN / (TP + FN)}{TN / (TN + FP)}",
    "negative_predictive_value": r"\frac{TN}{TN + FN}",
    "one_off_accuracy": r"\frac{1}{N} \sum_{|t - p| \le \mathrm{tolerance}} n_{tp}",
    "positive_likelihood_ratio": r"\frac{TP / (TP + FN)}{FP / (TN + FP)}",
    "precision": r"\frac{TP}{TP + FP}",
    "predicted_positive_rate": r"\frac{TP + FP}{N}",
    "recall": r"\frac{TP}{TP + FN}",
    "specificity": r"\frac{TN}{TN + FP}",
    "weighted_kappa": r"1 - \frac{N \sum_{t,p} w_{tp} \, n_{tp}}{\sum_{t,p} w_{tp} \, r_t s_p}",
    "youden": r"\frac{TP}{TP + FN} + \frac{TN}{TN + FP} - 1",
}

# In words where the range depends on the parameters.
RANGES = {
    "classwise_mean_absolute_error": "0 to K - 1, in classes",
    "expected_cost": "the least to the greatest cost in the matrix; 0 to 1 without one",
    "weighted_kappa": "-1 to 1; minus infinity to 1 with a weight matrix of one's own",
}

# When the formula is 0 / 0, or not what anybody asks for; else it takes a table without rows.
UNDEFINED = {
    "balanced_accuracy": "never: a class without rows is left out of the mean",
    "classwise_mean_absolute_error": "for a class without rows, which the averages leave out",
    "cost_savings": "where one answer is the cheapest for every class that has rows",
    "f1": "without true positives, false positives and false negatives",
    "fbeta": "as f1 (beta = 0: as precision)",
    "geometric_mean": "where a class has no rows",
    "jaccard": "without true positives, false positives and false negatives",
    "matthews_corrcoef": "where truth or answers are of one class only",
    "negative_likelihood_ratio": "without true negatives, or without positives",
    "negative_predictive_value": "where nothing is answered negative",
    "positive_likelihood_ratio": "without false positives, or without positives",
    "precision": "where nothing is answered positive",
    "recall": "without positives",
    "specificity": "without negatives",
    "weighted_kappa": "where truth and answers are of one and the same class",
    "youden": "without positives, or without negatives",
}

# A function of (y_true, y_pred); the others are reached by their names.
FUNCTIONS = {
    "accuracy": "sklearn.metrics.accuracy_score",
    "balanced_accuracy": "sklearn.metrics.balanced_accuracy_score",
    "classwise_mean_absolute_error": "skmetrics_ext.metrics.classwise_mean_absolute_error",
    "cost_savings": "skmetrics_ext.metrics.cost_savings_score",
    "expected_cost": "skmetrics_ext.metrics.expected_cost_loss",
    "f1": "sklearn.metrics.f1_score",
    "fbeta": "sklearn.metrics.fbeta_score",
    "geometric_mean": "imblearn.metrics.geometric_mean_score",
    "jaccard": "sklearn.metrics.jaccard_score",
    "matthews_corrcoef": "sklearn.metrics.matthews_corrcoef",
    "negative_likelihood_ratio": "sklearn.metrics.class_likelihood_ratios",
    "negative_predictive_value": "skmetrics_ext.metrics.negative_predictive_value_score",
    "one_off_accuracy": "skmetrics_ext.metrics.one_off_accuracy_score",
    "positive_likelihood_ratio": "sklearn.metrics.class_likelihood_ratios",
    "precision": "sklearn.metrics.precision_score",
    "recall": "sklearn.metrics.recall_score",
    "specificity": "imblearn.metrics.specificity_score",
    "weighted_kappa": "skmetrics_ext.metrics.weighted_kappa_score",
}

_DOI = "https://doi.org/"
_SENSITIVITY = (
    'Altman and Bland (1994), "Diagnostic tests 1: sensitivity and specificity"',
    _DOI + "10.1136/bmj.308.6943.1552",
)
_PREDICTIVE = (
    'Altman and Bland (1994), "Diagnostic tests 2: predictive values"',
    _DOI + "10.1136/bmj.309.6947.102",
)
_LIKELIHOOD = (
    'Deeks and Altman (2004), "Diagnostic tests 4: likelihood ratios"',
    _DOI + "10.1136/bmj.329.7458.168",
)
SOURCES = {
    "balanced_accuracy": ("Brodersen et al. (2010)", _DOI + "10.1109/ICPR.2010.764"),
    "classwise_mean_absolute_error": (
        "Baccianella, Esuli and Sebastiani (2009)",
        _DOI + "10.1109/ISDA.2009.230",
    ),
    "cost_savings": ("Bahnsen, Aouada and Ottersten (2014)", _DOI + "10.1109/ICMLA.2014.48"),
    "expected_cost": ("Elkan (2001)", "https://dl.acm.org/doi/10.5555/1642194.1642224"),
    "f1": ("Dice (1945)", _DOI + "10.2307/1932409"),
    "fbeta": ("van Rijsbergen (1979), *Information Retrieval*, chapter 7", None),
    "geometric_mean": (
        'Kubat and Matwin (1997), "Addressing the curse of imbalanced training sets", for two'
        " classes",
        None,
    ),
    "jaccard": ("Jaccard (1912)", _DOI + "10.1111/j.1469-8137.1912.tb05611.x"),
    "matthews_corrcoef": ("Gorodkin (2004)", _DOI + "10.1016/j.compbiolchem.2004.09.006"),
    "negative_likelihood_ratio": _LIKELIHOOD,
    "negative_predictive_value": _PREDICTIVE,
    "one_off_accuracy": ("Gaudette and Japkowicz (2009)", _DOI + "10.1007/978-3-642-01818-3_25"),
    "positive_likelihood_ratio": _LIKELIHOOD,
    "precision": _PREDICTIVE,
    "recall": _SENSITIVITY,
    "specificity": _SENSITIVITY,
    "weighted_kappa": ("Cohen (1968)", _DOI + "10.1037/h0026256"),
    "youden": (
        "Youden (1950)",
        _DOI + "10.1002/1097-0142(1950)3:1%3C32::AID-CNCR2820030106%3E3.0.CO;2-3",
    ),
}

_SCORES = "skmetrics_ext.counts.ScoreCounts"
_METRICS = "skmetrics_ext.metrics"
_RISK = "Geifman, Uziel and El-Yaniv (2019)", "https://arxiv.org/abs/1805.08206"
# Title, role and name of what computes it, formula, what its letters are, range, interval, source.
OF_SCORES = [
    (
        "ROC AUC",
        ("meth", f"{_SCORES}.roc_auc"),
        r"\frac{1}{N_1 N_0} \sum_{i : y_i = 1} \; \sum_{j : y_j = 0} \left( [s_i > s_j]"
        r" + \tfrac{1}{2} [s_i = s_j] \right)",
        "$N_1$ positives and $N_0$ negatives with scores $s$.",
        "0 to 1; 0.5 knows nothing",
        "DeLong's variance, on the logit scale; Newcombe's method 5 where that variance is 0",
        ("DeLong, DeLong and Clarke-Pearson (1988)", _DOI + "10.2307/2531595"),
    ),
    (
        "Gini",
        ("meth", f"{_SCORES}.gini"),
        r"2 \, \mathrm{AUC} - 1",
        "Somers' D of score and truth.",
        "-1 to 1; 0 knows nothing",
        "that of the AUC, carried over",
        ("Somers (1962)", _DOI + "10.2307/2090408"),
    ),
    (
        "Partial AUC",
        ("meth", f"{_SCORES}.partial_auc"),
        r"\frac{1}{2} \left( 1 + \frac{A_f - f^2 / 2}{f - f^2 / 2} \right)",
        "$A_f$ is the area under the ROC curve for false positive rates up to $f$.",
        "(1 - f) / (2 - f) to 1; 0.5 knows nothing",
        "from the slopes of the area in the rows, as DeLong's",
        ("McClish (1989)", _DOI + "10.1177/0272989X8900900307"),
    ),
    (
        "Average precision",
        ("meth", f"{_SCORES}.average_precision"),
        r"\sum_k (R_k - R_{k-1}) \, P_k",
        "$R_k$ and $P_k$ are recall and precision of answering the $k$ highest scores.",
        "0 to 1; the prevalence knows nothing",
        "delta, on the logit scale; Wilson's where the variance is 0",
        ("Boyd, Eng and Page (2013), for the interval", _DOI + "10.1007/978-3-642-40994-3_55"),
    ),
    (
        "Interpolated average precision",
        ("meth", f"{_SCORES}.interpolated_average_precision"),
        r"\frac{1}{L} \sum_{r} \; \max_{k : R_k \ge r} P_k",
        "$r$ goes through $L$ evenly spaced recalls from 0 to 1; the maximum of nothing is 0.",
        "0 to 1",
        "delta, on the logit scale, with the places of the maxima as given",
        ("Lin et al. (2014)", _DOI + "10.1007/978-3-319-10602-1_48"),
    ),
    (
        "Brier score",
        ("meth", f"{_SCORES}.brier_score"),
        r"\frac{1}{N} \sum_i (p_i - y_i)^2 = \mathrm{reliability} - \mathrm{resolution}"
        r" + \mathrm{uncertainty}",
        "$p_i$ is the probability of the positive class, $y_i$ is 1 or 0. With bins a fourth part"
        " is what is lost within them.",
        "0 to 1, lower is better",
        "delta, on the logit scale; Wilson's where the variance is 0",
        (
            "Murphy (1973)",
            _DOI + "10.1175/1520-0450(1973)012%3C0595:ANVPOT%3E2.0.CO;2",
        ),
    ),
    (
        "Ranked probability loss",
        ("func", f"{_METRICS}.ranked_probability_loss"),
        r"\frac{1}{N} \sum_i \sum_{k=1}^{K-1} \left( P_{ik} - [y_i \le k] \right)^2",
        "$P_{ik}$ is the probability of class $k$ or a lower one. `normalize=True` divides by"
        " K - 1.",
        "0 to K - 1, lower is better",
        "none",
        (
            "Epstein (1969)",
            _DOI + "10.1175/1520-0450(1969)008%3C0985:ASSFPF%3E2.0.CO;2",
        ),
    ),
    (
        "Area under the risk-coverage curve",
        ("func", f"{_METRICS}.area_under_risk_coverage_loss"),
        r"\sum_k (C_k - C_{k-1}) \, E_k",
        "$C_k$ is the share of rows answered, and $E_k$ the share of those answered wrong, when"
        " the surest are answered down to the $k$-th confidence.",
        "0 to 1, lower is better",
        "none",
        _RISK,
    ),
    (
        "Net benefit",
        ("class", "skmetrics_ext.display.DecisionCurveDisplay"),
        r"\frac{TP}{N} - \frac{FP}{N} \cdot \frac{t}{1 - t}",
        "$t$ is the threshold on the probability, at which rows are answered positive.",
        "minus infinity to the prevalence",
        "none",
        ("Vickers and Elkin (2006)", _DOI + "10.1177/0272989X06295361"),
    ),
]
