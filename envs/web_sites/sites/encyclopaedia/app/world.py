"""An invented world: countries with regions, towns, rivers, mountains and railways, people and what they made.

Everything hangs together: populations add up, a river's towns name the river, a teacher has died after the pupil was
born. The same draws give the same world.
"""

import random
from dataclasses import dataclass, field

from .names import Names, Tongue

TRADES = ("novelist", "painter", "composer", "botanist", "engineer", "explorer", "physicist", "historian")
MADE = {
    "novelist": "novel",
    "painter": "painting",
    "composer": "opera",
    "historian": "history",
    "engineer": "bridge",
}
PRODUCTS = (
    *("glass", "paper", "clocks", "cheese", "linen", "bells", "salt", "pencils", "ferries", "roof tiles", "honey"),
    *("lamps", "boots", "violins", "cider", "rope", "porcelain", "bicycles", "tin toys", "tea"),
)
FAMILIES = ("bellflowers", "orchids", "primroses", "finches", "owls", "kingfishers", "moths", "saxifrages")


@dataclass(eq=False)
class Country:
    """A country; its area and people are those of its regions."""

    name: str
    tongue: Tongue
    demonym: str
    currency: str
    founded: int
    regions: list["Region"] = field(default_factory=list)
    capital: "Town | None" = None

    @property
    def population(self) -> int:
        """All who live here."""
        return sum(region.population for region in self.regions)

    @property
    def area(self) -> int:
        """In square kilometres."""
        return sum(region.area for region in self.regions)

    @property
    def towns(self) -> list["Town"]:
        """All towns."""
        return [town for region in self.regions for town in region.towns]


@dataclass(eq=False)
class Region:
    """A part of a country. `rural`: those who live in no town."""

    name: str
    country: Country
    area: int
    rural: int
    towns: list["Town"] = field(default_factory=list)
    rivers: list["River"] = field(default_factory=list)
    mountains: list["Mountain"] = field(default_factory=list)

    @property
    def population(self) -> int:
        """All who live here."""
        return self.rural + sum(town.population for town in self.towns)

    @property
    def capital(self) -> "Town":
        """The region's seat: the first of its towns."""
        return self.towns[0]


@dataclass(eq=False)
class Town:
    """A town; `elevation` in metres."""

    name: str
    region: Region
    population: int
    founded: int
    elevation: int
    product: str
    river: "River | None" = None
    people: list["Person"] = field(default_factory=list)
    institutions: list["Institution"] = field(default_factory=list)


@dataclass(eq=False)
class River:
    """A river; `length` in kilometres."""

    name: str
    region: Region
    length: int
    source: "Mountain"
    into: "River | None"
    towns: list[Town] = field(default_factory=list)


@dataclass(eq=False)
class Mountain:
    """A mountain; `climber` is None where nobody is known to have been first."""

    name: str
    region: Region
    elevation: int
    climber: "Person | None" = None
    climbed: int = 0


@dataclass(eq=False)
class Person:
    """Somebody; dates are year, month and day."""

    name: str
    trade: str
    birthplace: Town
    born: tuple[int, int, int]
    died: tuple[int, int, int] | None
    place_of_death: Town | None
    university: "Institution | None" = None
    teacher: "Person | None" = None
    works: list["Work"] = field(default_factory=list)


@dataclass(eq=False)
class Work:
    """Something that somebody made; `place` is where it hangs, stands or was first shown."""

    title: str
    kind: str
    author: Person
    year: int
    place: "Institution | Town"


@dataclass(eq=False)
class Institution:
    """A university, museum, company or club; `size` counts students, objects, employees or seats."""

    name: str
    kind: str
    town: Town
    founded: int
    size: int
    founder: Person | None = None
    about: str = ""


@dataclass(eq=False)
class Species:
    """A plant or an animal."""

    name: str
    family: str
    describer: Person
    described: int
    regions: list[Region]


@dataclass(eq=False)
class Railway:
    """A line; `stations` in order, `length` in kilometres."""

    name: str
    stations: list[Town]
    length: int
    opened: int


@dataclass
class World:
    """All there is."""

    countries: list[Country] = field(default_factory=list)
    rivers: list[River] = field(default_factory=list)
    mountains: list[Mountain] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    institutions: list[Institution] = field(default_factory=list)
    species: list[Species] = field(default_factory=list)
    railways: list[Railway] = field(default_factory=list)

    @property
    def regions(self) -> list[Region]:
        """Of all countries."""
        return [region for country in self.countries for region in country.regions]

    @property
    def towns(self) -> list[Town]:
        """Of all regions."""
        return [town for region in self.regions for town in region.towns]


@dataclass(frozen=True)
class Size:
    """How much there is of everything."""

    countries: int
    regions: int
    towns: int
    people: int
    works: int
    species: int


SIZES = {"full": Size(8, 6, 12, 640, 430, 110), "small": Size(2, 2, 6, 40, 30, 8)}


def made(seed: int, size: str) -> World:
    """The world of a seed."""
    return _Maker(random.Random(f"encyclopaedia:{seed}"), SIZES[size]).world()


class _Maker:
    def __init__(self, draw: random.Random, size: Size) -> None:
        self.draw = draw
        self.size = size
        self.names = Names(draw)
        self.made = World()

    def world(self) -> World:
        for _ in range(self.size.countries):
            self._country()
        for country in self.made.countries:
            self._universities(country)
        for _ in range(self.size.people):
            self._person()
        self._teachers()
        self._climbers()
        self._museums_companies_and_clubs()
        for _ in range(self.size.works):
            self._work()
        for _ in range(self.size.species):
            self._species()
        for country in self.made.countries:
            self._railways(country)
        return self.made

    def _country(self) -> None:
        draw, tongue = self.draw, Tongue(self.draw)
        stem = self.names.fresh(tongue, syllables=(2, 2))
        country = Country(f"{stem}ia", tongue, f"{stem}ian", self.names.fresh(tongue, syllables=(1, 2)), 0)
        country.founded = draw.randint(900, 1700)
        for _ in range(self.size.regions):
            country.regions.append(self._region(country))
        country.capital = draw.choice(country.regions).capital
        country.capital.population *= 3
        self.made.countries.append(country)

    def _region(self, country: Country) -> Region:
        draw = self.draw
        name = self.names.fresh(country.tongue, ending=draw.choice(("mark", "land", "shire", "")))
        region = Region(name, country, draw.randint(900, 24_000), draw.randint(8_000, 190_000))
        for number in range(self.size.towns):
            people = draw.randint(90_000, 480_000) if number == 0 else draw.randint(900, 88_000)
            region.towns.append(
                Town(
                    self.names.fresh(country.tongue),
                    region,
                    people,
                    draw.randint(700, 1880),
                    draw.randint(2, 1400),
                    draw.choice(PRODUCTS),
                )
            )
        for _ in range(3):
            mountain = Mountain(f"Mount {self.names.fresh(country.tongue)}", region, draw.randint(1200, 6900))
            region.mountains.append(mountain)
        for _ in range(2):
            region.rivers.append(self._river(region))
        self.made.mountains += region.mountains
        self.made.rivers += region.rivers
        return region

    def _river(self, region: Region) -> River:
        draw = self.draw
        into = draw.choice(region.rivers) if region.rivers and draw.random() < 0.6 else None
        name = self.names.fresh(region.country.tongue, syllables=(1, 2))
        river = River(f"River {name}", region, draw.randint(35, 1300), draw.choice(region.mountains), into)
        free = [town for town in region.towns if town.river is None]
        for town in draw.sample(free, min(len(free), draw.randint(2, 5))):
            town.river = river
            river.towns.append(town)
        return river

    def _universities(self, country: Country) -> None:
        for town in self.draw.sample([region.capital for region in country.regions], min(3, len(country.regions))):
            since = self.draw.randint(max(town.founded + 20, 1300), 1900)
            place = Institution(f"University of {town.name}", "university", town, since, self.draw.randint(900, 42_000))
            self._add(place)

    def _add(self, place: Institution) -> None:
        self.made.institutions.append(place)
        place.town.institutions.append(place)

    def _person(self) -> None:
        draw = self.draw
        town = draw.choice(self.made.towns)
        tongue = town.region.country.tongue
        name = f"{draw.choice(tongue.given)} {self.names.fresh(tongue)}"
        year = draw.randint(1730, 1970)
        died, where = None, None
        if year < 1905 or draw.random() < 0.3:
            end = year + draw.randint(38, 94)
            if end < 2024:
                died = (end, draw.randint(1, 12), draw.randint(1, 28))
                where = draw.choice(town.region.country.towns)
        born = (year, draw.randint(1, 12), draw.randint(1, 28))
        person = Person(name, draw.choice(TRADES), town, born, died, where)
        schools = [one for one in self.made.institutions if one.founded < year + 15]
        if schools and draw.random() < 0.85:
            person.university = draw.choice(schools)
        town.people.append(person)
        self.made.people.append(person)

    def _teachers(self) -> None:
        for person in self.made.people:
            older = [
                one
                for one in self.made.people
                if one.trade == person.trade
                and 15 <= person.born[0] - one.born[0] <= 50
                and (one.died is None or one.died[0] > person.born[0] + 20)
            ]
            if older and self.draw.random() < 0.5:
                person.teacher = self.draw.choice(older)

    def _climbers(self) -> None:
        explorers = [one for one in self.made.people if one.trade == "explorer"]
        for mountain in self.made.mountains:
            if explorers and self.draw.random() < 0.7:
                mountain.climber = self.draw.choice(explorers)
                mountain.climbed = mountain.climber.born[0] + self.draw.randint(19, 37)

    def _museums_companies_and_clubs(self) -> None:
        draw = self.draw
        for country in self.made.countries:
            for town in draw.sample(country.towns, min(5, len(country.towns))):
                self._add(
                    Institution(
                        f"{town.name} Museum", "museum", town, draw.randint(1790, 1990), draw.randint(300, 90_000)
                    )
                )
            for town in draw.sample(country.towns, min(8, len(country.towns))):
                founder = draw.choice(self.made.people)
                since = founder.born[0] + draw.randint(22, 37)
                name = f"{founder.name.split()[-1]} {town.product.capitalize()}"
                if name not in {one.name for one in self.made.institutions}:
                    self._add(Institution(name, "company", town, since, draw.randint(20, 9_000), founder, town.product))
            for town in draw.sample(country.towns, min(6, len(country.towns))):
                self._add(
                    Institution(
                        f"{town.name} Rovers", "club", town, draw.randint(1870, 1960), draw.randint(800, 61_000)
                    )
                )

    def _work(self) -> None:
        draw = self.draw
        author = draw.choice([one for one in self.made.people if one.trade in MADE][: self.size.works // 4])
        kind = MADE[author.trade]
        country = author.birthplace.region.country
        museums = [one for one in self.made.institutions if one.kind == "museum"]
        place = draw.choice(museums) if kind == "painting" else draw.choice(country.towns)
        last = author.died[0] if author.died else 2020
        year = draw.randint(author.born[0] + 20, min(last, author.born[0] + 70, 2020))
        if kind == "bridge":
            title = f"{self.names.fresh(country.tongue)} Bridge"
        else:
            title = self.names.title(draw.choice(country.towns).name)
        work = Work(title, kind, author, year, place)
        author.works.append(work)
        self.made.works.append(work)

    def _species(self) -> None:
        draw = self.draw
        describer = draw.choice([one for one in self.made.people if one.trade in ("botanist", "explorer")])
        regions = draw.sample(self.made.regions, draw.randint(1, min(4, len(self.made.regions))))
        family = draw.choice(FAMILIES)
        name = f"{self.names.fresh(regions[0].country.tongue)} {family.removesuffix('s')}"
        self.made.species.append(Species(name, family, describer, describer.born[0] + draw.randint(24, 37), regions))

    def _railways(self, country: Country) -> None:
        draw = self.draw
        for _ in range(min(5, len(country.regions))):
            stations = draw.sample(country.towns, draw.randint(4, 9) if len(country.towns) > 12 else 4)
            name = f"{stations[0].name} to {stations[-1].name} railway"
            opened = draw.randint(1840, 1935)
            if name not in {one.name for one in self.made.railways}:
                self.made.railways.append(Railway(name, stations, draw.randint(40, 900), opened))
