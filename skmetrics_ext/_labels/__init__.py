"""Labels become codes here, once: the one place where a label meets its code.

A column is grouped first (`group_column`: small integer codes and the few distinct values),
the classes are decided on those few values (`decide_classes`), and everything after that
knows integers only.
"""

from skmetrics_ext._labels._classes import (
    Classes,
    are_words,
    decide_classes,
    decide_pos_label,
    encode,
    label_array,
    require_order,
    same_label,
)
from skmetrics_ext._labels._columns import Column, group_column, is_missing, refuse_masked
from skmetrics_ext._labels._named import frame_labels, named_shares, shares_by_label

__all__ = [
    "Classes",
    "Column",
    "are_words",
    "decide_classes",
    "decide_pos_label",
    "encode",
    "frame_labels",
    "group_column",
    "is_missing",
    "label_array",
    "named_shares",
    "refuse_masked",
    "require_order",
    "same_label",
    "shares_by_label",
]
