"""The articles of the encyclopaedia, one for everything in the world."""

from .book import Article, Ref, bullets
from .world import Country, Institution, Mountain, Person, Railway, Region, River, Species, Town, Work, World

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
SIZE_OF = {"university": "Students", "museum": "Objects", "company": "Employees", "club": "Seats in the stadium"}


def articles(world: World) -> list[Article]:
    """All of them, lists and categories excepted."""
    found = [_country(one) for one in world.countries]
    found += [_region(one) for one in world.regions]
    found += [_town(one, world) for one in world.towns]
    found += [_river(one, world) for one in world.rivers]
    found += [_mountain(one) for one in world.mountains]
    found += [_person(one, world) for one in world.people]
    found += [_work(one) for one in world.works]
    found += [_institution(one) for one in world.institutions]
    found += [_species(one) for one in world.species]
    return found + [_railway(one) for one in world.railways]


def day(date: tuple[int, int, int]) -> str:
    """A date in words."""
    year, month, number = date
    return f"{number} {MONTHS[month - 1]} {year}"


def number(value: int) -> str:
    """With commas."""
    return f"{value:,}"


def _country(one: Country) -> Article:
    assert one.capital
    made = Article(one.name, "country", categories=["Countries"])
    made.row("Capital", Ref(one.capital.name))
    made.row("Demonym", one.demonym)
    made.row("Currency", one.currency)
    made.row("Area", f"{number(one.area)} km²")
    made.row("Population", number(one.population))
    made.row("Founded", str(one.founded))
    made.row("Regions", *(Ref(region.name) for region in one.regions))
    made.text = [
        (
            f"<b>{one.name}</b> is a country of {len(one.regions)} regions, founded in {one.founded}. Its capital "
            f"is {Ref(one.capital.name).html} in {Ref(one.capital.region.name).html}, and it pays in {one.currency}."
        ),
        f"{number(one.population)} people live on {number(one.area)} square kilometres.",
    ]
    lists = [f"List of mountains of {one.name}", f"List of {one.demonym} people", f"List of railways of {one.name}"]
    made.section("See also", bullets(Ref(title).html for title in lists))
    return made


def _region(one: Region) -> Article:
    made = Article(one.name, "region", categories=[f"Regions of {one.country.name}"])
    made.row("Country", Ref(one.country.name))
    made.row("Capital", Ref(one.capital.name))
    made.row("Area", f"{number(one.area)} km²")
    made.row("Population", number(one.population))
    made.text = [
        (
            f"<b>{one.name}</b> is a region of {Ref(one.country.name).html} with {number(one.population)} inhabitants, "
            f"{number(one.rural)} of whom live outside its {len(one.towns)} towns."
        ),
    ]
    land = [river.name for river in one.rivers] + [mountain.name for mountain in one.mountains]
    made.section("Rivers and mountains", bullets(Ref(name).html for name in land))
    made.section("See also", bullets([Ref(f"List of towns in {one.name}").html]))
    return made


def _town(one: Town, world: World) -> Article:
    region = one.region
    made = Article(one.name, "town", categories=[f"Towns in {region.name}"])
    made.row("Country", Ref(region.country.name))
    made.row("Region", Ref(region.name))
    made.row("Population", number(one.population))
    made.row("Elevation", f"{one.elevation} m")
    made.row("First recorded", str(one.founded))
    made.row("River", *([Ref(one.river.name)] if one.river else []))
    where = f" It lies on the {Ref(one.river.name).html}." if one.river else ""
    seat = " and the region's capital" if region.capital is one else ""
    made.text = [
        f"<b>{one.name}</b> is a town{seat} in {Ref(region.name).html}, {Ref(region.country.name).html}.{where}",
        (
            f"The town is first recorded in {one.founded} and has {number(one.population)} inhabitants. It is known "
            f"for its {one.product}."
        ),
    ]
    lines = [line for line in world.railways if one in line.stations]
    made.section("Transport", bullets(f"Station of the {Ref(line.name).html}" for line in lines))
    made.section(
        "Institutions", bullets(f"{Ref(place.name).html}, since {place.founded}" for place in one.institutions)
    )
    born = sorted(one.people, key=lambda person: person.born)
    made.section("People", bullets(f"{Ref(who.name).html} (born {who.born[0]}), {who.trade}" for who in born))
    return made


def _river(one: River, world: World) -> Article:
    made = Article(one.name, "river", categories=[f"Rivers of {one.region.country.name}"])
    made.row("Country", Ref(one.region.country.name))
    made.row("Length", f"{number(one.length)} km")
    made.row("Source", Ref(one.source.name))
    made.row("Flows into", Ref(one.into.name) if one.into else "the sea")
    made.row("Towns", *(Ref(town.name) for town in one.towns))
    into = f"the {Ref(one.into.name).html}" if one.into else "the sea"
    made.text = [
        (
            f"The <b>{one.name}</b> rises on {Ref(one.source.name).html} in {Ref(one.region.name).html} and flows into "
            f"{into} after {number(one.length)} kilometres."
        )
    ]
    taken = [river for river in world.rivers if river.into is one]
    made.section("Tributaries", bullets(f"{Ref(river.name).html} ({number(river.length)} km)" for river in taken))
    return made


def _mountain(one: Mountain) -> Article:
    made = Article(one.name, "mountain", categories=[f"Mountains of {one.region.country.name}"])
    made.row("Region", Ref(one.region.name))
    made.row("Elevation", f"{number(one.elevation)} m")
    first = "Nobody is known to have stood on its top."
    if one.climber:
        made.row("First ascent", str(one.climbed))
        made.row("First climbed by", Ref(one.climber.name))
        first = f"{Ref(one.climber.name).html} was the first on its top, in {one.climbed}."
    made.text = [
        (
            f"<b>{one.name}</b> is a mountain of {number(one.elevation)} metres in {Ref(one.region.name).html}, "
            f"{Ref(one.region.country.name).html}. {first}"
        )
    ]
    return made


def _person(one: Person, world: World) -> Article:
    country = one.birthplace.region.country
    made = Article(one.name, "person", categories=[f"People from {country.name}", f"{one.trade.capitalize()}s"])
    made.row("Born", day(one.born))
    made.row("Place of birth", Ref(one.birthplace.name))
    if one.died and one.place_of_death:
        made.row("Died", day(one.died))
        made.row("Place of death", Ref(one.place_of_death.name))
    made.row("Occupation", one.trade)
    made.row("Studied at", *([Ref(one.university.name)] if one.university else []))
    made.row("Pupil of", *([Ref(one.teacher.name)] if one.teacher else []))
    verb = "was" if one.died else "is"
    made.text = [f"<b>{one.name}</b> {verb} a {country.demonym} {one.trade}, born in {Ref(one.birthplace.name).html}."]
    if one.university:
        year = one.born[0] + 18
        made.text.append(f"From {year} on, {one.name} studied at the {Ref(one.university.name).html}.")
    if one.teacher:
        made.text.append(f"The greatest influence was the {one.teacher.trade} {Ref(one.teacher.name).html}.")
    works = sorted(one.works, key=lambda work: (work.year, work.title))
    made.section("Works", bullets(f"{Ref(work.title).html} ({work.kind}, {work.year})" for work in works))
    climbed = [mountain for mountain in world.mountains if mountain.climber is one]
    made.section("First ascents", bullets(f"{Ref(top.name).html} ({top.climbed})" for top in climbed))
    pupils = [who for who in world.people if who.teacher is one]
    made.section("Pupils", bullets(Ref(who.name).html for who in pupils))
    founded = [place for place in world.institutions if place.founder is one]
    made.section("Companies founded", bullets(f"{Ref(place.name).html} ({place.founded})" for place in founded))
    return made


def _work(one: Work) -> Article:
    words = {"painting": "Shown in", "bridge": "Stands in"}
    made = Article(
        one.title, "work", categories=[f"{one.kind.capitalize()}s" if one.kind != "history" else "Histories"]
    )
    made.row("Kind", one.kind)
    made.row("By", Ref(one.author.name))
    made.row("Year", str(one.year))
    made.row(words.get(one.kind, "First published in"), Ref(one.place.name))
    made.text = [
        (
            f"<b>{one.title}</b> is a {one.kind} of {one.year} by the {one.author.birthplace.region.country.demonym} "
            f"{one.author.trade} {Ref(one.author.name).html}."
        )
    ]
    others = sorted((work for work in one.author.works if work is not one), key=lambda work: (work.year, work.title))
    made.section("Others by the same hand", bullets(f"{Ref(work.title).html} ({work.year})" for work in others))
    return made


def _institution(one: Institution) -> Article:
    plural = {"university": "Universities", "museum": "Museums", "company": "Companies", "club": "Football clubs"}
    made = Article(one.name, one.kind, categories=[plural[one.kind]])
    made.row("Town", Ref(one.town.name))
    made.row("Founded", str(one.founded))
    made.row("Founder", *([Ref(one.founder.name)] if one.founder else []))
    made.row("Product", *([one.about] if one.about else []))
    made.row(SIZE_OF[one.kind], number(one.size))
    what = "football club" if one.kind == "club" else one.kind
    made.text = [
        (
            f"<b>{one.name}</b> is a {what} in {Ref(one.town.name).html}, {Ref(one.town.region.country.name).html}, "
            f"founded in {one.founded}."
        )
    ]
    return made


def _species(one: Species) -> Article:
    made = Article(one.name, "species", categories=[one.family.capitalize()])
    made.row("Family", one.family)
    made.row("Described by", Ref(one.describer.name))
    made.row("Described in", str(one.described))
    made.row("Found in", *(Ref(region.name) for region in one.regions))
    where = ", ".join(Ref(region.name).html for region in one.regions)
    made.text = [
        (
            f"The <b>{one.name}</b> is one of the {one.family}. It lives in {where} and was first described by "
            f"{Ref(one.describer.name).html} in {one.described}."
        )
    ]
    return made


def _railway(one: Railway) -> Article:
    country = one.stations[0].region.country
    made = Article(one.name, "railway", categories=[f"Railways of {country.name}"])
    made.row("Country", Ref(country.name))
    made.row("Length", f"{number(one.length)} km")
    made.row("Opened", str(one.opened))
    made.row("Stations", str(len(one.stations)))
    ends = f"{Ref(one.stations[0].name).html} and {Ref(one.stations[-1].name).html}"
    made.text = [f"The <b>{one.name}</b> has joined {ends} since {one.opened}."]
    stops = "".join(f"<li>{Ref(town.name).html}</li>" for town in one.stations)
    made.section("Stations", f"<ol>{stops}</ol>")
    return made
