"""Templates of tasks on the encyclopaedia."""

from collections import Counter
from random import Random

from envs.web_sites.generator.encyclopaedia_parts import SITE, Entries, Entry, entries, page, read
from envs.web_sites.generator.forum_parts import visit
from envs.web_sites.generator.parts import Contents, Task, Template, looked_up, opened
from envs.web_sites.generator.shop import MONTHS

NOBODY = ("Ada Quillmere", "Jonas Ferrowhite", "Mira Oldensand", "Piet Larkwater", "Ines Holtbrook")
NOWHERE = ("Vennermark", "Osterhaugh", "Tarrowfell", "Lindesmoor")
KINDS = {"novelist": "novels", "painter": "paintings", "composer": "operas"}


def birthplace_of_a_person(draw: Random, contents: Contents, index: int) -> Task:
    """Find somebody and read where they were born; the last task names somebody whom no article knows."""
    held = entries(contents[SITE])
    people = held.of("person", "Place of birth")
    one, none = draw.choice(people), index == 2
    name = draw.choice(NOBODY) if none else one.title
    others = [who.one("Place of birth") for who in draw.sample(people, 12)]
    seen = (f"goto [{{{{site {SITE}}}}}/search?pattern={name.replace(' ', '+')}&content={SITE}]",)
    return looked_up(draw, SITE, f"In which town was {name} born?", one.one("Place of birth"), others, seen, none=none)


def people_in_a_regions_capital(draw: Random, contents: Contents, index: int) -> Task:
    """From a region to its capital, and to how many live there; the last task names a region that there is not."""
    held, none = entries(contents[SITE]), index == 2
    region = draw.choice(held.of("region"))
    capital = held.follow(region, "Capital")
    others = [
        one.one("Population") for one in [*held.leading_to(region, "Region"), region] if "Population" in one.values
    ]
    name = draw.choice(NOWHERE) if none else region.title
    seen = (visit(f"/search?pattern={name}&content={SITE}", SITE),) if none else read(region, capital)
    intent = f"How many inhabitants does the capital of the region {name} have?"
    return looked_up(draw, SITE, intent, capital.one("Population"), others, seen, none=none)


def highest_mountain(draw: Random, contents: Contents, index: int) -> Task:
    """Find the highest mountain of a country in its list."""
    del index
    held = entries(contents[SITE])
    country, tops = draw.choice([(one, tops) for one in held.of("country") if (tops := _ranked(held, one))])
    listing = held[f"List_of_mountains_of_{country.path}"]
    intent = f"Which is the highest mountain of {country.title}?"
    return looked_up(draw, SITE, intent, tops[0].title, [one.title for one in tops], read(listing))


def _ranked(held: Entries, country: Entry) -> list[Entry]:
    """A country's mountains, the highest first; none where two are the highest."""
    regions = {one.path for one in held.leading_to(country, "Country") if one.kind == "region"}
    tops = [one for one in held.of("mountain") if one.targets["Region"][0] in regions]
    tops.sort(key=lambda one: -one.number("Elevation"))
    return tops if tops[0].number("Elevation") > tops[1].number("Elevation") else []


def works_before_a_year(draw: Random, contents: Contents, index: int) -> Task:
    """Count somebody's works up to a year."""
    del index
    held = entries(contents[SITE])
    by: dict[str, list[Entry]] = {}
    for work in held.of("work"):
        by.setdefault(work.targets["By"][0], []).append(work)
    several = [path for path, works in by.items() if len(works) >= 3 and held[path].one("Occupation") in KINDS]
    who = held[draw.choice(several)]
    years = sorted(work.year("Year") for work in by[who.path])
    year = draw.choice(years[1:]) + 1
    count = sum(one < year for one in years)
    intent = f"How many {KINDS[who.one('Occupation')]} did {who.title} finish before {year}? Answer with the number."
    return looked_up(draw, SITE, intent, str(count), [str(number) for number in range(len(years) + 2)], read(who))


def oldest_of_three(draw: Random, contents: Contents, index: int) -> Task:
    """Compare when three universities were founded."""
    del index
    held = entries(contents[SITE])
    three = draw.sample(held.of("university"), 3)
    while len({one.one("Founded") for one in three}) < 3:
        three = draw.sample(held.of("university"), 3)
    oldest = min(three, key=lambda one: one.year("Founded"))
    names = [one.title for one in three]
    intent = f"Which of these was founded first: the {names[0]}, the {names[1]} or the {names[2]}?"
    return looked_up(draw, SITE, intent, oldest.title, names, read(held["List_of_universities"]))


def birthplace_of_the_teacher(draw: Random, contents: Contents, index: int) -> Task:
    """From a pupil to the teacher, to the town, to its region; the last task's person was nobody's pupil."""
    held, none = entries(contents[SITE]), index == 2
    pupil = draw.choice(held.of("person", "Pupil of"))
    teacher = held.follow(pupil, "Pupil of")
    untaught = [one for one in held.of("person") if "Pupil of" not in one.values]
    asked, seen = (draw.choice(untaught), ()) if none else (pupil, (teacher, held.follow(teacher, "Place of birth")))
    town = held.follow(teacher, "Place of birth")
    intent = f"In which region was the person born whose pupil {asked.title} was?"
    regions = [one.title for one in held.of("region")]
    return looked_up(draw, SITE, intent, town.one("Region"), regions, read(asked, *seen), none=none)


def largest_town_on_a_river(draw: Random, contents: Contents, index: int) -> Task:
    """Compare the towns of a river."""
    del index
    held = entries(contents[SITE])
    found = [(one, _by_people(held, one)) for one in held.of("river", "Towns") if len(one.values["Towns"]) >= 3]
    river, towns = draw.choice([(one, towns) for one, towns in found if towns])
    intent = f"Which of the towns on the {river.title} has the most inhabitants?"
    return looked_up(draw, SITE, intent, towns[0].title, [one.title for one in towns], read(river, *towns))


def _by_people(held: Entries, river: Entry) -> list[Entry]:
    """The towns of a river, the largest first; none where two are the largest."""
    towns = sorted((held[path] for path in river.targets["Towns"]), key=lambda one: -one.number("Population"))
    return towns if towns[0].number("Population") > towns[1].number("Population") else []


def stations_of_a_railway(draw: Random, contents: Contents, index: int) -> Task:
    """Find a railway by a country and the year it was opened in; in the last task's year there was none."""
    held, none = entries(contents[SITE]), index == 2
    lines = held.of("railway")
    alike = Counter((one.targets["Country"][0], one.one("Opened")) for one in lines)
    line = draw.choice([one for one in lines if alike[one.targets["Country"][0], one.one("Opened")] == 1])
    others = [str(number) for number in range(3, 12)]
    home = held.follow(line, "Country")
    opened_in = {one.year("Opened") for one in held.leading_to(home, "Country") if one.kind == "railway"}
    years = [year for year in range(min(opened_in), max(opened_in) + 9) if year not in opened_in]
    year = draw.choice(years) if none else line.one("Opened")
    intent = f"How many stations does the railway of {home.title} have that was opened in {year}?"
    listing = held[f"List_of_railways_of_{home.path}"]
    seen = read(listing) if none else read(listing, line)
    return looked_up(draw, SITE, intent, line.one("Stations"), others, seen, none=none)


def first_on_a_mountain(draw: Random, contents: Contents, index: int) -> Task:
    """Who stood on a mountain first; of the last task's mountain nobody knows."""
    held = entries(contents[SITE])
    known, none = held.of("mountain", "First climbed by"), index == 2
    unknown = [one for one in held.of("mountain") if "First climbed by" not in one.values]
    top = draw.choice(unknown if none else known)
    people = [one.one("First climbed by") for one in draw.sample(known, 12)]
    right = people[0] if none else top.one("First climbed by")
    return looked_up(draw, SITE, f"Who was the first on the top of {top.title}?", right, people, read(top), none=none)


def age_at_death(draw: Random, contents: Contents, index: int) -> Task:
    """Work out how old somebody became; of the last task's person no death is told."""
    held, none = entries(contents[SITE]), index == 2
    one = draw.choice([who for who in held.of("person", "Died") if _day(who, "Born")[1:] != _day(who, "Died")[1:]])
    born, died = _day(one, "Born"), _day(one, "Died")
    age = died[0] - born[0] - (died[1:] < born[1:])
    living = [who for who in held.of("person", "Born") if "Died" not in who.values]
    asked = draw.choice(living) if none else one
    intent = f"How old was {asked.title} at death, in full years?"
    ages = [str(number) for number in range(age - 6, age + 6)]
    return looked_up(draw, SITE, intent, str(age), ages, read(asked), none=none)


def _day(one: Entry, label: str) -> tuple[int, int, int]:
    day, month, year = one.one(label).split()
    return int(year), MONTHS.index(month), int(day)


def open_the_university(draw: Random, contents: Contents, index: int) -> Task:
    """From a person to where they studied."""
    del index
    held = entries(contents[SITE])
    one = draw.choice(held.of("person", "Studied at"))
    place = held.follow(one, "Studied at")
    return opened(SITE, f"Open the article on the university at which {one.title} studied.", page(place), read(one))


def open_the_list_of_towns(draw: Random, contents: Contents, index: int) -> Task:
    """From a town to the list of its region."""
    del index
    held = entries(contents[SITE])
    town = draw.choice(held.of("town"))
    listing = held[f"List_of_towns_in_{town.targets['Region'][0]}"]
    intent = f"Open the list of all towns in the region in which {town.title} lies."
    return opened(SITE, intent, page(listing), read(town))


def open_the_category(draw: Random, contents: Contents, index: int) -> Task:
    """From a species to the category of its family."""
    del index
    held = entries(contents[SITE])
    one = draw.choice(held.of("species"))
    category = held[f"Category_{one.one('Family').capitalize()}"]
    return opened(SITE, f"Open the category to which the {one.title} belongs.", page(category), read(one))


def open_the_manual(draw: Random, contents: Contents, index: int) -> Task:
    """Find a manual by its document number."""
    del index
    held = entries(contents[SITE], "manuals")
    one = draw.choice(held.of("manual"))
    number = one.one("Document number")
    seen = (f"goto [{{{{site {SITE}}}}}/search?pattern={number}&content=manuals]",)
    return opened(SITE, f"Open the manual with the document number {number}.", page(one, "manuals"), seen)


TEMPLATES: tuple[Template, ...] = (
    birthplace_of_a_person,
    people_in_a_regions_capital,
    highest_mountain,
    works_before_a_year,
    oldest_of_three,
    birthplace_of_the_teacher,
    largest_town_on_a_river,
    stations_of_a_railway,
    first_on_a_mountain,
    age_at_death,
    open_the_university,
    open_the_list_of_towns,
    open_the_category,
    open_the_manual,
)
