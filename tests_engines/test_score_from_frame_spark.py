"""Scores of Spark frames, on local[2]."""

from score_frame_traps import ScoreFrameTraps
from test_from_frame_spark import TestSpark as OfLabels


class TestSpark(ScoreFrameTraps):
    make = OfLabels.make
