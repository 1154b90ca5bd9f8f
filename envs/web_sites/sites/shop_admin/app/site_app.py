"""The shop's administration: pages of our own over the shop's tables."""

from heldout_django.app import with_media

from . import configuration, core, orders, people, products, reports

PARTS = (reports, orders, products, people, configuration)
application = with_media(core.application, "/media/")


def sign_in(role: str) -> dict[str, str]:
    """The login cookie of a role; the member of the staff who has it is called like it."""
    return core.application.login(role)
