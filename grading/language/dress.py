"""Takes off what changes the look only: colours, sizes, tags, display environments, alignment; writes siunitx out."""

import re

_SPACE = re.compile(
    r"\\(?:tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|nonumber|notag"
    r"|centering)(?![A-Za-z])"
    r"|\\(?:tag\*?|label)\s*\{[^{}]{0,20}\}|\\(?:h|v)?phantom\s*\{[^{}]{0,40}\}|\\(?:hspace|vspace"
    r"|mspace)\*?\s*\{[^{}]{0,20}\}"
    r"|\\(?:begin|end)\s*\{(?:equation|displaymath|math|gather|multline|center)\*?\}"
)
_SPACES = frozenset(
    {"tiny", "scriptsize", "footnotesize", "small", "normalsize", "large", "Large", "LARGE", "huge", "Huge", "nonumber"}
    | {"notag", "centering", "tag", "label", "phantom", "hphantom", "vphantom", "hspace", "vspace", "mspace"}
    | {"begin", "end"}
)
"""The commands that `_SPACE` begins with."""
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_COLOUR = re.compile(
    r"\\(?:color|textcolor|colorbox|fcolorbox)\s*(?!\{\s*(?i:white|transparent"
    r"|none)\b)\{[^{}\\]{1,40}\}(?:\s*\{[^{}\\]{1,40}\}(?=\s*\{))?"
    r"|\\bbox\s*(?:\[[^\][{}]{0,80}\])?"
)
"""Colours by name; white ink, on which the eye and the grammar would differ, is refused."""
_ALIGNED = re.compile(
    r"\\begin\s*\{(aligned|align|split|gathered|eqnarray|alignat)(\*?)\}(.*?)\\end\s*\{\1\2\}", re.DOTALL
)
_RELATION = r"(?:=|<|>|\\(?:approx|le|ge|leq|geq|equiv|simeq|Rightarrow|implies|to|sim|lt|gt)(?![A-Za-z]))"
_MARKED_RELATION = re.compile(rf"&\s*({_RELATION})\s*&?|({_RELATION})\s*&")
_LEFT_BRACE = re.compile(
    r"\\left\s*\\(?:\{|lbrace)\s*\\begin\s*\{(array|aligned"
    r"|matrix)\}(?:\s*\{[lcr|\s]{1,10}\})?(.*?)\\end\s*\{\1\}\s*\\right\s*\.",
    re.DOTALL,
)
_SIUNITX = re.compile(r"\\(SI|qty|num|ang|si|unit)\s*(?:\[[^\][{}]{0,60}\]\s*)?(?=\{)")
_MACROS = frozenset(["SI", "qty", "num", "ang", "si", "unit"])
_UNIT_PART = re.compile(r"\\([A-Za-z]+)\s*|\^\s*\{?\s*(-?\d{1,2})\s*\}?|([./*~]|\\cdot|\s+)|([A-Za-z%]+)")
_PREFIXES = {
    "yocto": "y",
    "zepto": "z",
    "atto": "a",
    "femto": "f",
    "pico": "p",
    "nano": "n",
    "micro": "\\mu ",
    "milli": "m",
    "centi": "c",
    "deci": "d",
    "deca": "da",
    "deka": "da",
    "hecto": "h",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
    "peta": "P",
    "exa": "E",
    "zetta": "Z",
    "yotta": "Y",
}
_UNITS = {
    "metre": "m",
    "meter": "m",
    "gram": "g",
    "kilogram": "kg",
    "second": "s",
    "ampere": "A",
    "kelvin": "K",
    "mole": "mol",
    "candela": "cd",
    "newton": "N",
    "joule": "J",
    "watt": "W",
    "pascal": "Pa",
    "hertz": "Hz",
    "coulomb": "C",
    "volt": "V",
    "farad": "F",
    "ohm": "ohm",
    "tesla": "T",
    "weber": "Wb",
    "henry": "H",
    "siemens": "S",
    "becquerel": "Bq",
    "gray": "Gy",
    "sievert": "Sv",
    "lumen": "lm",
    "lux": "lx",
    "katal": "kat",
    "litre": "L",
    "liter": "L",
    "electronvolt": "eV",
    "minute": "min",
    "hour": "h",
    "day": "d",
    "bar": "bar",
    "tonne": "t",
    "dalton": "Da",
    "radian": "rad",
    "steradian": "sr",
    "hectare": "ha",
    "astronomicalunit": "au",
    "angstrom": "AA",
    "mmHg": "mmHg",
    "atm": "atm",
    "decibel": "dB",
    "bel": "B",
    "degree": "deg",
    "degreeCelsius": "degC",
    "celsius": "degC",
    "percent": "percent",
    "m": "m",
    "kg": "kg",
    "s": "s",
    "km": "km",
    "cm": "cm",
    "mm": "mm",
}
_POWERS = {"square": 2, "cubic": 3}
_RAISED = {"squared": 2, "cubed": 3}
_MAX_GROUP = 400


_BOLD = {"mathbf", "boldsymbol", "bm"}
_BOLD_QUANTITY = re.compile(
    r"(?<![\^_])(?<![\^_] )\\(?:mathbf|boldsymbol|bm)\s*"
    r"\{(?P<inner>\s*[-−+]?\s*\d[^{}]{0,40}(?:\{[^{}]{0,20}\}[^{}]{0,40}){0,3})\}"
)
"""A number in bold type, with its unit: `\\mathbf{1.0\\times 10^{-5}\\ M}`."""


_EMPTY = re.compile(r"\{\}(?=\s*[\^_])")
"""A group of nothing that carries what is raised or lowered: `{}^\\circ C`."""


def undressed(text: str) -> str:
    """The text without its dress. What is not understood stays as it stands, for the grammar to refuse."""
    if "\\" not in text:
        return text
    text = _EMPTY.sub("", text) if "{}" in text else text
    names = set(_COMMAND.findall(text))
    text = _written_out(text) if not names.isdisjoint(_MACROS) and _SIUNITX.search(text) else text
    if "begin" in names:
        text = _LEFT_BRACE.sub(lambda match: f"\\begin{{cases}}{match[2]}\\end{{cases}}", text)
        text = _ALIGNED.sub(lambda match: _rows(match[3]), text)
    if ("color" in text or "\\bbox" in text) and _COLOUR.search(text):
        text = _in_one_group(
            _COLOUR.sub(" ", re.sub(r"(\\f?colorbox\s*\{[^{}]*\}\s*\{)\s*\$([^$]*)\$\s*\}", r"\1\2}", text))
        )
    if not names.isdisjoint(_BOLD):
        text = _BOLD_QUANTITY.sub(r"\g<inner>", text)
    return text if names.isdisjoint(_SPACES) else _SPACE.sub(" ", text)


def _in_one_group(text: str) -> str:
    """What stands in the brace group that a colour leaves about the whole."""
    found = _group(text.strip(), 0)
    return found[0] if found is not None and found[1] == len(text.strip()) else text


def _rows(body: str) -> str:
    """Rows of an aligned display: one that begins with a relation goes on with the row before."""
    body = re.sub(r"^\s*\{[^{}]{0,10}\}", "", body)
    body = _MARKED_RELATION.sub(lambda match: f" {match[1] or match[2]} ", body)
    joined: list[str] = []
    for written in re.split(r"\\\\(?:\s*\[[^\]]{0,12}\])?", body):
        row = re.sub(r"^\s*&\s*|\s*&\s*$", "", written).strip()
        if not row:
            continue
        if joined and re.match(_RELATION, row):
            joined[-1] += f" {row}"
        else:
            joined.append(row.rstrip(","))
    if len(joined) == 1:
        return joined[0]
    return "\\begin{gathered}" + "\\\\ ".join(joined) + "\\end{gathered}"


def _group(text: str, start: int) -> tuple[str, int] | None:
    """What stands in the brace group at `start`, and where it ends."""
    if not text.startswith("{", start):
        return None
    depth = 0
    for place in range(start, min(len(text), start + _MAX_GROUP)):
        depth += (text[place] == "{") - (text[place] == "}")
        if not depth:
            return text[start + 1 : place], place + 1
    return None


def _written_out(text: str) -> str:
    """`\\SI{4.7}{\\kilo\\ohm}` as `4.7\\,\\mathrm{kohm}`; a macro that is not understood stays."""
    done, place = "", 0
    while (match := _SIUNITX.search(text, place)) is not None:
        first = _group(text, match.end())
        second = None
        if first is not None and match[1] in ("SI", "qty"):
            gap = re.compile(r"\s*(?:\[[^\][{}]{0,20}\])?\s*").match(text, first[1])
            second = _group(text, gap.end() if gap else first[1])
        written = _macro(match[1], first[0] if first else None, second[0] if second else None)
        end = second[1] if second else first[1] if first else match.end()
        done += text[place : match.start()] + (written if written is not None else text[match.start() : end])
        place = end
    return done + text[place:]


def _macro(name: str, first: str | None, second: str | None) -> str | None:
    if first is None:
        return None
    if name == "num":
        return f" {first} "
    if name == "ang":
        parts = [part.strip() for part in first.split(";")]
        marks = ("^\\circ ", "'", "''")
        return "".join(f"{part}{mark}" for part, mark in zip(parts, marks, strict=False) if part)
    unit = unit_text(second if name in ("SI", "qty") and second is not None else first)
    if unit is None:
        return None
    uncertain = _PLUS_MINUS.fullmatch(first) if "+" in first else None
    first = f"({uncertain[1]} \\pm {uncertain[2]})" if uncertain is not None else first
    return f" {first}\\, {unit}" if name in ("SI", "qty") and second is not None else f"\\, {unit}"


_SHORT = {
    prefix + unit: ("\\mu " if prefix == "u" else prefix) + unit
    for prefix in ("", *"pnumcdkMG")
    for unit in ("m", "g", "s", "A", "K", "N", "J", "W", "V", "F", "C", "T", "L", "l", "Hz", "Pa", "eV", "mol")
}
"""Units of siunitx by their short macros: `\\km`, `\\um`."""
_PLUS_MINUS = re.compile(r"\s*(-?[\d.]+)\s*\+-\s*([\d.]+)\s*")


def unit_text(text: str) -> str | None:
    """A unit of siunitx, in macros or in letters, in upright letters with powers; None where a part is unknown."""
    parts: list[tuple[str, int]] = []
    prefix, power, sign, place = "", 1, 1, 0
    text = text.strip()
    while place < len(text):
        match = _UNIT_PART.match(text, place)
        if match is None:
            return None
        place = match.end()
        macro, exponent, joint, letters = match.groups()
        if joint is not None or macro == "cdot":
            sign = -1 if joint == "/" else sign
        elif macro == "per":
            sign = -1
        elif macro in _PREFIXES:
            prefix = _PREFIXES[macro]
        elif macro in _POWERS:
            power = _POWERS[macro]
        elif macro in _RAISED or exponent is not None:
            if not parts:
                return None
            name, before = parts[-1]
            parts[-1] = (name, before * (_RAISED[macro] if macro in _RAISED else int(exponent)))
        else:
            written = (_UNITS.get(macro) or _SHORT.get(macro, "")) if macro else str(letters)
            if not written:
                return None
            parts.append((prefix + written, sign * power))
            if macro:
                sign = 1
            prefix, power = "", 1
    return "\\,".join(_raised(name, power) for name, power in parts) if parts and not prefix else None


def _raised(name: str, power: int) -> str:
    upright = {"deg": "^\\circ", "degC": "^\\circ\\mathrm{C}", "percent": "\\%"}.get(name, f"\\mathrm{{{name}}}")
    return upright if power == 1 else f"{upright}^{{{power}}}"
