"""Ordered classes: models that know the order, and cuts that turn a number into a class."""

from skmetrics_ext.ordinal._order import encode_order

__all__ = ["encode_order"]
