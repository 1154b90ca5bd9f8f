"""The shop: django-oscar, filled by a seed."""

from pathlib import Path

from heldout_django import app

application = app.application("app.settings")
NAMES = {"customer": "customer", "newcomer": "newcomer", "manager": "manager"}


def make(seed: int, size: str, products: Path | None = None) -> None:
    """Tables, catalogue, people, reviews and 24 months of orders; of a file of `products` a shop that sells these, in
    which nobody has ordered yet."""
    from . import administration, catalogue, listed, people, trade

    app.tables()
    draw = app.seeded(seed)
    if products is not None:
        listed.fill(products)
        administration.fill(seed, [], people.fill(draw, count=0), waiting=0)
        app.tidy()
        return
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
