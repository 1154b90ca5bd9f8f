"""Templates of tasks that need the encyclopaedia or the manuals and the tools."""

from random import Random

from envs.web_sites.generator.across import NOTE_TITLES, noted, number_noted
from envs.web_sites.generator.encyclopaedia_parts import SITE, entries, read
from envs.web_sites.generator.parts import Contents, Task, Template

ASK = "Save {what} on the scratchpad as a note titled '{title}', {form} alone as its text."


def birthplace_of_a_founder(draw: Random, contents: Contents, index: int) -> Task:
    """Who founded a company, and where was that person born: write it down."""
    held = entries(contents[SITE])
    company = draw.choice(held.of("company", "Founder"))
    founder = held.follow(company, "Founder")
    title = NOTE_TITLES[index]
    ask = ASK.format(what="the name of the town", title=title, form="the name")
    intent = f"In which town was the founder of {company.title} born? {ask}"
    return noted(SITE, intent, title, founder.one("Place of birth"), read(company, founder))


def people_of_two_towns(draw: Random, contents: Contents, index: int) -> Task:
    """Add up how many live in two towns and write it down."""
    del index
    held = entries(contents[SITE])
    one, other = draw.sample(held.of("town"), 2)
    total, title = one.number("Population") + other.number("Population"), draw.choice(NOTE_TITLES)
    ask = ASK.format(what="the number", title=title, form="the number")
    intent = f"How many people live in {one.title} and {other.title} together? {ask}"
    return number_noted(SITE, intent, title, total, read(one, other))


def help_desk_of_a_manual(draw: Random, contents: Contents, index: int) -> Task:
    """Find out whom to call and write it down."""
    held = entries(contents[SITE], "manuals")
    manual = draw.choice(held.of("manual"))
    number, title = manual.one("Help desk").split()[-1], NOTE_TITLES[index]
    ask = ASK.format(what="the number", title=title, form="the number")
    what = manual.title.removeprefix("Manual: ")
    intent = f"Which extension has the help desk that the manual '{what}' names? {ask}"
    return number_noted(SITE, intent, title, int(number), read(manual, book="manuals"))


TEMPLATES: tuple[Template, ...] = (birthplace_of_a_founder, people_of_two_towns, help_desk_of_a_manual)
