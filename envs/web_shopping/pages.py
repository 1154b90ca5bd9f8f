"""The shop's pages: what each shows, what can be clicked on it, and where a click or a search leads.

Facts: WebShop's text mode (texts of a page in order; buttons, then links, then options as what can be clicked).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from envs.web_shopping.product import Product

HITS = 50
A_PAGE = 10
SEPARATOR = " [SEP] "
BACK, PREVIOUS, NEXT, BUY = "Back to Search", "< Prev", "Next >", "Buy Now"
SUB_PAGES = ("Description", "Features", "Reviews")
THANKS = "Thank you for shopping with us!"

PageName = Literal["search", "results", "item", "sub_page", "done"]


class Shop(Protocol):
    """What pages need of a catalogue."""

    def find(self, text: str, most: int) -> Sequence[int]:
        """Keys of the products that fit best, best first."""
        ...

    def product(self, key: int) -> Product:
        """The product of a key."""
        ...


@dataclass(frozen=True)
class Page:
    """`texts` in the order of reading; `clickables` in lower case."""

    texts: tuple[str, ...]
    clickables: tuple[str, ...]
    has_search_bar: bool = False

    @property
    def observation(self) -> str:
        """The page as published: its texts with separators."""
        return SEPARATOR.join(_shown(self.texts))


def _shown(texts: Iterable[str]) -> Iterable[str]:
    """Without what a reader of HTML does not give: empty texts, and white space that has a line break in it."""
    return (text.strip() for text in texts if text.strip() or (text and "\n" not in text))


@dataclass
class Visit:
    """One participant in the shop. `found` are keys of products, `listed` those of the page of results that is shown.
    `bought` is set once the visit is over."""

    shop: Shop
    instruction: str
    name: PageName = "search"
    number: int = 1
    found: Sequence[int] = ()
    listed: Sequence[Product] = ()
    product: Product | None = None
    options: dict[str, str] = field(default_factory=dict)
    sub_page: str = ""
    bought: Product | None = None

    def page(self) -> Page:
        """What is shown now."""
        if self.name == "search":
            return Page(("WebShop", "Instruction:", self.instruction, "Search"), ("search",), has_search_bar=True)
        if self.name == "done":
            return Page((THANKS,), ())
        buttons, texts = [BACK], ["Instruction:", self.instruction, BACK]
        if self.name == "results":
            return self._results(buttons, texts)
        buttons.append(PREVIOUS)
        texts.append(PREVIOUS)
        product = self._chosen()
        if self.name == "sub_page":
            told = {"Description": (product.description,), "Features": product.bullets}.get(self.sub_page, ())
            return Page((*texts, *told), _clickables(buttons))
        for name, values in product.options.items():
            texts += [name, *values]
        texts += [product.name, f"Price: {product.price_tag}", "Rating: N.A.", *SUB_PAGES, BUY]
        return Page(tuple(texts), _clickables([*buttons, *SUB_PAGES, BUY], _options(product)))

    def _results(self, buttons: list[str], texts: list[str]) -> Page:
        turns = [PREVIOUS, NEXT] if self.number > 1 else [NEXT]
        texts += [f"Page {self.number} (Total results: {len(self.found)})", *turns]
        for product in self.listed:
            texts += [product.asin, product.name, product.price_tag]
        return Page(tuple(texts), _clickables([*buttons, *turns, *(product.asin for product in self.listed)]))

    def _chosen(self) -> Product:
        assert self.product is not None
        return self.product

    def search(self, keywords: str) -> None:
        """Look for products; as published, from every page."""
        self.found = self.shop.find(keywords, HITS)
        self._to_results(1)

    def _to_results(self, number: int) -> None:
        self.name, self.number, self.product, self.options = "results", number, None, {}
        keys = self.found[(number - 1) * A_PAGE : number * A_PAGE]
        self.listed = [self.shop.product(key) for key in keys]

    def click(self, target: str) -> bool:
        """Click what reads `target` in lower case; False, and nothing changes, where the page does not have it."""
        if self.name == "done" or target not in self.page().clickables or target == "search":
            return False
        if target == BUY.lower():
            self.name, self.bought = "done", self._chosen()
        elif target == BACK.lower():
            self.name, self.found, self.listed, self.product, self.options = "search", (), (), None, {}
        elif self.name == "results":
            self._click_on_results(target)
        elif self.name == "sub_page":
            self.name = "item"
        else:
            self._click_on_item(target)
        return True

    def _click_on_results(self, target: str) -> None:
        turn = {NEXT.lower(): 1, PREVIOUS.lower(): -1}.get(target)
        if turn is not None:
            self._to_results(self.number + turn)
            return
        self.product = next(one for one in self.listed if one.asin.lower() == target)
        self.name, self.options, self.listed = "item", {}, ()

    def _click_on_item(self, target: str) -> None:
        if target == PREVIOUS.lower():
            self._to_results(self.number)
        elif sub_page := next((name for name in SUB_PAGES if name.lower() == target), None):
            self.name, self.sub_page = "sub_page", sub_page
        else:
            self.options[_options(self._chosen())[target]] = target


def _options(product: Product) -> Mapping[str, str]:
    """The option that each value belongs to; of two options with one value, as published, the later one."""
    return {value: name for name, values in product.options.items() for value in values}


def _clickables(buttons: Iterable[str], values: Iterable[str] = ()) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*(button.lower() for button in buttons), *values]))
