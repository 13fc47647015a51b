"""Each registered metric in signs; the page says what the letters mean."""

__all__ = ["FORMULAS"]

FORMULAS = {
    "accuracy": r"\frac{1}{N} \sum_k n_{kk}",
    "balanced_accuracy": r"\frac{1}{|\{k : r_k > 0\}|} \sum_{k : r_k > 0} \frac{n_{kk}}{r_k}",
    "classwise_mean_absolute_error": r"\frac{1}{r_t} \sum_p n_{tp} \, |t - p|",
    "cost_savings": r"\frac{\min_i \sum_t r_t c_{it} - \sum_{t,p} n_{tp} c_{pt}}"
    r"{\min_i \sum_t r_t c_{it} - \sum_t r_t \min_i c_{it}}",
    "expected_cost": r"\frac{1}{N} \sum_{t,p} n_{tp} \, c_{pt}",
    "f1": r"\frac{2 \, TP}{2 \, TP + FP + FN}",
    "fbeta": r"\frac{(1 + \beta^2) \, TP}{(1 + \beta^2) \, TP + FP + \beta^2 \, FN}",
    "geometric_mean": r"\left( \prod_{k : r_k > 0} \frac{n_{kk}}{r_k} \right)"
    r"^{1 / |\{k : r_k > 0\}|}",
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
    "weighted_kappa": r"1 - \frac{N \sum_{t,p} w_{tp} \, n_{tp}}{\sum_{t,p} w_{tp} \, r_t s_p},"
    r" \qquad w_{tp} = |t - p| \text{ or } (t - p)^2",
    "youden": r"\frac{TP}{TP + FN} + \frac{TN}{TN + FP} - 1",
}
