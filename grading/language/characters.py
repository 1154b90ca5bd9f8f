"""Unicode to the ASCII spelling of the answer language. What has no spelling here is refused."""

import re
import unicodedata
from typing import Final

from grading.language.limits import LanguageError

_SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣᶜ", "0123456789+-=()nixc", strict=True))
_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True))
_GREEK: Final = {
    **dict(
        zip(
            "αβγδεζηθικλμνξπρστυφχψω",
            [
                "alpha",
                "beta",
                "gamma",
                "delta",
                "epsilon",
                "zeta",
                "eta",
                "theta",
                "iota",
                "kappa",
                "lambda",
                "mu",
                "nu",
                "xi",
                "pi",
                "rho",
                "sigma",
                "tau",
                "upsilon",
                "phi",
                "chi",
                "psi",
                "omega",
            ],
            strict=True,
        )
    ),
    **dict(
        zip(
            "ΓΔΘΛΞΠΣΥΦΨΩ",
            [
                "Gamma",
                "Delta",
                "Theta",
                "Lambda",
                "Xi",
                "Pi",
                "Sigma",
                "Upsilon",
                "Phi",
                "Psi",
                "Omega",
            ],
            strict=True,
        )
    ),
    "ϵ": "epsilon",
    "ϕ": "phi",
    "ϑ": "theta",
    "ς": "sigma",
    "µ": "mu",
    "Ω": "Omega",
}
_OTHERS: Final = {
    "×": r"\times ",
    "·": r"\cdot ",
    "⋅": r"\cdot ",
    "∙": r"\cdot ",
    "•": r"\cdot ",
    "∗": "*",
    "÷": "/",
    "⁄": "/",
    "∕": "/",
    "−": "-",
    "–": "-",
    "—": "-",
    "‐": "-",
    "‑": "-",
    "≤": r"\le ",
    "≥": r"\ge ",
    "⩽": r"\le ",
    "⩾": r"\ge ",
    "≠": r"\ne ",
    "≈": r"\approx ",
    "≃": r"\approx ",
    "≅": r"\approx ",
    "∼": r"\sim ",
    "±": r"\pm ",
    "∓": r"\mp ",
    "∞": r"\infty ",
    "°": r"\degree ",
    "′": "'",
    "″": "''",
    "’": "'",
    "∈": r"\in ",
    "∉": r"\notin ",
    "∪": r"\cup ",
    "∩": r"\cap ",
    "∖": r"\setminus ",
    "∅": r"\emptyset ",
    "ℝ": r"\mathbb{R}",
    "ℤ": r"\mathbb{Z}",
    "ℕ": r"\mathbb{N}",
    "ℚ": r"\mathbb{Q}",
    "ℂ": r"\mathbb{C}",
    "→": r"\to ",
    "↦": r"\mapsto ",
    "∑": r"\sum ",
    "∏": r"\prod ",
    "∫": r"\int ",
    "∂": r"\partial ",
    "∇": r"\nabla ",
    "ℏ": r"\hbar ",
    "ħ": r"\hbar ",
    "ℓ": "l",
    "⟨": r"\langle ",
    "⟩": r"\rangle ",
    "〈": r"\langle ",
    "〉": r"\rangle ",
    "⌊": r"\lfloor ",
    "⌋": r"\rfloor ",
    "⌈": r"\lceil ",
    "⌉": r"\rceil ",
    "…": r"\ldots ",
    "⋯": r"\cdots ",
    "√": "sqrt ",
    "∛": "cbrt ",
    "∜": r"\sqrt[4] ",
    "Å": r"\AA ",
    "\u212b": r"\AA ",
    "‰": r"\text{ permille}",
    "¢": r"\text{ cents}",
    "∠": r"\angle ",
    "∡": r"\angle ",
    "△": r"\triangle ",
    "⊗": r"\otimes ",
    "⊤": r"\top ",
    "€": r"\euro ",
    "£": r"\pounds ",
    "¥": r"\yen ",
    "₹": r"\rupees ",
    "₩": r"\won ",
    "₽": r"\rubles ",
    "℃": r"\degree C",
    "∧": r"\land ",
    "∨": r"\lor ",
    "∶": ":",
    "，": ",",
    "；": ";",
    "：": ":",
    "（": "(",
    "）": ")",
    "。": ".",
    "∴": r"\therefore ",
    "⊕": r"\oplus ",
    "≪": r"\ll ",
    "≫": r"\gg ",
    "∝": r"\propto ",
    "½": r"\frac{1}{2}",
    "¼": r"\frac{1}{4}",
    "¾": r"\frac{3}{4}",
    "⅓": r"\frac{1}{3}",
    "⅔": r"\frac{2}{3}",
    "⅕": r"\frac{1}{5}",
    "⅖": r"\frac{2}{5}",
    "⅗": r"\frac{3}{5}",
    "⅘": r"\frac{4}{5}",
    "⅙": r"\frac{1}{6}",
    "⅚": r"\frac{5}{6}",
    "⅛": r"\frac{1}{8}",
    "⅜": r"\frac{3}{8}",
    "⅝": r"\frac{5}{8}",
    "⅞": r"\frac{7}{8}",
    "“": '"',
    "”": '"',
    "‘": "'",
    "≡": "=",
    "⇒": r"\Rightarrow ",
    "ö": "o",
    "é": "e",
    "\u2009": " ",
    "\u202f": " ",
    "\u2002": " ",
    "\u2003": " ",
    "\u2005": " ",
    "\u2006": " ",
    "\u2008": " ",
    "\u200a": " ",
    "\u3000": " ",
    "\t": " ",
    "\n": " ",
}


_PLAIN_FORMS: Final = re.compile("[\U0001d400-\U0001d7ff\uff01-\uff5e\ufe50-\ufe6b\u2160-\u217f\u3380-\u33df]+")
"""Mathematical alphabets, full and small width, Roman numerals, units in one sign: the same signs in another type."""
_STACKED: Final = re.compile("([⁰¹²³⁴-⁹]+)[⁄/∕]([₀-₉]+)")
"""A fraction written with a superscript over a subscript."""


_MIXED: Final = re.compile("(\\d{1,6})([½¼¾⅓-⅞])(?=\\s*[A-Za-z])")
"""A whole number before a fraction in one sign."""


_ACCENTS: Final = {
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0305": "bar",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u20d7": "vec",
}
"""Combining marks that a letter may carry: each is seen, and is the accent that LaTeX writes."""
_MARKS: Final = "".join(_ACCENTS)
_ACCENTED: Final = re.compile(f"([A-Za-zα-ωΑ-ΩϵϕϑΩ])([{_MARKS}])(?![\u0300-\u036f])")
_COMPOSED: Final = {
    char: spelt
    for char in map(chr, range(0xC0, 0x1EFA))
    if char not in _OTHERS
    and len(spelt := unicodedata.normalize("NFD", char)) == 2
    and spelt[0].isascii()
    and spelt[1] in _ACCENTS
}
"""Letters that are one sign with their accent."""
_ONE_LETTER: Final = re.compile(rf"(?<![^\W\d_])[^\W\d_]?[{''.join(_COMPOSED)}](?![^\W\d_])")
"""One of those where it is a symbol, alone or behind one other letter, and not part of a word."""


def _improper(match: re.Match[str]) -> str:
    over, under = _digits(match[2]).split("\u2044")
    return rf"\frac{{{int(match[1]) * int(under) + int(over)}}}{{{under}}}"


def _run(text: str, table: dict[str, str], mark: str) -> str:
    pattern = f"[{''.join(table)}]+"
    return re.sub(pattern, lambda m: mark + "{" + "".join(table[c] for c in m.group()) + "}", text)


def _digits(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def to_ascii(text: str) -> str:
    """Rewrite mathematical Unicode as LaTeX. Raises LanguageError for control, invisible, combining and foreign
    characters: they would let two different answers look alike."""
    if text.isascii() and text.isprintable():
        return text
    text = _PLAIN_FORMS.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text.replace("\u00a0", " "))
    text = _ONE_LETTER.sub(lambda match: "".join(_COMPOSED.get(char, char) for char in match[0]), text)
    text = _ACCENTED.sub(lambda match: rf"\{_ACCENTS[match[2]]}{{{match[1]}}}", text)
    text = _MIXED.sub(_improper, text)
    text = _STACKED.sub(lambda m: rf"\frac{{{_digits(m[1])}}}{{{_digits(m[2])}}}", text)
    text = _run(_run(text, _SUPERSCRIPTS, "^"), _SUBSCRIPTS, "_")
    return "".join(_character(char, position) for position, char in enumerate(text))


def _character(char: str, position: int) -> str:
    if " " <= char <= "~":
        return char
    if char in _GREEK:
        return f"\\{_GREEK[char]} "
    spelling = _OTHERS.get(char)
    if spelling is None:
        raise LanguageError(f"the character {unicodedata.name(char, hex(ord(char)))} is not of the language", position)
    return spelling
