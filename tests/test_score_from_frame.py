"""ScoreCounts of pandas, Polars and PyArrow frames."""

import polars as pl
import pytest
from frame_makers import MAKERS
from score_frame_traps import ScoreFrameTraps

from skmetrics_ext.counts import ScoreCounts


class TestFrames(ScoreFrameTraps):
    @pytest.fixture(params=MAKERS.values(), ids=MAKERS)
    def make(self, request):
        return request.param


def test_levels_that_no_row_holds_are_no_class():
    """An Enum of three of which two are there: two classes, as `from_predictions` has it."""
    dtype = pl.Enum(["none", "well", "ill"])
    frame = pl.LazyFrame(
        {"truth": pl.Series(["ill", "well", "ill"], dtype=dtype), "score": [0.1, 0.2, 0.3]}
    )
    counts = ScoreCounts.from_frame(frame, y_true="truth", y_score="score", pos_label="ill")
    assert counts == ScoreCounts.from_predictions(
        frame.collect()["truth"], [0.1, 0.2, 0.3], pos_label="ill"
    )


def test_names_of_columns_and_frames_are_asked_for():
    frame = pl.DataFrame({"y": [0, 1], "s": [0.1, 0.2]})
    with pytest.raises(TypeError, match="y_score must be the name of a column, a str; got Series"):
        ScoreCounts.from_frame(frame, y_true="y", y_score=frame["s"])
    with pytest.raises(TypeError, match="frame must be a pandas, Polars"):
        ScoreCounts.from_frame([[0, 1]], y_true="y", y_score="s")
