"""Lists, categories and the main page of the encyclopaedia."""

from collections import defaultdict

from .articles import number
from .book import Article, Ref, bullets, table
from .world import Country, Region, World


def lists(world: World) -> list[Article]:
    """Towns of every region; mountains, people and railways of every country; universities and countries of all."""
    found = [_towns(region) for region in world.regions]
    for country in world.countries:
        found += [_mountains(country, world), _people(country, world), _railways(country, world)]
    return [*found, _universities(world), _countries(world)]


def categories(articles: list[Article]) -> list[Article]:
    """A page for every category that an article names."""
    members: defaultdict[str, list[str]] = defaultdict(list)
    for article in articles:
        for name in article.categories:
            members[name].append(article.title)
    return [_category(name, sorted(titles)) for name, titles in sorted(members.items())]


def main_page(world: World, text: list[Article]) -> Article:
    """What the site opens with. `text`: all other articles."""
    made = Article("Main Page", "main")
    made.text = [
        (
            f"Welcome to the encyclopaedia, with {number(len(text))} articles on {len(world.countries)} countries. "
            "The box at the top of every page finds articles by their titles and by what they say."
        ),
        'Manuals of the other sites are in the <a href="/manuals/A/Main_Page">collection of manuals</a>.',
    ]
    made.section("Countries", bullets(Ref(country.name).html for country in world.countries))
    everything = ["List of countries", "List of universities"]
    made.section("Lists", bullets(Ref(title).html for title in everything))
    kinds = ("Novelists", "Painters", "Composers", "Botanists", "Engineers", "Explorers", "Physicists", "Historians")
    things = ("Novels", "Paintings", "Operas", "Bridges", "Museums", "Companies", "Football clubs")
    named = {article.title for article in text}
    there = [title for name in (*kinds, *things) if (title := f"Category: {name}") in named]
    made.section("Categories", bullets((Ref(title).html for title in there), columns=True))
    return made


def _category(name: str, titles: list[str]) -> Article:
    made = Article(f"Category: {name}", "category", text=[f"{number(len(titles))} articles are in this category."])
    made.section("Articles", bullets((Ref(title).html for title in titles), columns=True))
    return made


def _towns(region: Region) -> Article:
    made = Article(f"List of towns in {region.name}", "list", categories=[f"Towns in {region.name}"])
    made.text = [f"The towns of {Ref(region.name).html}, the region's capital first."]
    rows = (
        (Ref(town.name).html, number(town.population), f"{town.elevation} m", str(town.founded))
        for town in region.towns
    )
    made.section("Towns", table(("Town", "Population", "Elevation", "First recorded"), rows))
    return made


def _mountains(country: Country, world: World) -> Article:
    made = Article(f"List of mountains of {country.name}", "list", categories=[f"Mountains of {country.name}"])
    held = sorted((one for one in world.mountains if one.region.country is country), key=lambda one: one.name)
    rows = ((Ref(one.name).html, f"{number(one.elevation)} m", Ref(one.region.name).html) for one in held)
    made.section("Mountains", table(("Mountain", "Elevation", "Region"), rows))
    return made


def _people(country: Country, world: World) -> Article:
    made = Article(f"List of {country.demonym} people", "list", categories=[f"People from {country.name}"])
    held = [one for one in world.people if one.birthplace.region.country is country]
    rows = (
        (
            Ref(one.name).html,
            one.trade,
            str(one.born[0]),
            str(one.died[0]) if one.died else "",
            Ref(one.birthplace.name).html,
        )
        for one in sorted(held, key=lambda one: one.name)
    )
    made.section("People", table(("Name", "Occupation", "Born", "Died", "Place of birth"), rows))
    return made


def _railways(country: Country, world: World) -> Article:
    made = Article(f"List of railways of {country.name}", "list", categories=[f"Railways of {country.name}"])
    held = [one for one in world.railways if one.stations[0].region.country is country]
    rows = (
        (Ref(one.name).html, f"{number(one.length)} km", str(len(one.stations)), str(one.opened))
        for one in sorted(held, key=lambda one: one.name)
    )
    made.section("Railways", table(("Railway", "Length", "Stations", "Opened"), rows))
    return made


def _universities(world: World) -> Article:
    made = Article("List of universities", "list", categories=["Universities"])
    held = sorted((one for one in world.institutions if one.kind == "university"), key=lambda one: one.name)
    rows = (
        (Ref(one.name).html, Ref(one.town.region.country.name).html, str(one.founded), number(one.size)) for one in held
    )
    made.section("Universities", table(("University", "Country", "Founded", "Students"), rows))
    return made


def _countries(world: World) -> Article:
    made = Article("List of countries", "list", categories=["Countries"])
    rows = (
        (
            Ref(one.name).html,
            Ref(one.capital.name).html if one.capital else "",
            number(one.population),
            number(one.area),
        )
        for one in sorted(world.countries, key=lambda one: one.name)
    )
    made.section("Countries", table(("Country", "Capital", "Population", "Area in km²"), rows))
    return made
