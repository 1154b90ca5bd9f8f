"""Equations of reactions, oxidation numbers and the order of shells: what chemists write that is no mathematics."""

import re
from fractions import Fraction
from typing import Final

from grading.language.formulae import LEAVES, plain_ion, plainly, species
from grading.language.romans import roman_value

_CONDITIONS: Final = re.compile(
    r"(?P<arrow>[=-]>|[→⟶])(?:\[[^\[\]]{1,40}\](?:\[[^\[\]]{0,40}\])?(?=\s+[\dA-Z(\[])"
    r"|\s?\((?:Δ|\\Delta|heat|heating|hν|light|cat(?:alyst|\.)?)\))"
)
"""What stands over an arrow, in the spelling of mhchem (`->[\\Delta]`) or in brackets."""
_LEAVING: Final = re.compile(r"(?<=[\w)])\s+[v^](?=[\s}]|$)")
"""The arrow of a gas or of a solid in the spelling of mhchem."""
_ARROW: Final = re.compile(
    r"<=+>|<-+>|-+>|=+>|→|⟶|⇌|⇄|↔|\\x(?:rightarrow|rightleftharpoons)\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}"
    r"|\\(?:longrightarrow|rightarrow|to|rightleftharpoons|leftrightarrow|longleftrightarrow)(?![A-Za-z])|="
)
_PLUS: Final = re.compile(r"(?<=[\s})\]])\+(?=[\s\\{])|\s\+\s|\+(?=[A-Z\d])")
_CE: Final = re.compile(r"\\(?:ce|mathrm|text|mathsf)\s*\{(.*)\}", re.DOTALL)
_COEFFICIENT: Final = re.compile(
    r"(?:\\[td]?frac\s*\{?(\d)\}?\s*\{?(\d)\}?|(\d{1,3})(?:/(\d{1,2}))?)?\s*(.+)", re.DOTALL
)
_STATE: Final = re.compile(rf"\s*(?:\((?:aq|s|l|g)\)|{LEAVES})\s*$")
_STATES: Final = re.compile(rf"(?:\((?:aq|s|l|g)\)|{LEAVES})[.,;:!]*")
_CHARGE_APART: Final = re.compile(r"(?<=[A-Za-z\d)\]])\s+(\d?[+-])$")
"""`SO4 2-`"""
_COUNT: Final = re.compile(r"\d{1,3}(?:/\d{1,2})?|½")
_COUNTED: Final = re.compile(r"(?:\d{1,3}|½)?(?P<bare>\S+)")
_WORD: Final = re.compile(r"\S+")
_PARTICLES: Final = {
    "e": "e|-",
    "e-": "e|-",
    "beta": "e|-",
    "beta-": "e|-",
    "e+": "e|+",
    "beta+": "e|+",
    "alpha": "^4He|",
    "n": "n",
    "p": "^1H|",
    "p+": "^1H|",
    "gamma": "gamma",
}
_GREEK: Final = str.maketrans({"α": "alpha", "β": "beta", "γ": "gamma", "\\": ""})
_PARTICLE: Final = re.compile(r"(?:\^(?P<nucleons>\d))?(?:_(?P<charge>-?\+?\d))?(?P<name>[a-z]+)\^?(?P<sign>[+-]?)")
_REMARKED: Final = re.compile(r"\s+\((?!.*\b(?:not|or)\b)(?=[^()]*(?:[a-z]{4}|He))[^()]{1,60}\)[\s.]*$")
_RADIATION: Final = re.compile(
    r"(?:(?:an?|the)(?=[a-z]))?(?:(?P<name>alpha|beta|gamma)[\^-]*(?P<sign>[+-]|minus|plus)?-?(?:particles?|rays?|radiation|decay|emission|photons?)?"
    r"|(?P<positron>positrons?)(?:emission)?|(?P<helium>\^4(?:_2)?he(?:nucle(?:us|i))?|heliumnucle(?:us|i)))[*.]*"
)
_OXIDATION: Final = re.compile(r"([+-]?)\s*([IV]{1,4}|\d)\s*([+-]?)")
_STEP: Final = r"([+−-]\s?(?:\d|[IV]{1,4})|\d[+−-]|[IV]{1,4})"
_ELEMENT: Final = r"(?:(?:each|the|every)\s)?[A-Za-z]+(?:\s(?:atom|ion|here))?(?:\sin\s[^.,;:=]{1,30}?)?"
_LEAD: Final = r"(?:(?:so|thus|hence|therefore|here|in\s[^.,;:=]{1,30}?),?\s)*"
_STATED: Final = re.compile(
    rf"{_LEAD}{_ELEMENT}\s(?:is|has|sits|must\sbe)\s(?:present\s|found\s|here\s)?(?:in\s)?(?:an?|the|its)\s{_STEP}"
    r"(?:\soxidation)?\s(?:state|number)(?:\sin\s[^.,;:=]{1,30}|\shere)?\.?"
    rf"|{_LEAD}(?:the\s|its\s)?oxidation\s(?:number|state)(?:\sof\s{_ELEMENT})?\s(?:is|equals|=)\s(?:therefore\s|thus\s)?{_STEP}\.?"
    rf"|{_LEAD}{_ELEMENT}\s(?:is|has|sits|(?:must|has\sto)\sbe)\s(?:then\s|therefore\s|thus\s|present\s)?(?:at\s|as\s)?(?:an?\s)?(?:oxidation\s(?:number|state)\s(?:of\s)?)?{_STEP}(?:\sin\s[^.,;:=]{{1,30}}|\shere)?\.?"
    rf"|(?-i:[A-Z][a-z]?)\s?(?::|is(?:\sin)?)\s?{_STEP}(?:\sin\s[^.,;:=]{{1,30}})?\.?|[A-Z][a-z]?\({_STEP}\)\.?",
    re.IGNORECASE,
)
_OTHERWISE: Final = re.compile(
    r"\b(?:not|no|never|would|could|might|may|if|before|below|above|under|over|between|most|least|initially|from|reactant|instead|wrong\w*|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
_DRAWN: Final = re.compile(r"[,;.]\s(?:and\s)?(?:so|hence|thus|therefore)\b,?\s")
_CORES: Final = {
    "He": "1s2",
    "Ne": "1s22s22p6",
    "Ar": "1s22s22p63s23p6",
    "Kr": "1s22s22p63s23p63d104s24p6",
    "Xe": "1s22s22p63s23p63d104s24p64d105s25p6",
    "Rn": "1s22s22p63s23p63d104s24p64d104f145s25p65d106s26p6",
}
_FULL: Final = {"s": 2, "p": 6, "d": 10, "f": 14}
_MAX: Final = 200
_MOST: Final = 12

Side = tuple[tuple[str, Fraction], ...]


def reaction(text: str) -> tuple[Side, Side] | None:
    """Both sides of `2H2 + O2 -> 2H2O`, each sorted, states of matter left out; None of anything else."""
    if len(text) > _MAX:
        return None
    text = re.sub(r"\\[;,:! ]|½", lambda gap: "1/2 " if gap[0] == "½" else " ", text)
    text = _LEAVING.sub("", text) if "\\ce" in text else text
    whole = _CE.fullmatch(text.strip(" $."))
    text = whole[1] if whole is not None and text.count("{") == text.count("}") else text.strip(" $.")
    text = _CONDITIONS.sub(r"\g<arrow> ", text)
    parts = _ARROW.split(text)
    if len(parts) != 2:
        return None
    left, right = (_side(part) for part in parts)
    return (left, right) if left is not None and right is not None else None


def is_chemical(text: str) -> bool:
    """Whether an equation is certainly one of a reaction: with an arrow, not with a sign of equality alone."""
    return re.search(r"[<=-]>|[→⟶⇌⇄↔]|\\(?:ce|x?(?:long)?(?:left)?right|to(?![A-Za-z]))", text) is not None


def _side(text: str) -> Side | None:
    found: dict[str, Fraction] = {}
    for part in _PLUS.split(f" {text.strip()} "):
        match = _COEFFICIENT.fullmatch(_STATE.sub("", part.strip()))
        bare = _CHARGE_APART.sub(r"^\1", _STATE.sub("", match[5])) if match is not None else ""
        spelt = plain_ion(bare) or species(bare) or _particle(bare)
        if match is None or spelt is None:
            return None
        over, under = match[1] or match[3] or "1", match[2] or match[4] or "1"
        if under == "0":
            return None
        found[spelt] = found.get(spelt, Fraction(0)) + Fraction(int(over), int(under))
    return tuple(sorted(found.items()))


def _particle(text: str) -> str | None:
    """An electron, a neutron, an alpha particle and the like by one name; None of anything else."""
    bare = plainly(text).translate(_GREEK)
    found = _PARTICLE.fullmatch(re.sub(r"^_(-?\+?\d)\^(\d)", r"^\2_\1", bare))
    if found is None:
        return None
    if found["charge"] is None or found["name"] not in ("e", "beta"):
        return _PARTICLES.get(found["name"] + found["sign"])
    return _PARTICLES["e-" if found["charge"].startswith("-") else "e+"]


def radiation(text: str) -> str | None:
    """`alpha`, `beta-`, `beta+` or `gamma` for what a nucleus gives off, by its sign or its name; else None."""
    if "\\Gamma" in text or "Γ" in text:
        return None
    bare = plainly(_REMARKED.sub("", text.replace("*", ""))).casefold().translate(_GREEK)
    found = _RADIATION.fullmatch(bare.replace("⁻", "-").replace("⁺", "+"))
    if found is None:
        return None
    if found["positron"]:
        return "beta+"
    if found["helium"]:
        return "alpha"
    sign = "+" if found["sign"] in ("+", "plus") else "-" if found["name"] == "beta" else ""
    return f"{found['name']}{sign}"


def spans(text: str) -> list[tuple[int, int]]:
    """Where equations of reactions stand among words: an arrow, and species joined by plus signs on its two sides."""
    arrows = [arrow for arrow in _ARROW.finditer(text) if arrow[0] != "="][:_MOST]
    found = []
    for arrow in arrows:
        before = list(_WORD.finditer(text, max(0, arrow.start() - _MAX), arrow.start()))
        after = list(_WORD.finditer(text, arrow.end(), arrow.end() + _MAX))
        start = _reach([(each[0], each.start()) for each in reversed(before)], backwards=True)
        end = _reach([(each[0], each.start() + len(each[0].rstrip(".,;:!*"))) for each in after], backwards=False)
        if start is not None and end is not None:
            found.append((start, end))
    return found


def _reach(words: list[tuple[str, int]], *, backwards: bool) -> int | None:
    """How far from the arrow a side goes: where its last term begins, or ends; None where no species stands beside."""
    reached, joined = None, True
    for word, at in words:
        bare = word.lstrip("*") if backwards else word.rstrip(".,;:!*")
        place = at + len(word) - len(bare) if backwards else at
        if _STATES.fullmatch(bare):
            reached = place if not backwards and reached is not None else reached
            continue
        if bare == "+":
            joined = True
        elif _COUNT.fullmatch(bare):
            if backwards and reached is not None and not joined:
                reached = place
            elif backwards or not joined:
                break
        elif joined and _is_species(bare):
            reached, joined = place, False
        else:
            break
        if word != bare and not backwards:
            break
    return reached


def _is_species(text: str) -> bool:
    counted = _COUNTED.fullmatch(_STATE.sub("", text))
    return counted is not None and any(
        plain_ion(each) or species(each) or _particle(each) for each in (counted["bare"], text)
    )


def oxidation(text: str) -> tuple[int, bool] | None:
    """An oxidation number (`+6`, `+VI`, `III`, `2-`) and whether its sign is written; None of anything else."""
    bare = re.sub(r"\\(?:mathrm|text|mathbf)|[{}$\s]", "", text).replace("−", "-").rstrip(".")
    found = _OXIDATION.fullmatch(bare)
    if found is None or (found[1] and found[3]):
        return None
    size = int(found[2]) if found[2].isdigit() else roman_value(found[2])
    sign = found[1] or found[3]
    return None if size is None else (-size if sign == "-" else size, bool(sign))


def oxidation_state(text: str) -> tuple[int, bool] | None:
    """The oxidation number that a short sentence states (`Oxygen is in the −2 state`); None of anything else."""
    said = " ".join(re.sub(r"\$|\*\*", "", text).split()) if len(text) <= _MAX else ""
    found = _STATED.fullmatch(said) or _STATED.fullmatch(_DRAWN.split(said)[-1])
    if found is None or _OTHERWISE.search(text):
        return None
    return oxidation(next(part for part in found.groups() if part is not None))


def electrons(shells: str) -> dict[str, int] | None:
    """Electrons by shell of a configuration (`[Ar]3d54s1`), the noble gas written out; None where it cannot be one."""
    core = re.match(r"\[([A-Z][a-z])\]", shells)
    if core is not None and core[1] not in _CORES:
        return None
    written = (_cut(_CORES[core[1]]) or []) if core is not None else []
    rest = shells[core.end() :] if core is not None else shells
    cut = _cut(rest)
    if cut is None:
        return None
    found: dict[str, int] = {}
    for shell, count in (*written, *cut):
        if shell in found:
            return None
        found[shell] = int(count)
    return found


def _cut(text: str) -> list[tuple[str, str]] | None:
    """`2p63s2` cut into shells: a number of two digits only where the shell holds so many."""
    found: list[tuple[str, str]] = []
    while text:
        match = re.match(r"([1-8])([spdf])(\d{1,2})", text)
        if match is None:
            return None
        count = match[3]
        following = text[match.end() : match.end() + 1]
        if len(count) == 2 and (int(count) > _FULL[match[2]] or (following and following in _FULL)):
            count = count[:1]
        if not 0 < int(count) <= _FULL[match[2]]:
            return None
        found.append((match[1] + match[2], count))
        text = text[match.start(3) + len(count) :]
    return found
