"""Whether a goal holds: patterns that are met together by one choice of things for the variables."""

from collections.abc import Collection, Mapping, Sequence

Facts = Mapping[str, Collection[tuple[str, ...]]]
# These hold of few things at any time: tried first, they leave little to search.
_RARE = ("ishot", "iscool", "isclean", "istoggled", "issliced", "holds", "atlocation")


class Goal:
    """Patterns (predicate, terms...) and pairs of terms that must differ; a term `?x` is a variable."""

    def __init__(self, patterns: Sequence[tuple[str, ...]], distinct: Sequence[tuple[str, str]] = ()) -> None:
        self._patterns = sorted(patterns, key=lambda pattern: pattern[0] not in _RARE)
        self._distinct = tuple(distinct)

    def holds(self, facts: Facts) -> bool:
        """Whether some choice meets every pattern in `facts`."""
        return self._search(0, {}, facts)

    def _search(self, number: int, chosen: dict[str, str], facts: Facts) -> bool:
        if any(a in chosen and chosen[a] == chosen.get(b) for a, b in self._distinct):
            return False
        if number == len(self._patterns):
            return True
        predicate, *terms = self._patterns[number]
        known = facts.get(predicate, ())
        fixed = tuple(chosen.get(term, term) for term in terms)
        if not any(term.startswith("?") for term in fixed):
            return fixed in known and self._search(number + 1, chosen, facts)
        for row in known:
            found = _met(terms, row, chosen)
            if found is not None and self._search(number + 1, found, facts):
                return True
        return False


def _met(terms: Sequence[str], row: tuple[str, ...], chosen: dict[str, str]) -> dict[str, str] | None:
    found = dict(chosen)
    for term, value in zip(terms, row, strict=True):
        wanted = found.setdefault(term, value) if term.startswith("?") else term
        if wanted != value:
            return None
    return found
