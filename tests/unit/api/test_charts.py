"""Charts: what is drawn where."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from api.leaderboard.repository import Point
from api.leaderboard.schemas import Interval
from api.web.badges import badge
from api.web.charts import against_cost, against_date, best_bars, interval_bar
from api.web.labels import Box, Label, dot

START = datetime(2026, 1, 1, tzinfo=UTC)


def point(name: str, score: float, **changed: Any) -> Point:
    """A point of the first day without a cost."""
    values: dict[str, Any] = {
        "submission_id": UUID(int=hash(name) % 2**64),
        "organisation_slug": "lab",
        "model_name": name,
        "organisation": "Lab",
        "score": score,
        "low": score - 0.1,
        "high": score + 0.1,
        "cost": None,
        "created_at": START,
    }
    return Point(**values | changed)


def circles(svg: str) -> dict[str, tuple[float, float]]:
    """Places of the named points by the beginning of their titles."""
    found = re.findall(r'<circle class="score" cx="([\d.]+)" cy="([\d.]+)" r="4"><title>(.*?) by', svg)
    return {name: (float(x), float(y)) for x, y, name in found}


def test_an_interval_is_drawn_to_scale() -> None:
    drawn = interval_bar(0.5, Interval(low=0.25, high=1.0))
    assert 'd="M26.0 4H98.0"' in drawn
    assert 'cx="50.0"' in drawn
    assert interval_bar(None, None) == ""


def test_the_line_against_cost_joins_what_no_cheaper_entry_beats() -> None:
    points = [
        point("cheap", 0.4, cost=1.0),
        point("beaten", 0.3, cost=10.0),
        point("best", 0.8, cost=100.0),
        point("free", 0.9),
    ]
    drawn = against_cost(points)
    places = circles(drawn)
    assert set(places) == {"cheap", "best"}
    # 1 and 100 dollars are the ends of the axis, 0.3 to 0.8 those of the other.
    assert places["cheap"][0] == 44.0
    assert places["best"] == (540.0, 16.0)
    assert drawn.count("h0") == 3, "an entry without a cost has no place"
    assert "$100" in drawn
    assert against_cost([point("alone", 0.5, cost=1.0)]) == ""


def test_the_line_against_date_is_the_best_so_far() -> None:
    early, late = point("early", 0.2), point("late", 0.6, created_at=START + timedelta(days=10))
    middle = point("middle", 0.1, created_at=START + timedelta(days=5))
    drawn = against_date([late, early, middle], [late, early])
    assert set(circles(drawn)) == {"early", "late"}
    front = re.search(r'class="front" d="([^"]+)"', drawn)
    assert front
    assert front[1].startswith("M68.0 211.2H516.0V16.0"), front[1]
    assert "2026-01-11" in drawn
    assert against_date([early], [early]) == ""


def test_names_are_text_wherever_they_stand() -> None:
    hostile = '<script>alert("x")</script>'
    points = [point(hostile, 0.4, cost=1.0, organisation=hostile), point("other", 0.9, cost=2.0)]
    for drawn in (against_cost(points), against_date(points, points), best_bars(points), badge(hostile, hostile)):
        assert "<script" not in drawn
        assert "&lt;script&gt;" in drawn


def test_no_name_crosses_another_a_point_or_the_edge() -> None:
    """Forty entries close together: what is written is apart from everything, the rest keep their titles."""
    rising = [point(f"a-model-with-a-name-{n}", 0.5 + n / 90, cost=1.0 + n / 6) for n in range(40)]
    drawn = against_cost(rising)
    written = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"( class="end")?>(.*?)</text>', drawn)
    assert 2 <= len(written) <= 6
    boxes = [Label(float(x), float(y), bool(end)).box(len(name)) for x, y, end, name in written]
    dots = [dot(x, y, 4) for x, y in circles(drawn).values()]
    assert len(dots) == 40
    for number, box in enumerate(boxes):
        assert Box(44, 0, 560, 260).holds(box)
        assert not any(box.meets(other) for other in [*boxes[number + 1 :], *dots])


def test_two_lone_points_are_both_named() -> None:
    """At the right and the upper edge, too."""
    drawn = against_cost([point("cheap-and-small", 0.4, cost=1.0), point("dear-and-large", 0.8, cost=100.0)])
    assert "cheap-and-small</text>" in drawn
    assert "dear-and-large</text>" in drawn


def test_bars_are_as_long_as_their_scores() -> None:
    assert re.findall(r'class="filled" x="0" y="\d+" width="([\d.]+)"', best_bars([point("a", 0.5)])) == ["120.0"]
    assert best_bars([]) == ""
