"""The tag that shows a product in a list, as oscar's, for less: what was shown once is not worked out again."""

import secrets
from functools import lru_cache
from typing import Any

from django import template
from django.utils.safestring import SafeString
from oscar.templatetags import product_tags

MOST_KEPT = 4096
# Stands for the token of the page's forms in what is kept.
TOKEN = secrets.token_hex(16)
register = template.Library()


class Shown:
    """A product on a page. Two are equal when everything is that oscar's template says of a product."""

    def __init__(self, context: Any, product: Any) -> None:
        self.context, self.product = context, product
        request, image = context["request"], product.primary_image()
        bought = request.strategy
        info = bought.fetch_for_parent(product) if product.is_parent else bought.fetch_for_product(product)
        price, available = info.price, info.availability
        self._said = (
            product.pk,
            product.upc,
            product.get_product_class().slug,
            product.get_title(),
            product.get_absolute_url(),
            product.rating,
            product.is_parent,
            bool(product.has_options),
            str(image["original"] if isinstance(image, dict) else image.original),
            price.exists,
            price.exists and (price.is_tax_known, price.excl_tax, price.incl_tax if price.is_tax_known else None),
            price.currency,
            available.code,
            str(available.short_message),
            available.is_available_to_buy,
            bool(context.get("verbose")),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)


@lru_cache(MOST_KEPT)
def _kept(shown: Shown) -> SafeString:
    context, product = shown.context, shown.product
    shown.context = shown.product = None
    with context.push(csrf_token=TOKEN):
        return SafeString(product_tags.render_product(context, product))


@register.simple_tag(takes_context=True)  # type: ignore[untyped-decorator]
def render_product(context: Any, product: Any) -> Any:
    """As oscar's tag of this name."""
    if not product:
        return ""
    if f"add_to_basket_form_post_data_{product.pk}" in context["request"].session:
        # Its form says what was wrong with what was sent.
        return product_tags.render_product(context, product)
    return SafeString(_kept(Shown(context, product)).replace(TOKEN, str(context["csrf_token"])))
