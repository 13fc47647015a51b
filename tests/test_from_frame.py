"""ConfusionCounts and PairedCounts of pandas, Polars and PyArrow frames."""

import pytest
from frame_makers import MAKERS
from frame_traps import FrameTraps


class TestFrames(FrameTraps):
    @pytest.fixture(params=MAKERS.values(), ids=MAKERS)
    def make(self, request):
        return request.param
