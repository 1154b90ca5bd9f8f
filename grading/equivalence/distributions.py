"""Distributions of probability by their family and parameters, in words and in notation.

`binomial with $n = 10$ and $p = 0.5$`, `$X \\sim \\mathrm{Bin}(10, \\frac12)$` and `\\text{Binomial}(10, 1/2)` are one.
The second parameter of a normal one in notation is its variance, unless the question says that it is the deviation.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from grading.equivalence.finding import Finding, Rules, different, equal, unreadable
from grading.equivalence.texts import compare_texts
from grading.language.extract import Extraction
from grading.language.limits import LanguageError


class Distribution(NamedTuple):
    """`parameters` by their roles; `sign` is the name in notation, empty where words say it."""

    family: str
    parameters: dict[str, str]
    sign: str = ""


_FAMILIES: Final = {
    "normal": ("Norm|N", r"normal(?:ly)?|gaussian", ("mean", "second")),
    "poisson": ("Poiss?|Poi?", r"poisson", ("mean",)),
    "negative_binomial": (r"Neg(?:ative)?\s?Bin|NB", r"negative\s+binomial", ("r", "p")),
    "binomial": ("Binom|Bin|B", r"binomial(?:ly)?", ("n", "p")),
    "exponential": ("Expon?|Exp", r"exponential(?:ly)?", ("rate",)),
    "geometric": ("Geom?", r"geometric(?:ally)?", ("p",)),
    "bernoulli": ("Bern?", r"bernoulli", ("p",)),
    "uniform": ("Unif|U", r"uniform(?:ly)?", ("from", "to")),
    "gamma": (r"Ga|\\Gamma|Γ", r"gamma", ("shape", "rate")),
    "beta": (r"\\Beta", r"beta", ("alpha", "beta")),
    "chi": (r"\\chi\s*\^\s*\{?2\}?|χ\^?\{?[2²]\}?|chi2", r"chi-?\s?squared?", ("freedom",)),
    "t": ("t", r"student(?:['’]?s)?[\s-]+t|t(?=[\s-]+distribut)", ("freedom",)),
    "F": ("F", r"F(?=[\s-]+distribut)", ("freedom", "below")),
}
"""Of each family its short names in notation, its names in words, and the roles of its parameters in order."""
_INDEXED: Final = ("chi", "t", "F")
_UNSURE: Final = re.compile(r"[A-Za-z]|Po|Ga|gamma|beta|\\Gamma|\\Beta|Γ|NB")
"""Names that stand for a distribution only where distributions are spoken of."""
_SPOKEN_OF: Final = re.compile(
    r"distribut|random\s+variable|\\sim(?![A-Za-z])|∼|[A-Z]\s*~\s*\\?[A-Z]|\\mathcal\s*\{?\s*[NUB]\s*\}?\s*\(|i\.?i\.?d|\blaw\b"
    r"|\b(?:uniform|normal|gaussian|poisson|binomial|exponential|bernoulli|student|chi-?squared)",
    re.IGNORECASE,
)
_DRESS: Final = re.compile(
    r"\\(?:text|mathrm|operatorname\*?|mathcal|mathsf|mathbf|textbf|rm)\s*\{\s*([A-Za-z][A-Za-z -]{0,30})\s*\}"
)
_SPACE: Final = re.compile(r"\\(?:left|right|[,;:! ]|q?quad|bigl?|bigr?|mathcal|displaystyle)(?![A-Za-z])|[$*]")
_REASON: Final = re.compile(r",? (?:because|since|as) .*$", re.DOTALL)
_REMARK: Final = re.compile(r"(?<=[)\]]) \([^()]{1,60}\)$")
_LAW: Final = r"(?:[\s-]+(?:distributed|distribution|random\s+variable|variable|law)){0,3}"
_NAME: Final = "|".join(f"(?P<{name}>(?i:{words})|{signs})" for name, (signs, words, _) in _FAMILIES.items())
_FORMULA: Final = re.compile(
    r"(?:[^=;?]{0,120}?(?:\\sim(?![A-Za-z])|∼|~|="
    r"|\b(?:is|has|have|follows|distribution)(?: (?:the|an?))?(?: [a-z]+)??\s))?"
    rf"\s*\{{?\s*(?:{_NAME}){_LAW}\s*\}}?\s*"
    r"(?:_\s*(?:\{(?P<index>[^{}]{1,40})\}|(?P<one>\w))|(?P<open>[(\[])(?P<all>.{1,120})[)\]])[\s.]*"
)
_SAID: Final = re.compile(
    rf"(?:[^;:?]{{0,160}}?[^A-Za-z\\])??(?:{_NAME}){_LAW},?\s+"
    r"(?:(?:with|of|having|where)\s|(?P<on>on|over|between|in)\s+(?:(?:the\s+)?(?:(?:open|closed|unit)\s+)?interval\s)?)"
    r"\s*(?P<all>.{1,160})"
)
_ROLES: Final = {
    "mean": r"mean|expectation|expected\s+value|average|\\?mu|μ",
    "variance": r"variance|var|(?:\\?sigma|σ)(?:\^\{?2\}?|²)",
    "deviation": r"standard\s+deviation|sd|\\?sigma|σ",
    "scale": r"scale|\\?theta|θ",
    "n": r"n|(?:number\s+of\s+)?trials",
    "p": r"p|(?:success\s+)?probability(?:\s+of\s+success)?|success\s+rate",
    "rate": r"rate|intensity|\\?lambda|λ",
    "shape": r"shape",
    "freedom": r"degrees?\s+of\s+freedom|df|\\?nu|ν",
}
_OF_OTHERS: Final = ("mean", "variance", "deviation", "scale")
"""Roles that are never another name of a parameter in its place."""
_ROLE: Final = "|".join(f"(?P<{role}>{names})" for role, names in _ROLES.items())
_KEY: Final = re.compile(
    rf"(?:{_ROLE}|\\?(?:alpha|beta)|[a-zα-ω])"
    r"(?:\s+parameter)?(?:\s+\\?[a-zA-Zλμσθ]+(?:\^\{?2\}?|²)?(?=\s*=))?"
    r"(?:\s*(?:=|:)\s*|\s+(?:of|is|equal\s+to)\s+|(?<=[a-z]{3})\s+)(?P<value>\S.*)",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(r"(?P<value>\S.*?)\s+(?:(?P<n>trials)|(?P<freedom>degrees?\s+of\s+freedom))", re.IGNORECASE)
_ARTICLES: Final = re.compile(r"(?:(?:and|its|the|an?)\s+)*", re.IGNORECASE)
_PLAIN: Final = re.compile(r"parameters?\s+(?:of\s+)?", re.IGNORECASE)
_WORDED: Final = re.compile(r"(?<![\\A-Za-z])(?!lambda|sigma|theta|sqrt)[A-Za-z]{4}")
_UNSAID: Final = re.compile(
    r"\b(?:not|never|no|neither|nor|if|unless|or|but|except|would|could|might|may|maybe|perhaps|possibly|approximately"
    r"|roughly|asymptotically|suppos\w*|assum\w*|wrong\w*|instead|rather)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_DEVIATION: Final = re.compile(
    r"\(\s*\$?(?:\\mu|μ|mean)\$?\s*,\s*\$?(?:\\sigma|σ|standard\s+deviation|sd)\$?\s*\)"
    r"|(?:standard\s+deviation|\bsd)\s[^.]{0,20}?\b(?:second|parameter)|second\s[^.]{0,30}?\b(?:standard\s+deviation|sd\b)",
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s|\n")
_LONGEST: Final = 300


def names_distribution(gold: str, beside: str) -> bool:
    """Whether a gold is a distribution; a letter and brackets are one only where what stands beside speaks of one."""
    expected = _read(gold)
    return expected is not None and (not _is_unsure(expected) or _SPOKEN_OF.search(f"{gold} {beside}") is not None)


def compare_distributions(gold: str, given: str, rules: Rules) -> Finding | None:
    """The finding where the gold is a distribution, and the answer states one; None of anything else."""
    expected = _read(gold)
    if expected is None or not given.strip() or not names_distribution(gold, f"{rules.question} {given}"):
        return None
    pieces = (given, _SENTENCES.split(given.strip())[-1])
    found = next((read for each in pieces if (read := _stated(each)) is not None), None)
    if found is None:
        certain = expected.sign and (not _is_unsure(expected) or _SPOKEN_OF.search(gold))
        return unreadable("no distribution is stated") if certain else None
    if found.family != expected.family:
        return different(f"a distribution of another kind ({found.family})")
    spread = _DEVIATION.search(rules.question) is not None
    ours, theirs = (_usual(each, spread=spread) for each in (expected, found))
    if ours.keys() != theirs.keys():
        return different("other parameters of the distribution")
    agree = all(_is_same(value, theirs[role], rules) for role, value in ours.items())
    return equal("the same distribution") if agree else different("the distribution with other parameters")


def _is_unsure(read: Distribution) -> bool:
    return _UNSURE.fullmatch(read.sign) is not None


def _stated(text: str) -> Distribution | None:
    """What an answer says, in one sentence without a condition or a doubt."""
    return None if _SENTENCES.search(text.strip()) or _UNSAID.search(text) else _read(text)


@lru_cache(maxsize=512)
def _read(text: str) -> Distribution | None:
    """The distribution that a text in notation or in words is."""
    if len(text) > _LONGEST:
        return None
    bare = " ".join(_SPACE.sub(" ", _DRESS.sub(r" \1 ", text)).split())
    bare = _REMARK.sub("", _REASON.sub("", bare).strip(" .!"))
    formula = _FORMULA.fullmatch(bare)
    if formula is not None:
        return _in_notation(formula)
    said = _SAID.fullmatch(bare)
    if said is None:
        return None
    name = _family(said)
    if said["on"]:
        ends = re.split(r",|;|\s+and\s+|\s+to\s+", said["all"].strip(" ()[]"))
        return _distribution(name, [("", end) for end in ends]) if name == "uniform" else None
    parts = re.split(r",\s*(?:and\s+)?|\s+(?:and|over)\s+", said["all"])
    listed = _PLAIN.match(said["all"]) is not None
    named = [_named(_PLAIN.sub("", part, count=1)) for part in parts]
    worded = any(_WORDED.search(value) for _, value in named)
    return _distribution(name, named) if (listed or named[0][0]) and not worded else None


def _in_notation(found: re.Match[str]) -> Distribution | None:
    name, index = _family(found), found["index"] or found["one"]
    if (index is not None and name not in _INDEXED) or (found["open"] == "[" and name != "uniform"):
        return None
    parts = [_named(part) if "=" in part else ("", part) for part in _split(index or found["all"])]
    read = _distribution(name, parts)
    return None if read is None else read._replace(sign=found[name])


def _family(found: re.Match[str]) -> str:
    return next(name for name in _FAMILIES if found[name])


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ",;" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _named(part: str) -> tuple[str, str]:
    """The role that a part names, and its value: `mean 0`, `\\sigma^2 = 5`, `n - 1 degrees of freedom`."""
    bare = part[found.end() :] if (found := _ARTICLES.match(part.strip())) is not None else part
    named = _BEHIND.fullmatch(bare) or _KEY.fullmatch(bare)
    if named is None:
        return "", bare
    role = next((role for role, words in named.groupdict().items() if words and role != "value"), "place")
    return role, named["value"].rpartition("=")[2]


def _distribution(family: str, named: list[tuple[str, str]]) -> Distribution | None:
    """The parameters each in its role; without a name of its own one has the role of its place."""
    roles = _FAMILIES[family][2]
    values: dict[str, str] = {}
    for place, (name, value) in enumerate(named):
        own = name in roles or name in _OF_OTHERS
        role = name if own else roles[place] if place < len(roles) else str(place)
        if not value.strip() or values.setdefault(role, value.strip()) != value.strip():
            return None
    return Distribution(family, values)


def _usual(said: Distribution, *, spread: bool) -> dict[str, str]:
    """The parameters in the usual roles; `spread` where the second of a normal one is its deviation."""
    values = dict(said.parameters)
    if "second" in values:
        values["deviation" if spread else "variance"] = values.pop("second")
    if said.family == "normal" and "deviation" in values:
        values["variance"] = f"({values.pop('deviation')})^2"
    for name in ("mean", "scale") if said.family == "exponential" else ("scale",) if said.family == "gamma" else ():
        if name in values:
            values["rate"] = f"\\frac{{1}}{{{values.pop(name)}}}"
    return values


def _is_same(one: str, other: str, rules: Rules) -> bool:
    try:
        return compare_texts(one, Extraction(other, "parameter"), rules).finding.equal
    except LanguageError:
        return False
