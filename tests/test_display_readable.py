"""What can be read in the pictures at 600 pixels: no text is cut off, small or over another."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from skmetrics_ext import display
from skmetrics_ext.display._flags import arranged
from skmetrics_ext.display._probability_axis import logit_limits, set_logit_ticks
from skmetrics_ext.display._style import legible, number, percent, wrapped
from tests.display_cases import MALIGNANT, SCORE, SITUATIONS, WORDS

mpl.use("Agg")


def texts_seen(figure):
    """The texts that are drawn, with their boxes; ticks beyond the ends of an axis are not."""
    renderer = figure.canvas.get_renderer()
    hidden = set()
    for ax in figure.findobj(mpl.axes.Axes):
        for axis, (low, high) in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
            low, high = min(low, high), max(low, high)
            margin = 1e-9 * (high - low)
            for tick in axis.get_major_ticks():
                if not low - margin <= tick.get_loc() <= high + margin:
                    hidden |= {tick.label1, tick.label2}
    found = []
    for text in figure.findobj(Text):
        box = text.get_window_extent(renderer)
        if text.get_visible() and text.get_text().strip() and text not in hidden and box.width > 0:
            found.append((text, box))
    return found


@pytest.mark.parametrize("situation", SITUATIONS)
def test_no_text_is_cut_off_small_or_over_another(situation):
    figure = SITUATIONS[situation]().figure_
    figure.set_dpi(600 / figure.get_figwidth())
    figure.canvas.draw()
    found = texts_seen(figure)
    assert found
    for k, (text, box) in enumerate(found):
        said = text.get_text()
        assert min(box.x0, box.y0) > -1, said
        assert box.x1 < figure.bbox.width + 1, said
        assert box.y1 < figure.bbox.height + 1, said
        assert text.get_fontsize() * figure.dpi / 72 > 9, said
        if text.get_rotation() in (0, 90):  # the box of a slanted text is mostly empty
            for other, its_box in found[:k]:
                across = min(box.x1, its_box.x1) - max(box.x0, its_box.x0)
                up = min(box.y1, its_box.y1) - max(box.y0, its_box.y0)
                slanted = other.get_rotation() not in (0, 90)
                assert slanted or across < 1 or up < 1, (said, other.get_text())


def test_a_legend_inside_given_axes_leaves_the_marks_alone():
    ax = Figure(figsize=(4, 3)).subplots()
    shown = display.ThresholdDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, threshold=0.52, metric=["f1", "recall"], ax=ax
    )
    shown.figure_.canvas.draw()
    box = ax.get_legend().get_window_extent()
    assert not any(box.overlaps(text.get_window_extent()) for text in shown.mark_texts_.values())


# ---------------------------------------------------------------------------------------------
# names of marks


def boxes(places, widths):
    """The row and the ends of each name."""
    return [
        (row, place - width if left else place, place if left else place + width)
        for (row, left), place, width in zip(arranged(places, widths), places, widths, strict=True)
    ]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.05, 0.45)), min_size=1, max_size=3),
)
def test_names_of_marks_stay_inside_and_apart(marks):
    places, widths = zip(*marks, strict=True)
    found = boxes(places, widths)
    for row, left, right in found:
        assert 0 <= row < len(marks)
        assert left > -1e-9
        assert right < 1 + 1e-9
    for (row, left, right), (its_row, its_left, its_right) in combinations(found, 2):
        assert row != its_row or right <= its_left + 1e-9 or its_right <= left + 1e-9


@pytest.mark.parametrize("places", [(0.01, 0.0099), (0.5, 0.5001, 0.4999), (0.99, 1.0, 0.98)])
def test_lines_run_through_no_name_where_marks_are_close(places):
    widths = [0.3] * len(places)
    found = boxes(places, widths)
    for k, (row, *_) in enumerate(found):
        for j, (its_row, left, right) in enumerate(found):
            assert k == j or row >= its_row or not left < places[k] < right


def test_marks_far_apart_share_a_row():
    assert [row for row, _ in arranged([0.05, 0.5], [0.3, 0.3])] == [0, 0]


# ---------------------------------------------------------------------------------------------
# numbers and names


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.0%"),
        (1.0, "100.0%"),
        (0.0004, "<0.1%"),
        (0.0006, "0.1%"),
        (0.99951, ">99.9%"),
        (0.5, "50.0%"),
        (np.nan, "–"),
    ],
)
def test_a_percentage_is_zero_or_all_only_where_it_is(share, text):
    assert percent(share) == text


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.sampled_from([0, 1]))
def test_no_share_inside_is_said_to_be_an_end(share, digits):
    assert percent(share, digits) not in ("0%", "0.0%", "100%", "100.0%")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1 / 101, "0.0099"),
        (0.01, "0.01"),
        (0.5, "0.5"),
        (0.0, "0"),
        (2.0, "2"),
        (-1.2345, "-1.23"),
        (12345.678, "12346"),
        (1.5e-7, "1.5e-07"),
        (np.inf, "∞"),
        (-np.inf, "−∞"),
        (np.nan, "undefined"),
    ],
)
def test_numbers_are_short_and_tell_near_ones_apart(value, text):
    assert number(value) == text


def test_long_names_are_broken_and_cut():
    assert wrapped("ankle boot, waterproof", 12) == "ankle boot,\nwaterproof"
    assert wrapped("a b c d e f", 4, lines=2) == "a b\nc d…"


@pytest.mark.parametrize(("color", "text"), [((1, 1, 1), "black"), ((0, 0, 0), "white")])
def test_text_contrasts_with_its_cell(color, text):
    assert legible(color) == text


@given(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)))
def test_text_reaches_the_contrast_of_wcag_on_any_colour(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
    luminance = float(np.dot([0.2126, 0.7152, 0.0722], linear))
    light, dark = 1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05
    assert (dark if legible(color) == "black" else light) == max(light, dark) >= 4.5


@given(st.lists(st.floats(0, 1), max_size=5))
def test_a_logit_axis_holds_all_but_the_ends(values):
    low, high = logit_limits(values)
    assert 0 < low < high < 1
    inside = [v for v in values if 1e-6 <= v <= 1 - 1e-6]
    assert all(low < v < high for v in inside)


@pytest.mark.parametrize("width", [2.0, 4.65, 9.0])
@settings(max_examples=20)
@given(st.floats(-13, 9), st.floats(1, 20))
def test_ticks_of_a_logit_axis_are_apart(width, start, span):
    ax = Figure(figsize=(width / 0.775, 3)).subplots()
    low, high = 1 / (1 + np.exp(-start)), 1 / (1 + np.exp(-min(start + span, 13)))
    ax.set_xscale("logit")
    ax.set_xlim(low, high)
    set_logit_ticks(ax, "x", low, high)
    ticks = ax.get_xticks()
    assert ((ticks >= low) & (ticks <= high)).all()
    places = np.log(ticks / (1 - ticks)) / (np.log(high / (1 - high)) - np.log(low / (1 - low)))
    assert len(ticks) < 2 or np.diff(places).min() * width > 0.15
