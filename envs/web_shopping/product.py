"""A product as the shop knows it."""

import hashlib
from collections.abc import Iterable, Mapping

import msgspec
from pydantic import JsonValue


class Product(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`asin` is its number in the shop, upper-case; `query` and `category` (names with ` › ` between) say what sort of
    thing it is; `options` are lower-case values by name. `price` is what it costs in dollars, `price_tag` what is
    shown.

    `attributes` and `query` are shown to nobody: they count when a purchase is graded.
    """

    asin: str
    name: str
    query: str
    category: str
    attributes: tuple[str, ...]
    options: dict[str, tuple[str, ...]]
    price: float
    price_tag: str
    description: str
    bullets: tuple[str, ...]

    @property
    def text(self) -> str:
        """What a search looks through: title, description, first bullet and options."""
        options = ", and ".join(f"{name}: {', '.join(values)}" for name, values in self.options.items())
        return " ".join([self.name, self.description, self.bullets[0] if self.bullets else "", options])

    def bought(self, options: Mapping[str, str]) -> dict[str, JsonValue]:
        """What is known of it once it was bought with these options, as plain JSON."""
        known: dict[str, JsonValue] = msgspec.json.decode(encode(self))
        return known | {"options": dict(options)}


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Product)


def encode(product: Product) -> bytes:
    """One line of JSON, the same for the same product."""
    return _ENCODER.encode(product)


def decode(line: bytes) -> Product:
    """The product of a line. Raises msgspec.ValidationError."""
    return _DECODER.decode(line)


def digest(products: Iterable[Product]) -> str:
    """SHA-256 over the products in their order."""
    found = hashlib.sha256()
    for product in products:
        found.update(encode(product) + b"\n")
    return found.hexdigest()
