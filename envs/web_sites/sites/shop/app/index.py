"""Search in the session's own tables: a Haystack engine without an index that would have to be kept beside them."""

from functools import cached_property, reduce
from operator import and_, or_
from typing import Any

from django.db.models import Case, IntegerField, Min, Q, Value, When
from haystack.backends import BaseEngine, BaseSearchBackend, BaseSearchQuery, SearchNode
from haystack.models import SearchResult
from oscar.core.loading import get_model

COLUMNS = {
    "category__in": "categories__in",
    "is_public__content": "is_public",
    "is_public": "is_public",
    "structure__in": "structure__in",
}
ORDERS = {"title_exact": "title", "price": "lowest_price", "rating": "rating", "date_created": "date_created"}
SEARCHED = ("title", "upc", "description")
TRUTHS = {"true": True, "false": False}


class TableBackend(BaseSearchBackend):
    """Products that meet a query; nothing is indexed, and no facets are counted."""

    def update(self, index: Any, iterable: Any, commit: bool = True) -> None:
        """Nothing to do: the tables are what is searched."""

    def remove(self, obj_or_string: Any, commit: bool = True) -> None:
        """Nothing to do."""

    def clear(self, models: Any = None, commit: bool = True) -> None:
        """Nothing to do."""

    def search(self, query_string: Any, **kwargs: Any) -> dict[str, Any]:
        """One page of products in the order asked for; equal ones by their ids."""
        wanted, words = query_string
        found = _found(wanted).annotate(lowest_price=Min("stockrecords__price"))
        found = found.order_by(*_order(kwargs.get("sort_by")), *_relevance(words), "id").values_list("pk", flat=True)
        # Ids are sorted and told apart, not rows with all their texts.
        page = list(found[kwargs.get("start_offset") or 0 : kwargs.get("end_offset")])
        # How many there are, the query asks when somebody wants to know (see `TableQuery.get_count`).
        products = Products(page)
        return {"results": [Found(key, products) for key in page], "hits": None}

    def hits(self, query_string: Any) -> int:
        """How many products meet a query."""
        return int(_found(query_string[0]).values("pk").count())

    def more_like_this(self, model_instance: Any, **_kwargs: Any) -> dict[str, Any]:
        """There is no likeness here."""
        del model_instance
        return {"results": [], "hits": 0}


def _found(wanted: Q) -> Any:
    return get_model("catalogue", "Product").objects.browsable().filter(wanted).distinct()


def _order(sort_by: Any) -> list[str]:
    names = []
    for name in sort_by or ():
        column = ORDERS.get(str(name).lstrip("-"))
        if column:
            names.append(("-" if str(name).startswith("-") else "") + column)
    return names


def _relevance(words: list[str]) -> list[Any]:
    if not words:
        return []
    in_title = reduce(and_, (Q(title__icontains=word) for word in words))
    return [Case(When(in_title, then=Value(0)), default=Value(1), output_field=IntegerField())]


class Products:
    """The products of a page of what was found, read when the first is looked at: haystack may read them itself."""

    def __init__(self, keys: list[int]) -> None:
        self._keys = keys

    @cached_property
    def by_key(self) -> dict[int, Any]:
        """Each with what is shown of it in a list."""
        listed = get_model("catalogue", "Product").objects.browsable().base_queryset()
        return dict(listed.in_bulk(self._keys))


class Found(SearchResult):
    """A product that was found."""

    def __init__(self, key: int, products: Products) -> None:
        super().__init__("catalogue", "product", key, 0)
        self._object: Any = None
        self._products = products

    def _get_object(self) -> Any:
        if self._object is None:
            self._object = self._products.by_key.get(self.pk)
        return self._object

    object = property(_get_object, SearchResult._set_object)


class TableQuery(BaseSearchQuery):
    """A query as a condition on products, and the words that were searched for."""

    _counted: int | None = None

    def build_query(self) -> Any:
        """The condition and the words."""
        words: list[str] = []
        return _condition(self.query_filter, words), words

    def get_count(self) -> int:
        """How many there are, without the products themselves, asked for once: other limits change nothing about it."""
        if self._counted is None:
            self._counted = self.backend.hits(self.build_query())
        return self._counted


def _condition(node: Any, words: list[str]) -> Q:
    parts = [_condition(c, words) if isinstance(c, SearchNode) else _test(c, words) for c in node.children]
    if not parts:
        return Q()
    joined = reduce(or_ if node.connector == SearchNode.OR else and_, parts)
    return ~joined if node.negated else joined


def _test(child: tuple[str, Any], words: list[str]) -> Q:
    name, value = child
    if name.startswith("content"):
        text = str(getattr(value, "query_string", value))
        own = text.split()[:20]
        words += own
        tests = [reduce(or_, (Q(**{f"{column}__icontains": word}) for column in SEARCHED)) for word in own]
        return reduce(and_, tests, Q())
    column = COLUMNS.get(name)
    return Q(**{column: TRUTHS.get(str(value), value)}) if column else Q()


class Engine(BaseEngine):
    """What `HAYSTACK_CONNECTIONS` names."""

    backend = TableBackend
    query = TableQuery
