"""The encyclopaedia's world: it hangs together, follows from its seed, and every link leads to an article."""

from typing import Any

import pytest

from tests.support.site_programs import told

BOOKS = """
import hashlib, json, re
from app.articles import articles
from app.lists import categories, lists, main_page
from app.manuals import manuals
from app.world import made
seed, size = int(sys.argv[1]), sys.argv[2]
world = made(seed, size)
text = articles(world)
text += lists(world)
text += categories(text)
books = {"encyclopaedia": [main_page(world, text), *text], "manuals": manuals(seed)}
paths = {name: [one.path for one in held] for name, held in books.items()}
links = {name: sorted({href for one in held for href in re.findall('href="([^"]*)"', one.html())})
         for name, held in books.items()}
digest = hashlib.sha256("".join(one.html() for held in books.values() for one in held).encode()).hexdigest()
"""
SHAPE = "print(json.dumps({'paths': paths, 'links': links, 'digest': digest}))"
SENSE = """
from collections import Counter
wrong = []
for country in world.countries:
    if country.population != sum(t.population for t in country.towns) + sum(r.rural for r in country.regions):
        wrong.append(country.name)
for river in world.rivers:
    wrong += [town.name for town in river.towns if town.river is not river]
for person in world.people:
    if person.died and person.died <= person.born:
        wrong.append(person.name)
    if person.teacher and person.teacher.died and person.teacher.died[0] <= person.born[0]:
        wrong.append(person.name)
    if person.university and person.university.founded > person.born[0] + 18:
        wrong.append(person.name)
    wrong += [work.title for work in person.works if not 0 < work.year - person.born[0] <= 70]
    wrong += [work.title for work in person.works if person.died and work.year > person.died[0]]
wrong += [top.name for top in world.mountains if top.climber and top.climber.died
          and top.climbed > top.climber.died[0]]
kinds = Counter(one.kind for one in text)
box = {fact.label: fact.value for one in text if one.path == world.people[0].name.replace(" ", "_")
       for fact in one.facts()}
print(json.dumps({"wrong": wrong, "kinds": kinds, "box": box, "name": world.people[0].name}))
"""


@pytest.mark.parametrize("size", ["full", "small"])
def test_every_link_leads_to_an_article_and_no_two_have_one_address(size: str) -> None:
    found: Any = told("encyclopaedia", BOOKS + SHAPE, 3, size)
    for book, paths in found["paths"].items():
        assert len(set(paths)) == len(paths)
        there = set(paths)
        inner = [link for link in found["links"][book] if not link.startswith(("/", "../"))]
        assert inner
        assert [link for link in inner if link not in there] == []
        outer = [link for link in found["links"][book] if link.startswith("/")]
        other = {"encyclopaedia": "manuals", "manuals": "encyclopaedia"}[book]
        assert [link for link in outer if link != f"/{other}/A/Main_Page"] == []
    if size == "full":
        assert len(found["paths"]["encyclopaedia"]) >= 2000


def test_a_seed_gives_one_world_and_another_seed_another() -> None:
    same = [told("encyclopaedia", BOOKS + SHAPE, 3, "small", hash_seed=order)["digest"] for order in ("0", "7")]
    other = told("encyclopaedia", BOOKS + SHAPE, 4, "small")
    assert same[0] == same[1] != other["digest"]


def test_the_world_hangs_together() -> None:
    found: Any = told("encyclopaedia", BOOKS + SENSE, 5, "full")
    assert found["wrong"] == []
    least = {"town": 500, "person": 600, "work": 400, "river": 90, "mountain": 140, "species": 100, "list": 60}
    assert {kind: found["kinds"][kind] for kind in least if found["kinds"][kind] < least[kind]} == {}
    assert {"Born", "Place of birth", "Occupation"} <= set(found["box"])
