"""Dresses of the formula itself: notation, name, unit and delimiters."""

import re
from random import Random

from tests.unit.grading.corpus.drafts import Draft, Dress, Maker, Stage
from tests.unit.grading.corpus.golds import DECIMAL, FRACTION, INTEGER, UNITS, value_of

_UNICODE = {
    r"\frac{1}{2}": "½",
    r"\pi": "π",
    r"\infty": "∞",
    r"\cup": "∪",
    r"\ge": "≥",
    r"\le": "≤",
    r"\in": "∈",
    r"\mathbb{Z}": "ℤ",
    r"\mathbb{N}": "ℕ",
    r"\mathbb{R}": "ℝ",
    r"\cdot": "·",
    "-": "\u2212",
    "^2": "²",
    "^3": "³",
}
_FULL_WIDTH = str.maketrans("0123456789+-=()", "0123456789+-=()".translate({n: n + 0xFEE0 for n in range(33, 127)}))


def _changed(old: str, new: str) -> str | None:
    return new if new != old else None


def _fraction_size(draft: Draft, rng: Random) -> str | None:
    return _changed(draft.text, draft.text.replace(r"\frac", rng.choice((r"\dfrac", r"\tfrac", r"\cfrac"))))


def _slash(draft: Draft, _: Random) -> str | None:
    return _changed(draft.text, FRACTION.sub(r"\1\2/\3", draft.text)) if FRACTION.fullmatch(draft.text) else None


def _brackets(draft: Draft, _: Random) -> str | None:
    if draft.gold.shape == "interval" or "\\left" in draft.text:
        return None
    return _changed(draft.text, re.sub(r"(?<!\\right)\)", r"\\right)", re.sub(r"\((?!\))", r"\\left(", draft.text)))


def _spaces(draft: Draft, rng: Random) -> str | None:
    space = rng.choice((r"\,", r"\;", r"\ ", "~"))
    return _changed(draft.text, re.sub(r"(?<=[\w)}])[+=]", lambda sign: f"{space}{sign[0]}{space}", draft.text))


def _powers(draft: Draft, _: Random) -> str | None:
    return _changed(draft.text, re.sub(r"\^(\d)", r"^{\1}", draft.text))


def _unicode(draft: Draft, _: Random) -> str | None:
    text = draft.text
    if re.search(r"\\(?:frac|sqrt|begin|left)", text.replace(r"\frac{1}{2}", "")):
        return None
    for latex, sign in _UNICODE.items():
        text = re.sub(re.escape(latex) + ("(?![a-zA-Z])" if latex[0] == "\\" else ""), sign, text)
    return _changed(draft.text, text.replace("\\ ", " "))


def _colour(draft: Draft, rng: Random) -> str:
    colour = rng.choice(("red", "blue", "green"))
    return rng.choice((rf"\color{{{colour}}}{{{draft.text}}}", rf"\textcolor{{{colour}}}{{{draft.text}}}"))


def _size(draft: Draft, rng: Random) -> str:
    return rng.choice((rf"{{\Large {draft.text}}}", rf"\displaystyle {draft.text}", rf"\large {draft.text}"))


def _braces(draft: Draft, _: Random) -> str:
    return f"{{{draft.text}}}"


def _full_width(draft: Draft, _: Random) -> str | None:
    plain = INTEGER.fullmatch(draft.text) or DECIMAL.fullmatch(draft.text)
    return draft.text.translate(_FULL_WIDTH) if plain else None


def _grouped(draft: Draft, rng: Random) -> str | None:
    if not INTEGER.fullmatch(draft.text) or len(draft.text.strip("-")) < 4:
        return None
    return f"{int(draft.text):,}".replace(",", rng.choice((",", "{,}", r"\,")))


def _scientific(draft: Draft, rng: Random) -> str | None:
    if not DECIMAL.fullmatch(draft.text):
        return None
    mantissa, _, exponent = f"{float(draft.text):.5e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return rng.choice((rf"{mantissa}\times10^{{{int(exponent)}}}", rf"{mantissa} \cdot 10^{{{int(exponent)}}}"))


def _num(draft: Draft, _: Random) -> str | None:
    return rf"\num{{{draft.text}}}" if DECIMAL.fullmatch(draft.text) else None


def _letter(draft: Draft, rng: Random) -> str | None:
    if draft.gold.shape == "family":
        return None
    letter = rng.choice([each for each in ("Q", "S", "T", "A", "W", "y") if each not in draft.text])
    return f"{letter} {rng.choice(('=', '=', ':='))} {draft.text}"


def _function(draft: Draft, _: Random) -> str | None:
    return f"f(x)={draft.text}" if draft.gold.shape in ("expression", "cases") and "x" in draft.text else None


def _physical(draft: Draft, rng: Random) -> str | None:
    names = (r"v_{\text{max}}", r"\Delta E", r"X_{0}", r"\lambda", r"T_{1/2}", r"E_\text{kin}")
    name, sign = rng.choice(names), rng.choice(("=", r"\approx"))
    return f"{name} {sign} {draft.text}" if draft.gold.shape in ("quantity", "number") else None


def _statistic(draft: Draft, rng: Random) -> str | None:
    names = (r"P(X=3)", r"\mathbb{E}[X]", r"\operatorname{Var}(X)", r"P(A\mid B)", r"\det A", r"\dim V", r"|G|")
    return rf"{rng.choice(names)} = {draft.text}" if draft.gold.shape == "number" else None


def _about(draft: Draft, _: Random) -> str | None:
    value = value_of(draft.text) if FRACTION.fullmatch(draft.text) else None
    return rf"{draft.text}\approx {float(value):.6f}" if value else None


def _roman(draft: Draft, _: Random) -> str | None:
    return rf"{draft.text}\ \mathrm{{{draft.unit}}}" if draft.unit else None


def _text_unit(draft: Draft, _: Random) -> str | None:
    return rf"{draft.text}~\text{{{draft.unit}}}" if draft.unit else None


def _powers_unit(draft: Draft, _: Random) -> str | None:
    return rf"{draft.text}\,\mathrm{{{UNITS[draft.unit].powers}}}" if draft.unit in UNITS else None


def _siunitx(draft: Draft, rng: Random) -> str | None:
    name, equals, value = draft.text.rpartition("=") if "=" in draft.text else ("", "", draft.text)
    if draft.unit not in UNITS or not DECIMAL.fullmatch(value.strip()):
        return None
    command = rng.choice((r"\SI", r"\qty"))
    return rf"{name}{equals} {command}{{{value.strip()}}}{{{UNITS[draft.unit].siunitx}}}"


def _scaled_unit(draft: Draft, _: Random) -> str | None:
    name, equals, value = draft.text.rpartition("=") if "=" in draft.text else ("", "", draft.text)
    if draft.unit not in UNITS or not DECIMAL.fullmatch(value.strip()):
        return None
    unit, many = UNITS[draft.unit].scaled
    return rf"{name}{equals} {round(float(value) * many, 6):g}\ \mathrm{{{unit}}}"


def _worded_unit(draft: Draft, _: Random) -> str | None:
    return rf"{draft.text}\text{{ {UNITS[draft.unit].words}}}" if draft.unit in UNITS else None


def _no_unit(draft: Draft, _: Random) -> str | None:
    return draft.text if draft.unit and not draft.wrong_unit else None


def _align(draft: Draft, _: Random) -> str | None:
    if draft.gold.shape == "cases" or not re.match(r"[A-Za-z] = ", draft.text):
        return None
    return "\\begin{align*}\n" + draft.text.replace(" = ", " &= ", 1) + "\n\\end{align*}"


def _bare(draft: Draft, _: Random) -> str | None:
    return None if draft.gold.shape == "cases" else draft.text


_MAKERS = {
    Stage.NOTATION: (
        _fraction_size,
        _slash,
        _brackets,
        _spaces,
        _powers,
        _unicode,
        _colour,
        _size,
        _braces,
        _full_width,
        _grouped,
        _scientific,
        _num,
    ),
    Stage.NAME: (_letter, _function, _physical, _statistic, _about),
    Stage.UNIT: (_roman, _text_unit, _powers_unit, _siunitx, _scaled_unit, _worded_unit, _no_unit),
    Stage.DELIMITER: (_align, _bare),
}
_AROUND = {
    "dollars": "${}$",
    "display dollars": "$${}$$",
    "round brackets": r"\({}\)",
    "display brackets": r"\[{}\]",
    "box": r"$\boxed{{{}}}$",
    "display box": "$$\n\\boxed{{{}}}\n$$",
    "bold": "**${}$**",
    "box with a tag": r"\[\boxed{{{}}}\tag{{1}}\]",
}


def _around(pattern: str) -> Maker:
    return lambda draft, _: pattern.format(draft.text)


FORMULA_DRESSES: tuple[Dress, ...] = (
    *(Dress(make.__name__.strip("_").replace("_", " "), stage, make) for stage in _MAKERS for make in _MAKERS[stage]),
    *(Dress(name, Stage.DELIMITER, _around(pattern)) for name, pattern in _AROUND.items()),
)
"""Every dress of a formula, none of which fits a label of multiple choice."""
