"""The forge: repositories of real git objects, issues, merge requests, members; pages of our own."""

from . import code, core, issues, merges, projects, seeding

PARTS = (projects, code, issues, merges)
application, make = core.application, seeding.make


def sign_in(role: str) -> dict[str, str]:
    """The login cookie of a role; the person who has it is called like it."""
    return core.application.login(role)
