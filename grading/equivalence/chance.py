"""Golds that are probability distributions: `N(0, 5)`, `\\text{Poisson}(\\lambda+\\mu)`, `\\chi^2_{n-1}`.

An answer may use another of their names, name the parameters (`\\mu = 0, \\sigma^2 = 5`), or say them in words.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, Rules, different, equal, unreadable
from grading.equivalence.texts import compare_texts
from grading.language.extract import Extraction

_FAMILIES: Final = {
    "normal": (r"\\mathcal\s*\{?\s*N\s*\}?|Normal|Gaussian|N", r"normal(?:ly)?|gaussian"),
    "poisson": (r"Poisson|Poiss?|Po|Poi", r"poisson"),
    "binomial": (r"Binomial|Binom|Bin|\\mathcal\s*\{?\s*B\s*\}?|B", r"binomial(?:ly)?"),
    "negative binomial": (r"Neg(?:ative)?\s?Bin(?:omial)?|NB", r"negative\s+binomial"),
    "exponential": (r"Exponential|Expo|Exp", r"exponential(?:ly)?"),
    "geometric": (r"Geometric|Geom|Geo", r"geometric(?:ally)?"),
    "bernoulli": (r"Bernoulli|Bern|Ber", r"bernoulli"),
    "uniform": (r"Uniform|Unif|\\mathcal\s*\{?\s*U\s*\}?|U", r"uniform(?:ly)?"),
    "gamma": (r"Gamma|Ga|\\Gamma|Γ", r"gamma"),
    "beta": (r"Beta", r"beta"),
    "chi": (r"\\chi\s*\^\s*\{?2\}?|χ\^?\{?[2²]\}?|chi2", r"chi-?\s?squared?"),
    "t": (r"t", r"(?:student(?:['’]?s)?[\s-]+)?t"),
    "F": (r"F", r"F"),
}
"""By each name the signs and the words for it."""
_LETTERS: Final = re.compile(r"[A-Za-z]|Po|Ga|\\Gamma|Γ|NB")
"""Names that stand for a distribution only where distributions are spoken of."""
_SPOKEN_OF: Final = re.compile(
    r"distribut|random\s+variable|\\sim(?![A-Za-z])|∼|i\.?i\.?d|\blaw\b"
    r"|\b(?:uniform|normal|gaussian|poisson|binomial|exponential|bernoulli|student|chi-?squared)",
    re.IGNORECASE,
)
_DRESS: Final = re.compile(
    r"\\(?:text|mathrm|operatorname\*?|mathsf|mathbf|textbf|rm)\s*\{\s*([A-Za-z][A-Za-z -]{0,30})\s*\}"
)
_SPACE: Final = re.compile(r"\\(?:left|right|[,;:! ]|q?quad|bigl?|bigr?)(?![A-Za-z])|[$*]|~(?=\s)")
_SIGNS: Final = "|".join(f"(?P<s{place}>{signs})" for place, (signs, _) in enumerate(_FAMILIES.values()))
_WORDS: Final = "|".join(f"(?P<w{place}>{words})" for place, (_, words) in enumerate(_FAMILIES.values()))
_FORMULA: Final = re.compile(
    rf"(?:[^=]{{0,80}}?(?:\\sim(?![A-Za-z])|∼|~|=))?\s*(?:{_SIGNS})\s*(?:_\s*(?:\{{(?P<index>[^{{}}]{{1,40}})\}}|(?P<one>\w))|(?P<open>[(\[])(?P<all>.{{1,120}})[)\]])[\s.]*"
)
_SAID: Final = re.compile(
    rf"(?:.{{0,80}}?\b(?:is|are|follows|has|hence|therefore|so|be)\s+)?(?:(?:an?|the|again|also|itself|approximately)\s+)*(?:{_WORDS})(?:[\s-]+(?:distributed|distribution|random\s+variable|variable|law))*"
    r",?\s+(?:(?:with|of|having)\s+|(?P<on>on|over)\s+(?:the\s+interval\s+)?)(?P<all>.{1,160}?)[\s.]*",
    re.IGNORECASE,
)
_PARAMETER: Final = (
    r"(?:success\s+)?probability(?:\s+of\s+success)?|(?:number\s+of\s+)?trials|parameters?|mean|expectation|rate"
    r"|variance|standard\s+deviation|shape|scale|degrees?\s+of\s+freedom"
)
_NAMED: Final = re.compile(
    rf"(?:(?:and|its|the|an?)\s+)*(?P<key>{_PARAMETER})(?:\s+(?:parameter|(?:\\?[a-zA-Zλμσθ]+(?:\^\{{?2\}}?|²)?)(?=\s*=)))?\s*(?:of|is|equal\s+to|=|:)?\s*(?:[a-zλμσθ]\s*=\s*)?(?P<value>[^\s].*?)",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(r"(?:and\s+)?(?P<value>\S.*?)\s+(?P<key>trials|degrees?\s+of\s+freedom)", re.IGNORECASE)
_KEY: Final = re.compile(
    r"(?P<key>\\?(?:mu|sigma|lambda|theta|alpha|beta|nu|mean|var|variance|sd|rate|shape|scale|df|[a-zλμσθαβν])(?:\^\{?2\}?|²)?)\s*=\s*(?P<value>.+)"
)
_SPREAD: Final = {
    "sigma^2": "variance",
    "var": "variance",
    "variance": "variance",
    "sigma": "deviation",
    "sd": "deviation",
    "standard deviation": "deviation",
}
_SLOTS: Final = {
    "mean": "mean",
    "expectation": "mean",
    "scale": "scale",
    "shape": "0",
    "trials": "0",
    "number of trials": "0",
}
_LONGEST: Final = 300
_Parameters = dict[str, str]


def compare_distributions(gold: str, given: str, rules: Rules) -> Finding | None:
    """The finding where the gold is a distribution, and the answer states one; None of anything else."""
    question = rules.question
    expected = _of_gold(gold)
    if expected is None or not given.strip():
        return None
    pieces = [given] if len(given) <= _LONGEST else []
    pieces += re.split(r"(?<=[.!?])\s|\n", given.strip())[-1:]
    name, ours, certain = expected
    if not certain and _SPOKEN_OF.search(f"{question} {gold} {given}") is None:
        return None
    found = next(filter(None, map(_said, pieces)), None)
    if found is None:
        return unreadable("no distribution is stated") if certain else None
    if found[0] != name:
        return different(f"a distribution of another kind ({found[0]})")
    theirs = found[1]
    if name == "normal":
        ours, theirs = _with_variance(ours, question), _with_variance(theirs, question)
    if name in ("exponential", "gamma"):
        ours, theirs = _with_rate(ours), _with_rate(theirs)
    if ours.keys() != theirs.keys():
        return different("other parameters of the distribution")
    pairs = ((value, Extraction(theirs[place], "parameter")) for place, value in ours.items())
    agree = all(compare_texts(value, other, rules).finding.equal for value, other in pairs)
    return equal("the same distribution") if agree else different("the distribution with other parameters")


@lru_cache(maxsize=512)
def _of_gold(gold: str) -> tuple[str, _Parameters, bool] | None:
    if not re.search(r"[(_\[]", gold) or len(gold) > _LONGEST:
        return None
    bare = _bare(gold)
    found = _FORMULA.fullmatch(bare)
    if found is None:
        return None
    sign = next(value for key, value in found.groupdict().items() if key[0] == "s" and key[1:].isdigit() and value)
    stated = _stated(found)
    certain = _LETTERS.fullmatch(sign) is None or _SPOKEN_OF.search(gold) is not None
    return None if stated is None else (*stated, certain)


def _bare(text: str) -> str:
    return _SPACE.sub(" ", _DRESS.sub(r" \1 ", text)).strip(" .")


def _said(text: str) -> tuple[str, _Parameters] | None:
    bare = re.sub(
        r"^(?:\W*(?:so|thus|hence|therefore|answer|the\s+distribution(?:\s+of\s+\S{1,12})?\s+is)\b[\s:,]*)+",
        "",
        _bare(text),
        flags=re.IGNORECASE,
    )
    bare = re.sub(r"(?<=[)\]])\s+\([^()]{1,60}\)$", "", bare)
    if re.search(
        r"\b(?:if|unless|suppos\w*|assum\w*|would|might|could|may|approximately|not|never|isn['’]t|or)\b|\?", bare
    ):
        return None
    formula = _FORMULA.fullmatch(bare)
    if formula is not None:
        return _stated(formula)
    said = _SAID.fullmatch(bare)
    if said is None:
        return None
    name = _name(said, "w")
    if said["on"]:
        ends = re.fullmatch(r"[(\[](?P<all>[^()\[\]]{1,60})[)\]]", said["all"].strip())
        return (name, _ordered(_split(ends["all"]))) if ends is not None and name == "uniform" else None
    values = _worded(name, re.split(r",\s*(?:and\s+)?|\s+and\s+", said["all"]))
    return None if values is None else (name, values)


def _name(found: re.Match[str], letter: str) -> str:
    return next(name for place, name in enumerate(_FAMILIES) if found[f"{letter}{place}"])


def _stated(found: re.Match[str]) -> tuple[str, _Parameters] | None:
    """The kind and the parameters of a formula; a parameter that has a name goes by it."""
    name, index = _name(found, "s"), found["index"] or found["one"]
    if index is not None:
        return (name, _ordered(_split(index))) if name in ("chi", "t", "F") else None
    if found["open"] == "[" and name != "uniform":
        return None
    parts = _split(found["all"])
    keyed = [_KEY.fullmatch(part) for part in parts]
    if None in keyed:
        return (name, _ordered(parts)) if not any(keyed) else None
    values: _Parameters = {}
    for place, each in enumerate(keyed):
        if each is not None:
            values[_slot(each["key"], place)] = each["value"].strip()
    return name, values


def _slot(key: str, place: int) -> str:
    """What a letter or a short name stands for."""
    key = key.lstrip("\\").replace("{", "").replace("}", "").replace("²", "^2").replace("σ", "sigma")
    return _SPREAD.get(key) or ("scale" if key in ("theta", "scale") else str(place))


def _ordered(parts: list[str]) -> _Parameters:
    return {str(place): part for place, part in enumerate(parts)}


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


def _worded(name: str, parts: list[str]) -> _Parameters | None:
    """`mean 0`, `variance 5`; `parameters n`, `p`; `n - 1 degrees of freedom`."""
    values: _Parameters = {}
    for place, part in enumerate(parts):
        lettered = _KEY.fullmatch(part.strip())
        if lettered is not None:
            values[_slot(lettered["key"], place)] = lettered["value"].strip()
            continue
        found = _BEHIND.fullmatch(part.strip()) or _NAMED.fullmatch(part.strip())
        if found is None and not (place and values):
            return None
        key = " ".join(found["key"].lower().split()) if found is not None else ""
        value = found["value"] if found is not None else part
        slot = _SPREAD.get(key) or _SLOTS.get(key, str(place))
        slot = "0" if name == "poisson" and slot == "mean" else slot
        slot = "1" if "binomial" in name and "probability" in key else slot
        values[slot] = value.strip()
    return values


def _with_variance(values: _Parameters, question: str) -> _Parameters:
    """Mean and variance of a normal distribution; a second parameter without a name is mostly the variance."""
    mean = values.get("0", values.get("mean", ""))
    if "deviation" in values:
        return {"0": mean, "1": f"({values['deviation']})^2"}
    variance = values.get("variance", values.get("1", ""))
    deviation = "variance" not in values and "standard deviation" in question and "variance" not in question
    return {"0": mean, "1": f"({variance})^2" if deviation else variance}


def _with_rate(values: _Parameters) -> _Parameters:
    """A mean or a scale as the rate that belongs to it."""
    last = str(len(values) - 1)
    for key in ("mean", "scale"):
        if key in values:
            kept = {place: value for place, value in values.items() if place != key}
            return {**kept, last: f"\\frac{{1}}{{{values[key]}}}"}
    return values
