"""The shop: django-oscar, filled by a seed."""

from heldout_django import app

application = app.application("app.settings")
NAMES = {"customer": "customer", "newcomer": "newcomer", "manager": "manager"}


def make(seed: int, size: str) -> None:
    """Tables, catalogue, people, reviews and 24 months of orders."""
    from . import administration, catalogue, people, trade

    app.tables()
    draw = app.seeded(seed)
    small = size == "small"
    goods = catalogue.fill(draw, per_category=3 if small else 13)
    crowd = people.fill(draw, count=30 if small else 120)
    trade.reviews(draw, goods, crowd, each=2 if small else 3)
    trade.orders(draw, goods, crowd, count=120 if small else 900, of_the_customer=35)
    trade.extras(draw, goods, crowd)
    administration.fill(seed, goods, crowd, waiting=12 if small else 48)
    app.tidy()


def sign_in(role: str) -> dict[str, str]:
    """The login cookie of a role."""
    return app.signed_in(NAMES[role])
