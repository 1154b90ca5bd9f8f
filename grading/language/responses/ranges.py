"""Sets of numbers as sentences state them: `The inequality holds exactly when $2 < x < 5$`, `x must be at most 3`."""

import re

from grading.language import words
from grading.language.responses import vocabulary as say
from grading.language.responses.segments import MARK, Response, segmented

_DRAWN = (
    r"so|thus|hence|therefore|finally|consequently|in\s+other\s+words"
    r"|(?:we\s+(?:conclude|see|find)|it\s+follows)(?:\s+that)?"
)
_LEAD = rf"(?:(?:{_DRAWN})\b[\s,]*)*"
_PLAIN = r"[-−]?(?:\d+(?:\.\d+)?(?:√\d+|π|e(?![a-z]))?|√\d+|π|e(?![a-z]))(?:/\d+)?"
_NUMBER = rf"(?:{MARK}|{_PLAIN})"
_SET = rf"(?:the\s+(?:open\s+|closed\s+|half-open\s+)?interval\s+)?(?P<set>{MARK}(?:\s*,?\s*(?:or|and)\s+{MARK})?)"
_LETTER = rf"(?P<letter>{MARK}|[a-z])"
_AGAIN = (
    rf"(?:\s*,?\s*(?:i\.\s?e\.|that\s+is|or|so|in\s+other\s+words|equivalently|that\s+is\s+to\s+say)\s*,?\s*(?:for\s+(?:all|every|any)\s+(?:(?:{MARK}|[a-z])\s+)?(?:in\s+)?)?"
    rf"(?:the\s+(?:open\s+|closed\s+|half-open\s+)?interval\s+)?(?P<again>{MARK}))?\W*$"
)
_ALL = re.compile(
    rf"^{_LEAD}(?:(?:the|our)\s+(?:solution(?:\s+set)?|domain|range|image|answer|set(?:\s+of\s+[a-z]+){{0,2}})(?:\s+of\s+[^,;:]{{1,40}}?)?"
    rf"\s+(?:is|are|consists\s+of)\s+(?:(?:therefore|thus|hence|then|exactly|precisely)\s+)*)?(?:the\s+set\s+of\s+)?(?:all|every|any)\s+(?:real\s+)?(?:numbers?\s+|values?\s+(?:of\s+)?)?"
    rf"(?:{_LETTER}\s*)?,?\s*(?:with|such\s+that|satisfying|where|for\s+which|in)\s+{_SET}(?:\s*,?\s+(?:satisfy|solve|fulfil|meet|work|are\s+(?:solutions|allowed|admissible|possible))\b[^\d\ue000-\ue2ff]*$|{_AGAIN})",
    re.IGNORECASE,
)
_BY = re.compile(
    rf"^{_LEAD}(?:the|this|our|it)\b[^;:]{{0,80}}?\b(?:is|are)\s+(?:satisfied|solved|fulfilled|met)\s+(?:(?:exactly|precisely|only|just)\s+)?by\s+(?:(?:exactly|precisely|only|just)\s+)?(?:all|those|every|any|the)\s+(?:real\s+)?"
    rf"(?:numbers?\s+|values?\s+(?:of\s+)?)?(?:{_LETTER}\s*)?,?\s*(?:with|such\s+that|satisfying|where|for\s+which|in)\s+{_SET}{_AGAIN}",
    re.IGNORECASE,
)
"""`The inequality is satisfied exactly by those real x for which`"""
_LOWER = (
    r"(?P<low_is>(?:strictly\s+)?"
    r"(?:greater|larger|bigger|more)\s+than(?:\s+or\s+equal\s+to)?|above|at\s+least|no\s+less\s+than)"
)
_UPPER = (
    r"(?P<high_is>(?:strictly\s+)?"
    r"(?:less|smaller)\s+than(?:\s+or\s+equal\s+to)?|below|at\s+most|no\s+(?:more|greater)\s+than)"
)
_ABOUT = (
    rf"(?:(?:the\s+set\s+of\s+)?(?:all|any|every|the|those)\s+)?(?:real\s+)?(?:numbers?|values?(?:\s+of\s+[a-z])?|[a-z]|{MARK})\s+"
    r"(?:(?:that|which)\s+)?(?:(?:is|are|must\s+be|lies?)\s+)?"
)
_WITHIN = re.compile(
    rf"^{_LEAD}{_ABOUT}(?:{_LOWER}\s+(?P<low>{_NUMBER})\s+(?:and|but)\s+{_UPPER}\s+(?P<high>{_NUMBER}))\W*$",
    re.IGNORECASE,
)
"""`x greater than 1 and at most 4`"""
_SAID_ENDS = re.compile(
    rf"^{_LEAD}(?:{_ABOUT})?(?:from|between)\s+(?P<low>{_NUMBER})\s+(?:and|to)\s+(?P<high>{_NUMBER})[\s,(]+(?:(?:both\s+)?ends\s+|both\s+)?(?P<ends>inclusive|exclusive|included|excluded)\)?\W*$",
    re.IGNORECASE,
)
"""`between 2 and 5, inclusive`"""
_SIZE = re.compile(
    rf"^{_LEAD}(?:(?:all|any|every|the|those)\s+)?(?:real\s+)?(?:numbers?|values?(?:\s+of\s+[a-z])?|[a-z]|{MARK})\s+(?:with|of|whose)\s+(?:an?\s+)?absolute\s+value\s+(?:is\s+)?"
    rf"(?:{_LOWER}|{_UPPER})\s+(?P<end>{_NUMBER})\W*$",
    re.IGNORECASE,
)
"""`all x with absolute value greater than 1`"""
_WHEN = r"(?:(?:exactly|precisely|only|just)\s+(?:when|for|on|in|if)|if\s+and\s+only\s+if|iff)"
_HOLDS = re.compile(
    rf"^{_LEAD}(?:(?:the|this|our|it|[a-zA-Z](?=\s)|{MARK})[^,;:.]{{0,60}}?\s*)?(?:(?:holds|converges|exists|has\s+(?:(?:an?|exactly|precisely|no|one|two|three|four|distinct|different|real|complex|positive|negative|integer|simple|unique|single)\s+)*(?:solutions?|roots?)|(?:is|are)\s+(?:satisfied|true|valid|defined|(?:strictly\s+|monotonically\s+)?(?:increasing"
    r"|decreasing)|positive|negative|non-?negative|non-?positive|convex|concave(?:\s+(?:up|down)(?:ward)?)?|solvable|real|convergent|continuous|differentiable|invertible|stable))\s+(?:when|for|on|in)"
    rf"|(?:is|are|has|have|holds|exists?|works?|converges?)\s+(?:(?!(?:not|never|no|false|wrong|less|more|greater|smaller|larger|at)\b)[a-z-]+\s+){{0,4}}?{_WHEN})\s+(?:all\s+|every\s+|any\s+|the\s+)?(?:real\s+|integers?\s+|numbers?\s+|values?\s+)*{_SET}{_AGAIN}",
    re.IGNORECASE,
)
"""`The series converges for`, `the matrix is invertible if and only if`: what is so on a set, which was asked for."""
_BETWEEN = re.compile(
    rf"^{_LEAD}(?:{_LETTER}\s+(?:lies|is|must\s+(?:be|lie)|has\s+to\s+(?:be|lie))|(?:(?:the|our)\s+(?:\w+\s+)?set\b[^,;:]{{0,60}}?\s+(?:consists\s+of|is|contains)\s+)?(?:all|any|every|each|the|those)\s+(?:real\s+)?(?:numbers?(?:\s+[a-z])?|values?(?:\s+of\s+[a-z])?|[a-z]|{MARK})(?:\s+(?:which|that)?\s*(?:lies?|lying|is|are|with\s+[a-z]))?|^[a-z])\s+(?:strictly\s+)?"
    rf"between\s+(?P<low>{_NUMBER})\s+and\s+(?P<high>{_NUMBER})(?:[\s,(]*(?:(?:with\s+)?(?:both\s+)?(?:the\s+)?end(?:s|\s?points)?\s+)?(?P<ends>inclusive|exclusive|(?:both\s+)?(?:in|ex)cluded)\)?)?{_AGAIN}",
    re.IGNORECASE,
)
_BOUND = re.compile(
    rf"^{_LEAD}(?:[^,;:.?\d]{{3,80}}?\s(?:exactly|precisely|only|just)?\s*(?:when|if\s+and\s+only\s+if|iff)\s+)?{_LETTER}\s+(?:must\s+be|is|has\s+to\s+be|can\s+be)\s+(?P<bound>at\s+(?:most|least)|no\s+(?:more|less)\s+than|(?:greater|less|smaller|larger"
    rf"|bigger)\s+than(?:\s+or\s+equal\s+to)?)\s+(?P<low>{_NUMBER})\W*$",
    re.IGNORECASE,
)
_INTERVAL = re.compile(
    rf"^{_LEAD}(?:.{{0,60}}?\b(?:is|are|in)\s+)?(?:the|an)\s+(?P<ends>open|closed)\s+interval\s+(?:from|between)\s+(?P<low>{_NUMBER})\s+(?:to|and)\s+"
    rf"(?P<high>{_NUMBER})\W*$",
    re.IGNORECASE,
)
_KIND = re.compile(
    rf"^{_LEAD}the\s+(?:solution(?:\s+set)?|domain|range|image)(?:\s+of\s+[^,;:]{{1,40}})?\s+(?:is|are|consists\s+of)\s+"
    r"(?P<said>[a-z -]{4,60})\W*$",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"^[^?]{{10,160}}:\s*(?P<set>{MARK})\W*$", re.DOTALL)
_IS_INTERVAL = re.compile(r"\s*(?:[a-z]\s*\\in\s*)?(?:\\left\s*)?[(\[\]].*,.*(?:\\right\s*)?[)\]\[]\s*", re.DOTALL)
_UNSOUND = re.compile(
    r"\b(?:(?<!only\s)if(?!\s+and\s+only)|unless|except|would|could|might|may|maybe|perhaps|suppose\w*|assum\w*|claim\w*|at\s+least\s+(?:for|when|on)|not"
    r"|some\s+say|diverge\w*|fails?|complement|outside(?!\s+(?:the|these|its|both)\s+(?:two\s+)?(?:roots|zeros|zeroes)\b)|people|students?|said|says)\b|\?",
    re.IGNORECASE,
)


_RELATION = re.compile(
    r"(?<![\w$\\(])((?:[-−]?\d+(?:\.\d+)?(?:/\d+)?\s*[<≤]=?\s*)?[a-z]\s*[<>≤≥]=?\s*[-−]?\d+(?:\.\d+)?(?:/\d+)?)(?![\w$^*/(]|\.\d)"
)
_SIDE = (
    r"(?:(?P<{0}>(?:strictly\s+)?(?:less|smaller|greater|larger|more|bigger)\s+than|below|above|at\s+most|at\s+least|up\s+to\s+and\s+including|up\s+to,?\s+but\s+(?:not\s+including|excluding)|no\s+(?:less|smaller|more|greater|larger)\s+than)"
    r"\s+(?P<{0}_equal>or\s+equal\s+to\s+)?(?P<{0}_end>" + _NUMBER + r"))"
)
_WORKS = (
    r"(?:\s+(?:will\s+)?(?:works?|do(?:es)?|qualif(?:y|ies)|is\s+(?:a\s+solution|allowed|admissible|possible)"
    r"|are\s+(?:solutions|allowed|admissible|possible)|(?:satisf(?:y|ies)|solves?|fulfils?|meets?)\s+(?:it|(?:the|this|our)\s+[a-z]+)))?"
    r"(?:,?\s+and\s+(?:no\s+others?|nothing\s+else|only\s+(?:these|those))(?:\s+do(?:es)?)?)?"
)
"""`every x below 2 works, and no other`"""
_SIDES = re.compile(
    rf"^{_LEAD}(?:(?:the|our)\s+(?:solution(?:\s+set)?|domain|range|answer)\s+(?:is|are|consists\s+of)\s+)?(?:the\s+set\s+of\s+)?(?:(?:all|every|any)\s+"
    rf"(?:real\s+)?(?:numbers?|values?(?:\s+of\s+[a-z])?|[a-z]|(?P<letter>{MARK}))\s+(?:(?:that|which)\s+(?:is|are)\s+)?|(?:[a-z]|(?P<subject>{MARK}))\s+(?:must\s+be|has\s+to\s+be|is)\s+(?:either\s+)?){_SIDE.format('one')}"
    rf"(?:\s*,?\s+(?P<join>or|and)\s+{_SIDE.format('two')})?{_WORKS}\W*$",
    re.IGNORECASE,
)
"""`all real numbers less than -1 or greater than 4`"""
_SHOWN = re.compile(
    r"^[\w\s'’-]{3,50}\b(?:shows|reveals|tells\s+us|confirms)(?:\s+that)?\s+(?=(?:the|it)\s)", re.IGNORECASE
)
_SUBJECT = (
    r"(?:the|its|our|this)\s+(?:[a-z]+\s+)?(?:domain|set|solutions?|range|image|answer)(?:\s+of\s+[^,;:?]{1,40}?)?|it"
)
_EXCEPTED = re.compile(
    rf"^(?:[^;:?]{{3,120}}?[,;]\s+(?=(?:so|hence|thus|therefore)\b))?{_LEAD}(?:[^,;:?]{{2,80}}?\s(?:is|are|has|have|holds|exists|converges|works?)\b(?!\s+not\b)[^,;:?]{{0,60}}?\s(?:for|on|at)\s+|(?:[a-z]|{MARK}|it)\s+(?:can|may)\s+be\s+"
    rf"|(?:{_SUBJECT})\s+(?:is|are|consists?\s+of|comprises|contains|includes)\s+(?:(?:exactly|precisely|then|therefore|thus)\s+)?(?:the\s+set\s+of\s+)?)?"
    r"(?P<said>(?:all|every|any|each)\s[^,;:?]{1,60}?\b(?:except(?:\s+for)?|other\s+than|apart\s+from|excluding|with\s+the\s+exception\s+of)\s[^;:?]{1,60}?)"
    r"(?:\s+(?:belongs?\s+to|lies?\s+in)\s+(?:the|its|this)\s+(?:domain|set|range|image)|\s+(?:is|are)\s+(?:allowed|admissible|possible)|\s*,\s+(?:where|since|because|as|at\s+which|for\s+which)\s[^;:?]*)?[\s.!*]*$",
    re.IGNORECASE,
)
"""`The matrix is invertible for all $a$ except $2$ and $-2$`, `The domain consists of all real numbers except $2$`"""
_REALS_WITHOUT = re.compile(
    r"\$?\\mathbb\s*\{?R\}?\$?\s+(?:without|except(?:\s+for)?|minus)\s+(?=\$?(?:[a-z]\s*=\s*)?[-−]?[\d\\])|(?<=\s)ℝ\s+(?:without|except)\s+(?=[-−]?\d)"
)
_OPENS_OTHERWISE = re.compile(
    r"\b(?:not|n['’]t|never|no|if|unless|would|could|might|maybe|perhaps|fails?|diverges?|said|says|claims?|suppose\w*|assum\w*)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"\bwith\s+the\s+exception\s+of\s+")
_CLAUSE = re.compile(r"[,;]\s*(?:and\s+)?(?:so|hence|thus|therefore|which\s+means(?:\s+that)?)\s+", re.IGNORECASE)


_END = rf"\$?(?:\\[a-zA-Z]+|{_PLAIN})[^\s$,()]{{0,20}}\$?"
_TO_AN_END = re.compile(
    rf"\bfrom\s+(?P<low>{_END})(?:\s*\((?P<low_is>in|ex)cluded\))?\s+(?:up\s+)?to(?P<short>,?\s+but\s+(?:not\s+including|excluding))?\s+(?P<high>{_END})"
    r"(?:\s*\((?P<high_is>in|ex)cluded\)|\s*,?\s*(?P<half>(?:including|with)\s+(?P=low)\s+but\s+(?:not|without|excluding)\s+(?P=high)))?",
    re.IGNORECASE,
)
"""`from 2 up to but not including 3`, `from 2 (included) to 3 (excluded)`"""
_ON_FROM = re.compile(
    rf"\bfrom\s+(?P<low>{_END})\s+(?:upwards?|on(?:wards?)?|up)(?:,?\s+\(?(?P=low)\s+(?P<low_is>in|ex)cluded\)?)?(?=[\s.!]*$)",
    re.IGNORECASE,
)
_OPEN_ENDS = re.compile(
    r"\s*[,(]\s*(?:with\s+)?(?:both\s+)?(?:the\s+)?end(?:s|\s?points)\s+(?:are\s+)?(?:excluded|not\s+included)\)?(?=[\s.!]*$)",
    re.IGNORECASE,
)
_BEYOND = re.compile(rf"(?<=[a-z])\s+beyond\s+(?={_END}[\s.!]*$)")


def _by_ends(text: str) -> str:
    """A text in which bounds of a range that say which end belongs to it are said as `at least` and `below`."""
    text = _OPEN_ENDS.sub("", text) if "between" in text else text
    if "from" not in text and "beyond" not in text:
        return text
    text = _ON_FROM.sub(lambda end: f"{'greater than' if end['low_is'] == 'ex' else 'at least'} {end['low']}", text)
    return _BEYOND.sub(" greater than ", _TO_AN_END.sub(_both_ends, text))


def _both_ends(found: re.Match[str]) -> str:
    if not (found["short"] or found["low_is"] or found["high_is"] or found["half"]):
        return found[0]
    low = "greater than" if found["low_is"] == "ex" else "at least"
    open_above = found["short"] or found["half"] or found["high_is"] == "ex"
    return f"{low} {found['low']} and {'below' if open_above else 'at most'} {found['high']}"


def range_of(text: str) -> str | None:
    """The set of numbers that the last sentence of a response states, as a formula; None where it states none."""
    text = _REALS_WITHOUT.sub("all real numbers except ", _by_ends(text))
    response = segmented(_RELATION.sub(r"$\1$", text))
    told = [each.text for each in response.sentences if not say.ASIDE.search(each.text)]
    excepted = _EXCEPTED.match(told[-1]) if told else None
    if excepted is not None and not _OPENS_OTHERWISE.search(told[-1]):
        said = _EXCEPTION.sub("except ", response.written(excepted["said"]))
        return said if words.phrase(said) is not None else None
    if not told or _UNSOUND.search(told[-1]) or say.DENIED.search(told[-1]) or say.DOUBTED.search(told[-1]):
        return None
    said = _SHOWN.sub("", told[-1])
    drawn = _CLAUSE.split(said)[-1]
    return _said(response, said) or (_said(response, drawn) if drawn != said else None)


def _said(response: Response, said: str) -> str | None:
    sides = _SIDES.match(said)
    if sides is not None:
        return _two_sided(response, sides)
    told_by_ends = _with_ends(response, said)
    if told_by_ends is not None:
        return told_by_ends
    for pattern in (_ALL, _BY, _HOLDS, _NAMED):
        found = pattern.match(said)
        if found is not None:
            return _written(response, found, lone=pattern is _NAMED)
    kind = _KIND.match(said)
    if kind is not None:
        return kind["said"] if words.phrase(kind["said"]) is not None else None
    between = _BETWEEN.match(said) or _INTERVAL.match(said)
    if between is not None:
        closed = (between["ends"] or "").lower().endswith(("inclusive", "closed", "included"))
        low, high = (response.written(between[side]).strip("$") for side in ("low", "high"))
        interval = f"[{low},{high}]" if closed else f"({low},{high})"
        again = between.groupdict().get("again")
        return f"${interval}$ \\iff {response.written(again)}" if again else interval
    bound = _BOUND.match(said)
    return None if bound is None else _relation(response, bound)


def _with_ends(response: Response, said: str) -> str | None:
    """An interval by what is said of its ends, or by the size of its numbers."""

    def closed(words: str) -> bool:
        return re.search(r"equal|\bleast|\bmost|\bno\b", words, re.IGNORECASE) is not None

    size = _SIZE.match(said)
    if size is not None:
        sign = ">" if size["low_is"] else "<"
        equal = "=" if closed(size["low_is"] or size["high_is"]) else ""
        return f"|x| {sign}{equal} {response.written(size['end']).strip('$')}"
    found = _WITHIN.match(said) or _SAID_ENDS.match(said)
    if found is None:
        return None
    low, high = (response.written(found[side]).strip("$") for side in ("low", "high"))
    ends = found.groupdict().get("ends")
    both = ends is not None and ends.lower().startswith("in")
    opening = "[" if both or (ends is None and closed(found["low_is"])) else "("
    return f"{opening}{low},{high}{']' if both or (ends is None and closed(found['high_is'])) else ')'}"


def _two_sided(response: Response, sides: re.Match[str]) -> str:
    """`less than -1 or greater than 4` as relations of one letter."""
    found = []
    for side in ("one", "two"):
        if sides[side] is None:
            continue
        said = " ".join(sides[side].lower().split())
        below = re.search(r"(?:less|smaller) than|below|most|^up to", said) is not None
        below = not below if said.startswith("no ") else below
        equal = sides[f"{side}_equal"] or said.startswith(("no ", "at ")) or said.endswith("and including")
        end = response.written(sides[f"{side}_end"]).strip("$")
        found.append(f"x {'<' if below else '>'}{'=' if equal else ''} {end}")
    return f" \\text{{ {(sides['join'] or '').lower()} }} ".join(found)


def _written(response: Response, found: re.Match[str], *, lone: bool) -> str | None:
    """The set's formula; of two that say the same, both."""
    again = "" if lone else found["again"] or ""
    if lone and not _IS_INTERVAL.fullmatch(response.formula(found["set"])):
        return None
    written = response.written(found["set"])
    return f"{written} \\iff {response.written(again)}" if again else written


def _relation(response: Response, bound: re.Match[str]) -> str:
    """`at most 3` as `x <= 3`."""
    words = " ".join(bound["bound"].lower().split())
    equal = words.startswith(("at", "no")) or words.endswith("equal to")
    below = words in ("at most", "no more than") or words.startswith(("less", "smaller"))
    sign = ("<" if below else ">") + ("=" if equal else "")
    letter, value = (response.written(bound[part]).strip("$") for part in ("letter", "low"))
    return f"{letter} {sign} {value}"
