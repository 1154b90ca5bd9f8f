"""Search for django-haystack straight in the session's database: topics whose title or posts hold every word.

An index beside the database would be state of its own, and would know only what was there when it was made.
"""

from functools import reduce
from operator import and_
from typing import Any

from django.db.models import Exists, OuterRef, Q
from haystack.backends import BaseEngine, BaseSearchBackend, BaseSearchQuery, SearchNode
from haystack.constants import DEFAULT_ALIAS
from haystack.models import SearchResult

PRIVATE = 1


class Backend(BaseSearchBackend):
    """Looks topics up with LIKE; topics whose title holds the words come first, then those last written in."""

    def update(self, index: Any, iterable: Any, commit: bool = True) -> None:
        """Nothing to keep."""

    def remove(self, obj_or_string: Any, commit: bool = True) -> None:
        """Nothing to keep."""

    def clear(self, models: Any = None, commit: bool = True) -> None:
        """Nothing to keep."""

    def search(self, query_string: str, **kwargs: Any) -> dict[str, Any]:
        """Results of `query_string`: the words, and after a line break the category ids to keep to."""
        words, _, categories = query_string.partition("\n")
        found = _topics(words.split(), [int(number) for number in categories.split()])
        first, last = int(kwargs.get("start_offset") or 0), kwargs.get("end_offset")
        results = [_result(topic) for topic in found[first:last]]
        return {"results": results, "hits": found.count()}


class Query(BaseSearchQuery):
    """Words and categories of the form's filters, as one text for the backend."""

    def build_query(self) -> str:
        """See `Backend.search`."""
        words: list[str] = []
        categories: list[str] = []
        _gather(self.query_filter, words, categories)
        return " ".join(words) + "\n" + " ".join(categories)


class Engine(BaseEngine):
    """What `HAYSTACK_CONNECTIONS` names."""

    backend = Backend
    query = Query


def _gather(node: Any, words: list[str], categories: list[str]) -> None:
    for child in node.children:
        if isinstance(child, SearchNode):
            _gather(child, words, categories)
            continue
        name, value = child
        if name.startswith("content"):
            words.extend(str(getattr(value, "query_string", value)).split())
        elif name.startswith("category_id"):
            categories.extend(map(str, value))


def _topics(words: list[str], categories: list[int]) -> Any:
    from spirit.comment.models import Comment
    from spirit.topic.models import Topic

    said = [Exists(Comment.objects.filter(topic=OuterRef("pk"), is_removed=False, comment__icontains=w)) for w in words]
    holds = reduce(and_, [Q(title__icontains=w) | Q(here) for w, here in zip(words, said, strict=True)], Q())
    titled = reduce(and_, [Q(title__icontains=w) for w in words], Q())
    topics = Topic.objects.visible().exclude(category_id=PRIVATE).filter(holds).select_related("category__parent")
    if categories:
        topics = topics.filter(Q(category_id__in=categories) | Q(category__parent_id__in=categories))
    return topics.annotate(titled=titled).order_by("-titled", "-last_active", "-pk")


def _result(topic: Any) -> SearchResult:
    fields = {name: getattr(topic, name) for name in ("title", "slug", "comment_count", "last_active")}
    fields["main_category_name"] = topic.main_category.title
    result = SearchResult("spirit_topic", "topic", topic.pk, 0, **fields)
    result.stored_fields = fields
    return result


__all__ = ["DEFAULT_ALIAS", "Backend", "Engine", "Query"]
