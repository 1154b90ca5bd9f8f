"""A goal in words, as people ask for things; and the words they would type to find it."""

import random
from collections.abc import Sequence

from envs.web_shopping.assortment.vocabulary import sorts
from envs.web_shopping.draft import Goal
from envs.web_shopping.product import Product

_FRAMES = (
    "i am looking for {thing}{that}{with_}",
    "i need {thing}{that}{with_}",
    "please find me {thing}{that}{with_}",
    "can you get {thing} for me?{it_is}{in_}",
    "i want to buy {thing}{that}{with_}",
    "my sister asked for {thing}{that}{with_}",
    "for a present i want {thing}{that}{with_}",
    "find {thing}{that}, please.{in_}",
    "is there {thing} in your shop?{it_is}{in_}",
)
_THAT = (" that {is_} {listed}", ", {listed}", " ({listed})", " which {is_} {listed}")
_NO_VOWEL = ("one ", "usb ", "uv ", "usda ")
_FORMS = {
    "color": ("in {}", "the color should be {}"),
    "size": ("in size {}", "the size has to be {}"),
    "scent": ("with the scent {}", "the scent should be {}"),
    "flavor": ("with {} flavor", "the flavor is to be {}"),
    "capacity": ("with {} of space", "it has to hold {}"),
    "item package quantity": ("as a {}", "i take the {}"),
}


def wish(draw: random.Random, goal: Goal) -> tuple[str, str]:
    """The wish without its price, and what to search for."""
    name = _name(goal.product)
    before = [one for one in goal.attributes if draw.random() < 0.5 and not one.startswith(("with ", "for "))][:2]
    after = [one for one in goal.attributes if one not in before]
    thing = " ".join([*before, name])
    many = name.endswith("s") and not name.endswith("ss")
    article = "" if many else "an " if thing[0] in "aeiou" and not thing.startswith(_NO_VOWEL) else "a "
    is_, listed = "are" if many else "is", _joined(after)
    options = [_option(goal.product, value, sentence=False) for value in goal.options]
    sentences = [_option(goal.product, value, sentence=True) for value in goal.options]
    text = draw.choice(_FRAMES).format(
        thing=article + thing,
        that=draw.choice(_THAT).format(is_=is_, listed=listed) if after else "",
        it_is=f" {'they have' if many else 'it has'} to be {listed}." if after else "",
        with_=f" {_joined(options)}" if draw.random() < 0.5 else "".join(f". {one}" for one in sentences),
        in_="".join(f" {one}." for one in sentences).removesuffix("."),
    )
    return text, " ".join([thing, *after, *goal.options])


def _name(product: Product) -> str:
    """Its sort in the shop's own words, and what it is made of where the title says it."""
    (sort,) = (one for one in sorts() if one.query == product.query)
    title = product.name.lower()
    name = max((one for one in sort.names if one in title), key=len, default=sort.names[0])
    material = next((one for one in sort.made_of if one in title), "")
    whom = {"Men": "men's ", "Women": "women's "}.get(sort.category[2], "") if len(sort.category) > 2 else ""
    return " ".join(f"{whom}{material} {name}".split())


def _option(product: Product, value: str, *, sentence: bool) -> str:
    name = next(name for name, values in product.options.items() if value in values)
    inside, alone = _FORMS[name]
    return (alone if sentence else inside).format(value)


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
