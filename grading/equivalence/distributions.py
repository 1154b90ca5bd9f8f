"""Distributions of probability by their family and parameters, in words and in notation.

`binomial with $n = 10$ and $p = 0.5$`, `$X \\sim \\mathrm{Bin}(10, \\frac12)$` and `\\text{Binomial}(10, 1/2)` are one.
The second parameter of a normal one in notation is its variance, unless the question says that it is the deviation.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from grading.equivalence.finding import Finding, Rules, different, equal
from grading.equivalence.texts import compare_texts
from grading.language.extract import Extraction
from grading.language.limits import LanguageError


class Distribution(NamedTuple):
    """`parameters` in the order of the notation; `squared` where the second of a normal one is its deviation."""

    family: str
    parameters: tuple[str, ...]
    deviation: bool = False


_FAMILIES: Final = {
    "binomial": ("Binomial|Binom|Bin|B", 2, "binomial(?:ly)?"),
    "normal": ("Normal|Norm|Gaussian|N", 2, "(?:normal(?:ly)?|gaussian)"),
    "poisson": ("Poisson|Pois|Poi|Po", 1, "poisson"),
    "exponential": ("Exponential|Expon|Exp", 1, "exponential(?:ly)?"),
    "uniform": ("Uniform|Unif|U", 2, "uniform(?:ly)?"),
    "geometric": ("Geometric|Geom|Geo", 1, "geometric(?:ally)?"),
    "bernoulli": ("Bernoulli|Bern|Ber", 1, "bernoulli"),
    "chi-squared": (r"\\?chi\^\{?2\}?|χ²|χ\^2", 1, r"(?:chi-?\s?squared?|\\chi\^\{?2\}?|χ²)"),
    "gamma": (r"Gamma|\\?Gamma", 2, "gamma"),
    "beta": (r"Beta|\\?Beta", 2, "beta"),
}
"""Of each family its names in notation, how many parameters it has, and its names in words."""
_DRESS: Final = re.compile(
    r"\\(?:left|right|mathcal|mathrm|text|operatorname\*?|displaystyle|[,;:! ]|q?quad(?![a-z]))|\$|\*\*"
)
_NOTATION: Final = tuple(
    (
        family,
        count,
        re.compile(
            r"(?:(?P<variable>[A-Z][\w+−\- ]{0,12}|\w{1,3})\s*(?:~|∼|\\sim)\s*)?"
            rf"\{{?\s*(?:{names})\s*\}}?\s*(?:_\{{?(?P<index>\d+)\}}?|\(\s*(?P<parameters>.{{1,80}}?)\s*\))"
        ),
    )
    for family, (names, count, _) in _FAMILIES.items()
)
_IN_WORDS: Final = tuple(
    (
        family,
        count,
        re.compile(
            rf"(?P<lead>[^=;:?]{{0,160}}?)(?<![A-Za-z])(?:{words})(?![a-z])(?:\s+(?:random\s+variable|variable|distribut(?:ed|ion)|law))*(?P<rest>(?:\s*,)?\s*(?:(?:with|on|over|between|having|where|in)\b|\().{{1,160}})",
            re.IGNORECASE,
        ),
    )
    for family, (_, count, words) in _FAMILIES.items()
)
_VALUE: Final = (
    r"[-−]?(?:\\[dt]?frac\s*(?:\{[^{}]*\}\s*\{[^{}]*\}|\d\s*\d)|\\sqrt\s*\{?\d+\}?|√\d+"
    r"|\d[\d.]*(?:\s*/\s*\d+)?(?:\^\{?\d\}?|²)?\s*(?:\\?%)?|\\[a-z]+(?:\^\{?2\}?)?|[A-Za-zλμσ](?:\^\{?2\}?|²)?)"
)
_NAMES: Final = (
    ("mean", r"mean|expect(?:ation|ed\s+value)|average"),
    ("variance", r"variance"),
    ("deviation", r"standard\s+deviation"),
    ("n", r"(?<![a-z])n(?=\s*=)|(?:number\s+of\s+)?trials"),
    ("p", r"(?<![a-z])p(?=\s*=)|success\s+probability|probability\s+(?:of\s+success\s+)?|success\s+rate"),
    ("rate", r"rate(?:\s+parameter)?|intensity|parameter(?!s)|\\?lambda(?=\s*=)|λ(?=\s*=)"),
    ("freedom", r"degrees?\s+of\s+freedom"),
)
_NAMED: Final = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _NAMES)})\s*(?:of\s+success\s+)?"
    rf"(?:(?:equal\s+to|of|is|=|:)\s*)?(?:(?:(?!\sand\s|\swith\s)[^,;=?]){{1,30}}=\s*){{0,2}}(?P<value>{_VALUE})(?![\w(])",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(r"(?P<value>\d+)\s+(?:(?P<n>trials)|(?P<freedom>degrees?\s+of\s+freedom))")
_BARE: Final = re.compile(
    rf"(?:(?:with|having|on|over|between|in)\s+)?(?:(?:the\s+)?(?:parameters|(?:(?:open|closed|unit)\s+)?interval)\s*)?[(\[]?\s*(?P<one>{_VALUE})\s*(?:,|and|;|to)\s*(?P<other>{_VALUE})\s*[)\]]?",
    re.IGNORECASE,
)
_ORDER: Final = {
    "binomial": (("n", "p"),), "normal": (("mean", "variance"), ("mean", "deviation")),
    "poisson": (("mean",), ("rate",)),
    "exponential": (("rate",), ("mean",)), "geometric": (("p",), ("rate",)), "bernoulli": (("p",), ("rate",)),
    "chi-squared": (("freedom",),),
}  # fmt: skip
_UNSAID: Final = re.compile(
    r"\b(?:not|never|no|neither|nor|if|unless|or|but|except|would|could|might|may|maybe|perhaps|possibly|approximately|roughly|asymptotically|suppos\w*|assum\w*|wrong\w*|instead|rather|squared\s+of|sample)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(r"distribut|\\sim\b|\bnormal\b|gaussian|random\s+variable|~", re.IGNORECASE)
_DEVIATION: Final = re.compile(
    r"\(\s*\$?(?:\\mu|μ|mean)\$?\s*,\s*\$?(?:\\sigma|σ|standard\s+deviation|sd)\$?\s*\)", re.IGNORECASE
)
_REASON: Final = re.compile(r",?\s+(?:because|since|as)\s.*$", re.DOTALL)
_LONGEST: Final = 300


def names_distribution(gold: str, beside: str) -> bool:
    """Whether a gold is a distribution; a letter and brackets are one only where what stands beside speaks of one."""
    return len(gold) <= _LONGEST and _of_gold(gold, _ABOUT.search(beside) is not None) is not None


def same_distribution(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both are distributions; None of other golds and of texts that say none."""
    if max(len(gold), len(text)) > _LONGEST:
        return None
    expected = _of_gold(gold, _ABOUT.search(f"{question} {text}") is not None)
    found = _distribution(text) if expected is not None else None
    if expected is None or found is None:
        return None
    if expected.family != found.family or len(expected.parameters) != len(found.parameters):
        return different("another distribution")
    spread = _DEVIATION.search(question) is not None
    left, right = (_in_variances(each, spread=spread) for each in (expected, found))
    same = all(_is_same(one, other) for one, other in zip(left, right, strict=True))
    return equal("the same distribution") if same else different("other parameters")


@lru_cache(maxsize=256)
def _of_gold(gold: str, asked: bool) -> Distribution | None:
    found = _distribution(gold)
    letter = re.match(r"\W*(?:[NUB]\b|Exp\b)", gold if "Exp" in gold else _DRESS.sub(" ", gold)) is not None
    return None if found is None or (letter and not asked and "sim" not in gold and "~" not in gold) else found


@lru_cache(maxsize=256)
def _distribution(text: str) -> Distribution | None:
    plain = " ".join(_DRESS.sub(" ", _REASON.sub("", text)).split()).strip(" .!")
    for family, count, form in _NOTATION:
        found = form.fullmatch(plain) or re.fullmatch(
            rf"(?P<lead>[^=:;?]{{0,120}}?\b(?:is|has|follows|have|distribution)\s+(?:the\s+|an?\s+)?(?:[a-z]+\s+)?){form.pattern}",
            plain,
        )
        if found is not None:
            parameters = [found["index"]] if found["index"] else _split(found["parameters"])
            return Distribution(family, tuple(parameters)) if len(parameters) == count else None
    if _UNSAID.search(plain):
        return None
    for family, count, form in _IN_WORDS:
        found = form.fullmatch(plain)
        if found is not None:
            return _by_words(family, count, found["rest"])
    return None


def _split(parameters: str) -> list[str]:
    return [part.strip(" {}") for part in re.split(r",(?![^{(]*[})])", parameters)]


def _by_words(family: str, count: int, rest: str) -> Distribution | None:
    """The parameters that words name, each once."""
    named: dict[str, str] = {}
    for found in (*_NAMED.finditer(rest), *_BEFORE.finditer(rest)):
        name = next(key for key, value in found.groupdict().items() if value is not None and key != "value")
        if named.setdefault(name, found["value"]) != found["value"]:
            return None
    for order in _ORDER.get(family, ()):
        if set(order) == set(named):
            values = [named[name] for name in order]
            if family == "exponential" and order == ("mean",):
                values = [f"\\frac{{1}}{{{values[0]}}}"]
            return Distribution(family, tuple(values), order[-1] == "deviation")
    bare = _BARE.fullmatch(rest.strip(" ,()")) or _BARE.fullmatch(rest.strip(" ,"))
    if bare is None or named or count != 2 or family == "normal":
        return None
    return Distribution(family, (bare["one"], bare["other"]))


def _in_variances(said: Distribution, *, spread: bool) -> tuple[str, ...]:
    """The parameters, of a normal distribution with its variance; `spread` where notation has the deviation."""
    if said.family != "normal" or not said.deviation:
        return (
            said.parameters
            if said.family != "normal" or not spread
            else (said.parameters[0], f"({said.parameters[1]})^2")
        )
    return said.parameters[0], f"({said.parameters[1]})^2"


def _is_same(one: str, other: str) -> bool:
    try:
        return compare_texts(one, Extraction(other, "parameter"), Rules()).finding.equal
    except LanguageError:
        return False
