"""Permutations in cycle notation: `(1\\,2\\,3)(4\\,5)`, `(1 2 3)(4 5)`, `(123)(45)`; and as rows of numbers."""

import re

_GAP = r"(?:\s|\\[,;:! ]|~|\\quad(?![A-Za-z]))+"
_ARROW = r"\s*(?:\\(?:mapsto|to|rightarrow)(?![A-Za-z])|→|↦|->)\s*"
_BETWEEN = rf"(?:{_GAP}|\s*,{_GAP}|,|{_ARROW})"
_CYCLE = re.compile(rf"\(\s*(\d{{1,2}}(?:{_BETWEEN}\d{{1,2}})+|\d{{1,9}})\s*\)(?:{_GAP})?")
_JOINT = re.compile(_BETWEEN)
_DRESS = re.compile(r"\\(?:left|right|circ|cdot|bigl?|bigr?)(?![A-Za-z])|[∘·]")
_ROWS = re.compile(
    r"\\begin\{[a-z]?matrix\}(?P<above>(?:\s*\d{1,2}\s*&)+\s*\d{1,2})\s*\\\\\s*(?P<below>(?:\s*\d{1,2}\s*&)+\s*\d{1,2})\s*(?:\\\\\s*)?\\end\{[a-z]?matrix\}"
)
_NAMED = re.compile(r"[^=]{1,80}(?:=[^=]{1,80})?=\s*(?=[\\(])")
"""`\\sigma =`, `\\sigma\\tau = (1 2)(2 3) =`"""
_SET = re.compile(r"[\s$]*(?:[A-Z]\w?\s*=\s*)?(?:\\left\s*)?\\\{(?P<inner>.*?)(?:\\right\s*)?\\\}[\s$.]*")
_IDENTITY = re.compile(r"e|1|id|\\(?:mathrm|text|operatorname)\s*\{\s*(?:id|e)\s*\}|\(\s*1?\s*\)|\\varepsilon|\\iota")
_MAX = 200


def permutation(text: str) -> tuple[dict[int, int], bool] | None:
    """Where each moved number goes, and whether gaps stand between the numbers; None of what is no product of
    disjoint cycles."""
    if "(" not in text and "matrix" not in text:
        return None
    bare = _DRESS.sub("", text[:_MAX]).strip(" $.")
    named = _NAMED.match(bare)
    bare = bare if named is None else bare[named.end() :]
    rows = _ROWS.fullmatch(bare)
    if rows is not None:
        return _of_rows(rows)
    moved: dict[int, int] = {}
    place, apart = 0, False
    while place < len(bare):
        cycle = _CYCLE.match(bare, place)
        if cycle is None:
            return None
        spaced = re.search(_GAP, cycle[1]) is not None and re.search(r"(?<!\\),", cycle[1]) is None
        apart = apart or spaced
        found = _JOINT.split(cycle[1]) if _JOINT.search(cycle[1]) is not None else [*cycle[1]]
        members = [int(member) for member in found]
        if re.search(_ARROW, cycle[1]) is not None and members[0] == members[-1]:
            members.pop()  # `1 -> 2 -> 3 -> 1`
        if len(set(members)) != len(members) or moved.keys() & set(members):
            return None
        moved.update(zip(members, [*members[1:], members[0]], strict=True))
        place = cycle.end()
    return ({one: other for one, other in moved.items() if one != other}, apart) if moved else None


def _of_rows(rows: re.Match[str]) -> tuple[dict[int, int], bool] | None:
    """Each number above goes to the one below it."""
    above, below = ([int(each) for each in rows[side].split("&")] for side in ("above", "below"))
    if len(above) != len(below) or sorted(above) != sorted(below) or len({*above}) < len(above):
        return None
    return {one: other for one, other in zip(above, below, strict=True) if one != other}, True


def permutations(text: str) -> tuple[frozenset[tuple[tuple[int, int], ...]], bool] | None:
    """A set of permutations, `\\{e, (1 2 3), (1 3 2)\\}`, each by where its numbers go; None of other texts.

    The second value tells whether one of them is certainly a permutation.
    """
    whole = _SET.fullmatch(text[:_MAX]) if "{" in text and "(" in text else None
    if whole is None:
        return None
    found: set[tuple[tuple[int, int], ...]] = set()
    certain = False
    for part in re.split(r",(?![^()]*\))", whole["inner"].replace("\\,", " ")):
        if _IDENTITY.fullmatch(part.strip()) is not None:
            found.add(())
            continue
        read = permutation(part)
        if read is None:
            return None
        certain = certain or read[1]
        found.add(tuple(sorted(read[0].items())))
    return frozenset(found), certain
