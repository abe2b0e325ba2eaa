"""Charts of series: where shapes stand, what they say, and what a reader gets who sees none."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from clones.core.web.charts import (
    Chart,
    Grid,
    Series,
    add_slices,
    most_of,
    plain,
    points_of,
    round_top,
    rows_of,
)

GRID = Grid(
    width=220,
    height=120,
    left=20,
    top=10,
    bottom=10,
    line_start=18,
    line_end=220,
    line_look="line",
    amount_x=16,
    amount_drop=4,
    amount_look="amount",
    label_y=118,
    label_look="label",
)
CREATED = Series("Created", "created", [4, 0])
SOLVED = Series("Solved", "solved", [1, 2])


def drawn(chart: Chart, tag: str) -> list[dict[str, object]]:
    """Return the attributes of a chart's elements of a tag."""
    return [dict(one.places) for one in chart.drawn if one.tag == tag]


def a_chart() -> Chart:
    chart = Chart("Tickets & <orders>", GRID, look="chart")
    chart.scale(4)
    series = [CREATED, SOLVED]
    chart.bars(["Mon", "Tue"], series, 4, width=20, say=lambda *said: " ".join(said))
    return chart


def test_bars_stand_side_by_side_in_the_middle_of_their_columns() -> None:
    assert drawn(a_chart(), "rect") == [
        {"x": 50.0, "y": 10.0, "width": 20, "height": 100.0},
        {"x": 150.0, "y": 110.0, "width": 20, "height": 0.0},
        {"x": 70.0, "y": 85.0, "width": 20, "height": 25.0},
        {"x": 170.0, "y": 60.0, "width": 20, "height": 50.0},
    ]


def test_a_scale_has_a_line_and_an_amount_for_each_part() -> None:
    chart = Chart("", GRID)
    chart.scale(10, "h", parts=2)
    lines = drawn(chart, "line")
    assert [(one["y1"], one["y2"]) for one in lines] == [(110, 110), (60, 60), (10, 10)]
    assert {(one["x1"], one["x2"]) for one in lines} == {(18, 220)}
    told = [(one.text, *dict(one.places).values()) for one in chart.texts]
    assert told == [("0h", 16, 114), ("5h", 16, 64), ("10h", 16, 14)]


def test_labels_are_thinned_and_cut_where_there_is_no_room() -> None:
    def names(labels: list[str], most: int | None, longest: int | None) -> list[str]:
        chart = Chart("", GRID)
        chart.name_columns(GRID.middles(len(labels)), labels, most=most, longest=longest)
        return [one.text for one in chart.texts]

    days = list("abcdefgh")
    assert names(days, 8, None) == days
    assert names(days, 7, None) == ["a", "c", "e", "g"]
    assert names(days, None, None) == days
    assert names(["twelve chars", "thirteen char"], 8, 12) == ["twelve chars", "thirteen ch…"]
    assert names([], 8, 12) == []


def test_lines_go_from_edge_to_edge_or_through_middles_and_may_end_early() -> None:
    assert points_of(GRID, GRID.from_edge_to_edge(3), [4, 0, 2], 4) == (
        "20.0,10.0 120.0,110.0 220.0,60.0"
    )
    assert points_of(GRID, GRID.middles(2), [4], 4) == "70.0,10.0"
    assert GRID.from_edge_to_edge(1) == [20]
    assert GRID.y(-3, 4) == 110


@pytest.mark.parametrize(
    ("most", "top"), [(0, 1), (1, 1), (3, 4), (9, 10), (10, 10), (11, 20), (61, 80), (101, 200)]
)
def test_a_scale_ends_at_the_next_round_number(most: int, top: int) -> None:
    assert round_top(most, steps=(1, 2, 4, 6, 8, 10)) == top


@pytest.mark.parametrize(("most", "top"), [(0, 4), (4, 4), (4.5, 10), (41, 100), (101, 200)])
def test_a_scale_is_no_lower_than_its_least(most: float, top: int) -> None:
    assert round_top(most, steps=(1, 2, 4), least=4) == top


def test_slices_go_round_from_the_top_and_leave_out_what_is_nothing() -> None:
    chart = Chart("", Grid(width=200, height=200))
    add_slices(chart, [("a", 3), ("none", 0), ("b", 1)], ["one", "two"])
    assert [(one.look, one.said) for one in chart.shapes] == [("one", "a: 3"), ("one", "b: 1")]
    assert drawn(chart, "path") == [
        {"d": "M100,100L100.00,10.00A90,90 0 1 1 10.00,100.00Z"},
        {"d": "M100,100L10.00,100.00A90,90 0 0 1 100.00,10.00Z"},
    ]


def test_a_slice_that_is_all_is_a_circle() -> None:
    chart = Chart("", Grid(width=200, height=200))
    add_slices(chart, [("none", 0), ("all", 7)], ["one", "two"])
    (circle,) = chart.shapes
    assert (circle.tag, circle.look, circle.said) == ("circle", "two", "all: 7")
    assert drawn(chart, "circle") == [{"cx": 100, "cy": 100, "r": "90"}]


def test_what_is_shown_is_told_as_rows() -> None:
    assert rows_of(["Mon", "Tue"], [CREATED, SOLVED]) == [("Mon", [4, 1]), ("Tue", [0, 2])]
    assert (most_of([CREATED, SOLVED]), most_of([])) == (4, 0)
    assert [plain(one) for one in (0, 2.0, 2.5, 1_234_567)] == ["0", "2", "2.5", "1234567"]


def test_a_chart_is_one_picture_with_a_name_and_its_shapes_have_titles() -> None:
    html = render_to_string("core/_chart.html", {"chart": a_chart()})
    head, *elements, end = html.strip().split("\n")
    assert head == (
        '<svg class="chart" viewBox="0 0 220 120" role="img"'
        ' aria-label="Tickets &amp; &lt;orders&gt;">'
    )
    bar = '<rect class="created" x="50.0" y="10.0" width="20" height="100.0">'
    assert f"{bar}<title>Mon Created 4</title></rect>" in elements
    # Texts lie over what they are written on.
    assert [one.startswith("<text") for one in elements] == [False] * 9 + [True] * 5
    assert (elements[-1], end) == ('<text class="amount" x="16" y="14.0">4</text>', "</svg>")
