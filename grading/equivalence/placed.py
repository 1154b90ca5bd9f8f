"""Statements that say what a function is or has on which sets or at which places.

`$f$ increases for $x > 0$ and decreases for $x < 0$`, `- $x = -1$: local maximum`, `a removable discontinuity at
$x = 2$`: pairs of a name of a closed class and a set, in whatever order. All pairs of the gold have to be said, and no
other.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, Rules, equal
from grading.equivalence.texts import compare_texts
from grading.language.extract import Extraction

_KINDS: Final = (
    ("increasing", r"(?:(?:strictly|monotonically)\s+)*(?:increas(?:es|ing)|rises|rising)"),
    ("decreasing", r"(?:(?:strictly|monotonically)\s+)*(?:decreas(?:es|ing)|falls|falling)"),
    ("constant", r"constant"),
    ("concave up", r"(?:strictly\s+)?(?:concave\s+up(?:wards?)?|convex)"),
    ("concave down", r"(?:strictly\s+)?concave(?:\s+down(?:wards?)?)?"),
    ("maximum", r"(?P<size>(?:local|relative|global|absolute)\s+)?max(?:imum|ima)?(?:\s+points?)?"),
    ("minimum", r"(?P<size2>(?:local|relative|global|absolute)\s+)?min(?:imum|ima)?(?:\s+points?)?"),
    ("saddle", r"saddle(?:\s+points?)?"),
    ("inflection", r"(?:points?\s+of\s+inflection|inflection(?:\s+points?)?)"),
    ("discontinuity", r"(?P<sort>removable|jump|infinite|essential|non-?removable)\s+discontinuity"),
    ("asymptote", r"(?P<sort2>vertical|horizontal|oblique|slant)\s+asymptotes?"),
    ("singularity", r"(?P<sort3>removable|essential|isolated)\s+singularity"),
    ("pole", r"(?P<sort4>simple|double|triple|first-order|second-order)\s+poles?"),
    ("positive", r"positive"),
    ("negative", r"negative"),
    ("continuous", r"continuous"),
    ("differentiable", r"differentiable"),
    ("undefined", r"undefined"),
)  # fmt: skip
_KIND: Final = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<k{place}>{words})" for place, (_, words) in enumerate(_KINDS)) + r")(?![\w-])",
    re.IGNORECASE,
)
_ON_A_SET: Final = frozenset({"increasing", "decreasing", "concave up", "concave down"})
"""What holds on an interval with its ends as it does without them."""
_NUMBER: Final = r"[-−+]?(?:\d[\d./]*(?:√\d+|π)?|∞|√\d+|π|i(?![a-z]))"
_PLAIN: Final = re.compile(
    rf"(?<![\w$^])(?:(?:{_NUMBER}\s*[<≤]\s*)?[a-z]\s*(?:[<>≤≥=]|<=|>=)\s*{_NUMBER}|[(\[]\s*{_NUMBER}\s*,\s*{_NUMBER}\s*[)\]])(?![\w^(])"
)
_FORMULA: Final = re.compile(r"\$\$?(?P<one>[^$\n]{1,160})\$\$?|\\\((?P<other>[^\n]{1,160}?)\\\)")
_ORDER: Final = r"(?:[<>≤≥]|\\(?:leq?|geq?|lt|gt|leqslant|geqslant)(?![a-z]))"
_PLACE: Final = re.compile(
    rf"\s*(?:(?:\\left)?[(\[].*,.*[)\]]|(?![fgh]\b)[a-z]\s*(?:=[^=]{{1,40}}|{_ORDER}[^=]+)|[^=a-z]+{_ORDER}\s*[a-z]\s*{_ORDER}[^=a-z]+|[a-z]\s*\\in.*)\s*",
    re.DOTALL,
)
_VALUE: Final = re.compile(r"\s*[-−+]?(?:[\d./]+|\\[dt]?frac\{\d+\}\{\d+\}|\\sqrt\{?\d+\}?|\\pi)\s*")
_BRACKET: Final = re.compile(r"\s*\([^()]*[\w\ue000-\ue2ff][^()]*\)")
_REASON: Final = re.compile(
    r"(?:,\s*|\s)(?:because|since|as(?=\s+(?:the|it|there|f)\b)|where|with\s+value)\b[^;\n]*?(?=[.;\n]|$)"
)
_TURNED: Final = re.compile(
    r"\b(?P<noun>discontinuity|singularity|asymptote)\s+at\s+(?P<place>[\ue000-\ue2ff])\s+is\s+(?:an?\s+)?(?P<sort>[a-z-]+)(?:\s+(?:one|discontinuity|singularity))?"
)
_UNSAID: Final = re.compile(
    r"\b(?:not|never|no|neither|nor|if|unless|or|but|except|only|would|could|might|may|maybe|perhaps|possibly|seems?|appears?|almost|nearly|claims?|says?|said|suppos\w*|assum\w*|wrong\w*|instead|rather|change[sd]?|from|until)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"\s*(?:,|and|,\s*and|∪|or)\s*(?:(?:on|for|at|in)\s+)?")
_FIRST: Final = 0xE000
_LONGEST: Final = 500
_MOST: Final = 8


def same_places(gold: str, text: str) -> Finding | None:
    """The finding where both say the same of the same sets and places; None of other texts."""
    if max(len(gold), len(text)) > _LONGEST:
        return None
    expected = _pairs(gold)
    found = _pairs(text) if expected else None
    if not expected or not found or len(expected) != len(found):
        return None
    left = list(found)
    for kind, place in expected:
        match = next((each for each in left if _is_kind(kind, each[0]) and _is_place(place, each[1], kind)), None)
        if match is None:
            return None
        left.remove(match)
    return equal("the same on the same sets")


@lru_cache(maxsize=256)
def _pairs(text: str) -> tuple[tuple[str, str], ...] | None:
    """Each kind that is named with its place; None of texts that are no such statement."""
    formulas: list[str] = []

    def put(found: re.Match[str]) -> str:
        inner = found[0] if found.re is _PLAIN else found["one"] or found["other"]
        formulas.append(inner.strip(" ,.;"))
        return chr(_FIRST + len(formulas) - 1)

    plain = _PLAIN.sub(put, _FORMULA.sub(put, text.replace("**", "")))
    plain = _TURNED.sub(r"\g<sort> \g<noun> at \g<place>", _REASON.sub("", _BRACKET.sub("", plain)))
    if _KIND.search(plain) is None or _UNSAID.search(plain):
        return None
    tokens: list[tuple[bool, str]] = []
    end = 0
    for found in re.finditer(f"{_KIND.pattern}|[\ue000-\ue2ff]", plain, re.IGNORECASE):
        formula = formulas[ord(found[0]) - _FIRST] if len(found[0]) == 1 and ord(found[0]) >= _FIRST else None
        if formula is None:
            tokens.append((True, _named(found)))
        elif _PLACE.fullmatch(formula) or (
            _VALUE.fullmatch(formula) and re.search(r"\b(?:at|in)\s$", plain[: found.start()])
        ):
            joined = tokens and not tokens[-1][0] and _JOINED.fullmatch(plain[end : found.start()])
            tokens[-1:] = [(False, f"{tokens[-1][1]} \ue3ff {formula}")] if joined else [*tokens[-1:], (False, formula)]
        else:
            continue
        end = found.end()
    return _paired(tokens) if len(tokens) <= 2 * _MOST else None


def _named(found: re.Match[str]) -> str:
    """A kind and what is said of its sort."""
    kind = next(name for place, (name, _) in enumerate(_KINDS) if found[f"k{place}"] is not None)
    sort = next((value.strip().lower() for name, value in found.groupdict().items() if name[0] == "s" and value), "")
    sort = {
        "relative": "local",
        "absolute": "global",
        "first-order": "simple",
        "second-order": "double",
        "slant": "oblique",
    }.get(sort, sort)
    return f"{sort} {kind}".strip()


def _paired(tokens: list[tuple[bool, str]]) -> tuple[tuple[str, str], ...] | None:
    """Kinds and places two by two, in either order within each pair."""
    if not tokens or len(tokens) % 2:
        return None
    found = []
    for (is_kind, one), (other_is_kind, other) in zip(tokens[::2], tokens[1::2], strict=True):
        if is_kind == other_is_kind:
            return None
        found.append((one, other) if is_kind else (other, one))
    return tuple(found)


def _is_kind(one: str, other: str) -> bool:
    """Whether two kinds are one; an extremum of which no size is said may be of any."""
    if one == other:
        return True
    bare = {one.rpartition(" ")[2], other.rpartition(" ")[2]}
    return len(bare) == 1 and bare <= {"maximum", "minimum"} and min(one.count(" "), other.count(" ")) == 0


def _is_place(one: str, other: str, kind: str) -> bool:
    one, other = _set(one, kind), _set(other, kind)
    return one == other or compare_texts(one, Extraction(other, "place"), Rules()).finding.equal


def _set(place: str, kind: str) -> str:
    """A place as what is compared: a union, without the name of its letter where that is an equation."""
    name = r"^\s*[a-z]\s*\\in\s*" if "asymptote" in kind else r"^\s*[a-z]\s*(?:=|\\in)\s*"
    parts = [re.sub(name, "", part) for part in place.split(" \ue3ff ")]
    if kind in _ON_A_SET:
        parts = [
            re.sub(r"[≤]|\\leq?(?:slant)?(?![a-z])", "<", re.sub(r"[≥]|\\geq?(?:slant)?(?![a-z])", ">", part))
            for part in parts
        ]
        parts = [part.replace("[", "(").replace("]", ")") for part in parts]
    if all(re.search(_ORDER, part) for part in parts):
        return r" \text{ or } ".join(parts)
    return (r" \cup " if any(re.match(r"\s*(?:\\left)?[(\[]", part) for part in parts) else ", ").join(parts)
