"""The gallery in the order of reading: from one table to whole decisions."""

__all__ = ["ReadingOrder"]

ORDER = [
    "lazy_model",
    "radars",
    "island_rule",
    "two_faces_of_f1",
    "micro_macro_weighted",
    "one_percent",
    "threshold_table",
    "beta",
    "auc_by_pairs",
    "auc_and_rare_classes",
    "is_it_a_probability",
    "bold_model",
    "declining",
    "prevalence_moves_precision",
    "kappa_paradox",
    "costs_and_gains",
    "per_row_amounts",
    "class_weights",
    "smote_before_split",
    "four_levers",
    "ordinal_against_nominal",
    "kappa_cuts",
    "ten_million_rows",
    "squares_and_absolutes",
]


class ReadingOrder:
    """The place of a script; one that is not listed is an error, so that none is forgotten."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, name):
        return ORDER.index(name.removeprefix("plot_").removesuffix(".py"))
