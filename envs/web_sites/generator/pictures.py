"""Templates of tasks on the picture market: what is right stands in photos, charts and plans, and in no text."""

import calendar
from collections.abc import Callable
from random import Random
from typing import Literal

from envs.web_sites.generator.parts import (
    Content,
    Contents,
    Row,
    Task,
    Template,
    answer_is,
    changes,
    ends_at,
    listed,
)

MARKET = "market"
SITES = (MARKET,)
SUMMARY = "Tasks on a market of pictures: what is right stands in photos, charts and plans, and in no text"
CANARY = "heldout canary demo-vision 7d20a4e961cb"
CARD = """Tasks on a market of pictures, seen as screenshots with numbered elements: what a photo shows, what a chart
says, where a sight of a town stands, finding and listing the lot that looks as described. Lots, charts and towns are
made from a seed. No text of the site follows from what its pictures show, so that somebody who reads pages without
seeing them has to guess. Judged by the final answer, the final address and the difference of the site's database. The
score is the mean over templates."""
MONTHS = tuple(calendar.month_name[1:])
_UP_TO = [str(number) for number in range(13)]


def lots(contents: Contents) -> list[Row]:
    """All lots with what their photos show."""
    return contents[MARKET].named("lots")


def look(row: Row) -> str:
    """What a photo shows, in words: `blue jar with 4 stripes`."""
    return f"{row['colour']} {row['thing']} with {row['count']} white {row['pattern']}"


def _task(
    intent: str,
    path: str,
    *parts: dict[str, object],
    category: Literal["information", "navigation", "content"] = "information",
    acts: tuple[str, ...] = (),
    answer: str = "",
    everything: str = "",
) -> Task:
    changed = any(part["kind"] == "state_change" for part in parts)
    probes = (ends_at("")[1],) if category == "navigation" else ()
    return Task(
        intent=intent,
        category=category,
        parts=parts if changed else (*parts, changes(MARKET)),
        oracle=(f"goto [{{{{site {MARKET}}}}}{path}]", *acts, f"stop [{answer}]"),
        sites=SITES,
        signed_in={MARKET: "visitor"},
        probes=probes,
        everything=everything,
        pictured=True,
    )


def _asked(intent: str, path: str, right: str, everything: str) -> Task:
    return _task(intent, path, answer_is(right), answer=right, everything=everything)


def _of_a_photo(draw: Random, contents: Contents, question: str, fact: Callable[[Row], str]) -> Task:
    found = lots(contents)
    one = draw.choice(found)
    question = question.format(number=one["number"], pattern=one["pattern"])
    return _asked(question, f"/lots/{one['number']}/", fact(one), listed(draw, fact(one), [fact(row) for row in found]))


def colour_on_a_photo(draw: Random, contents: Contents, index: int) -> Task:
    """Name the colour of a thing."""
    del index
    question = "What colour is the object on the photo of lot {number}? Answer with one word."
    return _of_a_photo(draw, contents, question, lambda row: str(row["colour"]))


def thing_on_a_photo(draw: Random, contents: Contents, index: int) -> Task:
    """Name a thing."""
    del index
    question = (
        "What is on the photo of lot {number}: a jar, a mug, a lamp, a bell, a box or a kite? Answer in one word."
    )
    return _of_a_photo(draw, contents, question, lambda row: str(row["thing"]))


def count_on_a_photo(draw: Random, contents: Contents, index: int) -> Task:
    """Count stripes or dots."""
    del index
    question = "How many white {pattern} does the object on the photo of lot {number} have? Answer with the number."
    return _of_a_photo(draw, contents, question, lambda row: str(row["count"]))


def code_on_a_tag(draw: Random, contents: Contents, index: int) -> Task:
    """Read what is printed on a tag."""
    del index
    question = "Which code is printed on the tag in the photo of lot {number}?"
    return _of_a_photo(draw, contents, question, lambda row: str(row["code"]))


def _looking_for(draw: Random, contents: Contents) -> tuple[Row, list[Row]]:
    """A lot, and all lots of its seller. No two lots look alike."""
    found = lots(contents)
    one = draw.choice(found)
    return one, [row for row in found if row["seller"] == one["seller"]]


def lot_that_shows(draw: Random, contents: Contents, index: int) -> Task:
    """Find a lot by its photo and name its number."""
    del index
    one, others = _looking_for(draw, contents)
    question = f"Which of the lots of {one['seller']} shows a {look(one)}? Answer with the number of the lot."
    number = str(one["number"])
    return _asked(question, f"/lots/{number}/", number, listed(draw, number, [str(row["number"]) for row in others]))


def open_the_lot_that_shows(draw: Random, contents: Contents, index: int) -> Task:
    """Find a lot by its photo and open its page."""
    del index
    one, _ = _looking_for(draw, contents)
    path = f"/lots/{one['number']}/"
    intent = f"Open the page of the lot of {one['seller']} that shows a {look(one)}."
    return _task(intent, path, ends_at(f"__MARKET__{path}")[0], category="navigation")


def list_the_lot_that_shows(draw: Random, contents: Contents, index: int) -> Task:
    """Find a lot by its photo and put it on the list."""
    del index
    one, _ = _looking_for(draw, contents)
    put = {"table": "wish", "change": "insert", "values": {"lot_id": one["id"]}}
    intent = f"Put the lot of {one['seller']} that shows a {look(one)} on my list."
    press = "page.get_by_role('button', name='Put on my list').click()"
    path = f"/lots/{one['number']}/"
    return _task(intent, path, changes(MARKET, put), category="content", acts=(press,))


def _chart(draw: Random, market: Content, kind: str) -> tuple[Row, dict[str, list[int]]]:
    rows = [row for row in market.named("figures") if row["kind"] == kind]
    number = draw.choice(sorted({row["id"] for row in rows}))
    chosen = [row for row in rows if row["id"] == number]
    series: dict[str, list[int]] = {}
    for row in chosen:
        series.setdefault(row["series"], []).append(row["value"])
    return chosen[0], series


def highest_month(draw: Random, contents: Contents, index: int) -> Task:
    """Find the highest bar."""
    del index
    chart, series = _chart(draw, contents[MARKET], "bars")
    values = series["all"]
    right = MONTHS[values.index(max(values))]
    question = f"In which month is the bar of the chart '{chart['title']}' the highest? Answer with the month's name."
    return _asked(question, f"/charts/{chart['id']}/", right, listed(draw, right, list(MONTHS)))


def value_of_a_bar(draw: Random, contents: Contents, index: int) -> Task:
    """Read a bar's height off the lines behind it."""
    del index
    chart, series = _chart(draw, contents[MARKET], "bars")
    month = draw.randrange(len(MONTHS))
    right = str(series["all"][month])
    question = f"What is the value for {MONTHS[month]} in the chart '{chart['title']}'? Answer with the number."
    return _asked(question, f"/charts/{chart['id']}/", right, listed(draw, right, [str(v) for v in range(20, 200, 10)]))


def months_above(draw: Random, contents: Contents, index: int) -> Task:
    """Count where one line is above the other."""
    del index
    chart, series = _chart(draw, contents[MARKET], "lines")
    right = str(sum(blue > orange for blue, orange in zip(series["blue"], series["orange"], strict=True)))
    question = f"In how many months is the blue line above the orange one in the chart '{chart['title']}'?"
    return _asked(f"{question} Answer with the number.", f"/charts/{chart['id']}/", right, listed(draw, right, _UP_TO))


def _sights(draw: Random, market: Content) -> list[Row]:
    rows = market.named("sights")
    number = draw.choice(sorted({row["id"] for row in rows}))
    return [row for row in rows if row["id"] == number]


def sight_at_a_crossing(draw: Random, contents: Contents, index: int) -> Task:
    """Find a crossing by the names of its streets."""
    del index
    sights = _sights(draw, contents[MARKET])
    one = draw.choice(sights)
    crossing = f"the crossing of {one['street']} Street and {one['road']} Road"
    question = f"What stands at {crossing} on the plan of {one['town']}? Answer with one word of its legend."
    return _asked(
        question, f"/plans/{one['id']}/", one["sight"], listed(draw, one["sight"], [s["sight"] for s in sights])
    )


def blocks_between(draw: Random, contents: Contents, index: int) -> Task:
    """Count the blocks of the shortest way along the streets."""
    del index
    one, other = draw.sample(_sights(draw, contents[MARKET]), 2)
    right = str(abs(one["across"] - other["across"]) + abs(one["down"] - other["down"]))
    way = f"from the {one['sight']} to the {other['sight']}"
    question = f"How many blocks long is the shortest way along the streets {way} on the plan of {one['town']}?"
    return _asked(f"{question} Answer with the number.", f"/plans/{one['id']}/", right, listed(draw, right, _UP_TO))


TEMPLATES: tuple[Template, ...] = (
    colour_on_a_photo,
    thing_on_a_photo,
    count_on_a_photo,
    code_on_a_tag,
    lot_that_shows,
    open_the_lot_that_shows,
    list_the_lot_that_shows,
    highest_month,
    value_of_a_bar,
    months_above,
    sight_at_a_crossing,
    blocks_between,
)
