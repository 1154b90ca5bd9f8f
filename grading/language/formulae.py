"""Chemical formulae, nuclides and electron configurations: one spelling for each, whatever dress it wears."""

import re
from functools import lru_cache
from typing import Final

_SYMBOLS: Final = """
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr
    Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd
    In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf
    Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm
    Bk Cf Es Fm Md No Lr
"""
_NAMES: Final = """
    hydrogen helium lithium beryllium boron carbon nitrogen oxygen fluorine neon sodium magnesium alumin(?:i)?um silicon
    phosphorus sul(?:ph|f)ur chlorine argon potassium calcium scandium titanium vanadium chromium manganese iron cobalt
    nickel copper zinc gallium germanium arsenic selenium bromine krypton rubidium strontium yttrium zirconium niobium
    molybdenum technetium ruthenium rhodium palladium silver cadmium indium tin antimony tellurium iodine xenon
    ca?esium barium lanthanum cerium praseodymium neodymium promethium samarium europium gadolinium terbium dysprosium
    holmium erbium thulium ytterbium lutetium hafnium tantalum tungsten rhenium osmium iridium platinum gold mercury
    thallium lead bismuth polonium astatine radon francium radium actinium thorium protactinium uranium neptunium
    plutonium americium curium berkelium californium einsteinium fermium mendelevium nobelium lawrencium
"""
"""Names in the order of their protons."""
_ATOMIC: Final = {symbol: number for number, symbol in enumerate(_SYMBOLS.split(), 1)}
"""Elements by their symbols, with the number of protons."""
SYMBOLS: Final = tuple(_ATOMIC)
_UPRIGHT: Final = re.compile(r"\\(?:mathrm|text|ce|rm|mathbf|textrm|operatorname)\b")
_SCRIPTS: Final = {
    **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)),
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True)),
}
_LOWERED: Final = {**dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)), "ᵥ": "v", "ₕ": "h", "ₛ": "s", "ᵢ": "i"}
_RAISED: Final = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]*[⁺⁻]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PROTONS: Final = re.compile("(?<=[⁰¹²³⁴⁵⁶⁷⁸⁹])[₀₁₂₃₄₅₆₇₈₉]{1,3}(?=[A-Zα-ω])")
"""The number of protons below that of the nucleons: `²³⁸₉₂U`."""
_SPECIES: Final = re.compile(
    r"(?P<nuclide>(?:\^\d{1,3})?(?:_\d{1,3})?)(?P<body>(?:[A-Z][a-z]?\d{0,3}|[()\[\]]\d{0,2})+)"
    r"(?P<charge>(?:\^?\d?[+-]|\^[+-]\d?)?)(?P<state>\((?:aq|s|l|g)\))?"
)
_ONLY_DIGITS: Final = re.compile(r"[(\[]\d*[)\]]")
"""What is in no formula: `SU(2)`."""
_SHELLS: Final = re.compile(r"(?:\[[A-Z][a-z]\])?(?:[1-8][spdf]\^?\d{1,2})+")
_SHELLS_INSIDE: Final = re.compile(
    r"(?<![\w\]])(?:\[\s*[A-Z][a-z]\s*\]\s*(?:[1-8][spdf]\^?\d{1,2}[ \t]*)+"
    r"|(?:[1-8][spdf]\^?\d{1,2}[ \t]*){2,})(?![\w^])"
)
"""One that stands among words: with its noble gas, or of two shells or more."""
_SHELL: Final = r"[1-8][spdf](?:\^?\d{1,2}|\^\{\d{1,2}\}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})[ \t]*"
_SHELLS_TYPED: Final = re.compile(rf"(?<![\w\]])(?:\[\s*[A-Z][a-z]\s*\]\s*(?:{_SHELL})+|(?:{_SHELL}){{2,}})(?![\w^])")
_PLAIN_ION: Final = re.compile(r"([A-Z][a-z]?|\[[^\[\]]{1,60}\])(\d[+-])")
_NUCLIDE: Final = re.compile(r"(?P<of>[A-Za-z]{1,13})-(?P<mass>\d{1,3})")
_WATER: Final = re.compile(r"[·⋅•∙*]|\\(?:cdot|bullet|ast)(?![A-Za-z])|(?<=\d)\.(?=\d*[A-Z])")
_HELD: Final = re.compile(r"(?:\\[,;:! ]|\s)*(?P<count>\d{0,2})\s*(?P<of>\S.*)", re.DOTALL)
_MOLECULES: Final = frozenset(
    ["H", "He", "B", "C", "N", "O", "F", "Si", "P", "S", "Cl", "As", "Se", "Br", "Te", "I", "Hg"]
)
_MAX: Final = 120
LEAVES: Final = r"(?:[↑↓]|\\(?:up|down)arrow(?![A-Za-z]))"
"""The arrow of a gas that escapes, or of a solid that falls out."""
_LEAVES: Final = re.compile(rf"\s*{LEAVES}[}}$\s.]*$")
_INDEX: Final = re.compile(r"(?<=[A-Za-z)\]])_(?=\d)")
_SPACING: Final = re.compile(r"\\(?:left|right|,|;|!|:| |[()\[\]])")
_DRESS: Final = re.compile(r"[{}\s$~]")
_ELSEWHERE: Final = frozenset("=/*<>|&%#@?'\"")
"""Signs that stand in no formula, nuclide or configuration, and in none of their dress."""


def plainly(text: str) -> str:
    """A formula in one line of ASCII: `^` before what is raised, indexes on the line, without dress and gaps."""
    if not text.isascii():
        text = _PROTONS.sub(lambda run: f"_{''.join(_SCRIPTS[char] for char in run[0])}", text)
        text = _RAISED.sub(lambda run: f"^{''.join(_SCRIPTS[char] for char in run[0])}", text)
        text = "".join(_SCRIPTS.get(char, char) for char in text)
    text = re.sub(r"\^(\d?)\^([+-])", r"^\1\2", text) if "^" in text else text
    text = _SPACING.sub("", _UPRIGHT.sub("", text)) if "\\" in text else text
    text = re.sub(r"\((\d?[+-])\)$", r"^\1", text) if text.endswith(")") else text
    return _DRESS.sub("", text).replace("−", "-").rstrip(".")


@lru_cache(maxsize=256)
def species(text: str) -> str | None:
    """The one spelling of a formula such as `\\mathrm{SO_4^{2-}}`, `H₂O`, `^{14}_6C`; None for anything else."""
    if len(text) > _MAX or text == text.lower() or not _ELSEWHERE.isdisjoint(text):
        return None
    text = _LEAVES.sub("", text) if "arrow" in text or "↑" in text or "↓" in text else text
    parts = _WATER.split(text)
    if len(parts) > 1:
        return _adduct(parts)
    bare = plainly(text)
    if "\\" in bare:
        return None
    bare = _INDEX.sub("", bare) if "_" in bare else bare
    found = _SPECIES.fullmatch(re.sub(r"^_(\d{1,3})\^(\d{1,3})", r"^\2_\1", bare))
    if found is None or found["body"].count("(") != found["body"].count(")") or _ONLY_DIGITS.search(found["body"]):
        return None
    atoms = set(re.findall(r"[A-Z][a-z]?", found["body"]))
    if not atoms or not atoms <= _ATOMIC.keys():
        return None
    charge = found["charge"].replace("^", "")
    sign = charge.strip("0123456789")
    nucleons, _, protons = found["nuclide"].partition("_")
    if protons and (len(atoms) > 1 or int(protons) != _ATOMIC[min(atoms)]):
        nucleons = found["nuclide"]
    return f"{nucleons}{found['body']}|{charge.strip('+-')}{sign}{found['state'] or ''}"


def _adduct(parts: list[str]) -> str | None:
    """`CuSO4·5H2O`: a salt and what it holds, each with its number."""
    if parts[0].count("{") > parts[0].count("}"):
        parts = [re.sub(r"[{}]", "", _UPRIGHT.sub("", part)) for part in parts]
    found = [_HELD.fullmatch(part.strip()) for part in parts]
    spelt = [species(part["of"]) if part is not None else None for part in found]
    if None in spelt:
        return None
    counts = [part["count"] or "1" for part in found if part is not None]
    return "·".join(f"{count} {each}" for count, each in zip(counts, spelt, strict=True))


def plain_ion(text: str) -> str | None:
    """`Fe3+`, `[Cu(NH3)4]2+` in plain text as the ion with that charge; None of anything else."""
    found = _PLAIN_ION.fullmatch(text.strip(" $."))
    return species(f"{found[1]}^{found[2]}") if found is not None else None


def plain_cation(text: str) -> str | None:
    """`Fe3+`, `[Cu(NH3)4]2+` as the one ion that they are; None where the element also forms molecules (`O2-`)."""
    found = _PLAIN_ION.fullmatch(text.strip(" $."))
    single = found is not None and (found[1][0] == "[" or (found[1] in _ATOMIC and found[1] not in _MOLECULES))
    return plain_ion(text) if single else None


def is_marked(text: str) -> bool:
    """Whether a formula is certainly one: set upright, with a charge, or with the number of its nucleons."""
    found = species(text)
    if found is None:
        return False
    if "·" in found:
        return True
    atoms = len(re.findall(r"[A-Z]", found))
    return "\\ce" in text or found[-1] in "+-" or found.startswith("^") or (atoms > 1 and bool(_UPRIGHT.search(text)))


def shells_in(text: str) -> set[str]:
    """The configurations that a sentence names, each in its one spelling."""
    plain = _UPRIGHT.sub("", _SPACING.sub(" ", text.replace("$", " "))).replace("{", "").replace("}", "")
    plain = "".join(_SCRIPTS.get(char, char) for char in plain)
    return {found for match in _SHELLS_INSIDE.finditer(plain) if (found := shells(match[0])) is not None}


def spans_of_shells(text: str) -> list[tuple[int, int]]:
    """Where configurations stand among words, with their noble gas or of two shells or more."""
    return [
        (found.start(), found.start() + len(found[0].rstrip()))
        for found in _SHELLS_TYPED.finditer(text)
        if shells(found[0]) is not None
    ]


def shells(text: str) -> str | None:
    """The one spelling of an electron configuration such as `1s^{2} 2s^2`; None for anything else."""
    if len(text) > _MAX or not _ELSEWHERE.isdisjoint(text):
        return None
    bare = plainly(text).replace("^", "")
    return bare if _SHELLS.fullmatch(bare) else None


@lru_cache(maxsize=256)
def symbol_of(name: str) -> str | None:
    """The symbol of an element by its name; None of other names."""
    names = zip(_NAMES.split(), SYMBOLS, strict=True)
    return next((symbol for spelt, symbol in names if re.fullmatch(spelt, name.casefold())), None)


def nuclide(text: str) -> str | None:
    """`Thorium-234`, `C-14` in the spelling of `^{234}Th`; None of anything else."""
    found = _NUCLIDE.fullmatch(text.strip(" $*.")) if "-" in text and len(text) <= _MAX else None
    symbol = (found["of"] if found["of"] in _ATOMIC else symbol_of(found["of"])) if found is not None else None
    return f"^{found['mass']}{symbol}|" if found is not None and symbol is not None else None


_POINT_GROUP: Final = re.compile(
    r"(?<![A-Za-z\d\\])(?:[CD]_?(?:\d{1,2}|\\infty\s?|∞)[vhd]|S_?\d{1,2}|C_?[si]|[TO]_?[dh]|I_?h|[CD]_\d{1,2})(?![A-Za-z\d^])"
)


def point_groups(text: str) -> set[str]:
    """The point groups of molecules that a text names (`C_{2v}`, `D∞h`, `Oₕ`), each in its one spelling."""
    text = "".join(_LOWERED.get(char, char) for char in _UPRIGHT.sub("", text))
    text = _SPACING.sub("", re.sub(r"[{}$*]", "", text))
    found = (match[0].replace("_", "").replace("\\infty", "∞") for match in _POINT_GROUP.finditer(text))
    return {re.sub(r"\s", "", each) for each in found}


_NEAR_CORE = re.compile(
    r"\b(?:less|fewer|more|beyond|plus|minus|past|after|before|electrons?(?!\s+configuration)|next|add|remove|without|lose|gain|extra"
    r"|missing|above|below)\b|\]\s*(?:[^\s.)*]|\.\s*\w)",
    re.IGNORECASE,
)
"""What makes another configuration of a core, or goes on behind it."""
_CORE = re.compile(r"(?<![\w\]])\[\s*(He|Ne|Ar|Kr|Xe|Rn)\s*\](?![\^\w+-])")


def core_in(text: str) -> str | None:
    """The noble gas that a text names in brackets for its configuration, where no shell stands beside it."""
    plain = _UPRIGHT.sub("", _SPACING.sub(" ", text)).translate(str.maketrans("", "", "{}$"))
    found = _CORE.findall(plain)
    alone = len(found) == 1 and not re.search(r"[1-8][spdf]", plain) and not _NEAR_CORE.search(plain)
    return f"[{found[0]}]" if alone else None


_DRESSED = re.compile(r"\$?\\(?:ce|mathrm|rm)\b")


def is_dressed(text: str) -> bool:
    """Whether a text is set as a formula of a substance: `\\mathrm{NO}` is no denial."""
    return _DRESSED.match(text.strip()) is not None
