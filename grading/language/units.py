"""Units of measure: SI with prefixes, and the units people write beside it, as exact scales and dimensions.

Scales are exact rationals times a power of pi (degrees). Values: the SI brochure (9th edition), CODATA 2018 where a
unit is measured.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from grading.language.unitsabroad import symbol_abroad

Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """`scale * pi**pi_power` base units; `offset` (kelvin) only for temperatures that stand alone."""

    scale: Fraction
    dimension: Dimension
    offset: Fraction = Fraction(0)
    pi_power: int = 0

    def times(self, other: "Unit", power: int = 1) -> "Unit":
        """The product with `other ** power`; offsets are dropped, as in a difference of temperatures."""
        dimension = dict(self.dimension)
        for name, exponent in other.dimension:
            dimension[name] = dimension.get(name, 0) + exponent * power
        kept = tuple(sorted((name, exponent) for name, exponent in dimension.items() if exponent))
        return Unit(self.scale * other.scale**power, kept, Fraction(0), self.pi_power + other.pi_power * power)


ONE = Unit(Fraction(1), ())
_LONGEST_SYMBOL = 2
ANGLE: Dimension = (("angle", 1),)


def same_dimension(left: Unit, right: Unit) -> bool:
    """Whether two units measure the same; angles count for nothing beside other dimensions."""
    return [p for p in left.dimension if p[0] != "angle"] == [p for p in right.dimension if p[0] != "angle"]


def is_number(unit: Unit) -> bool:
    """Whether a unit is a pure number, such as per cent or an angle."""
    return all(name == "angle" for name, _ in unit.dimension)


_BASE = {
    "m": "m",
    "g": "kg",
    "s": "s",
    "A": "A",
    "K": "K",
    "mol": "mol",
    "cd": "cd",
    "B": "bel",
    "bit": "bit",
    "Eq": "eq",
    "IU": "iu",
}
_PREFIXES = {
    "Q": 30,
    "R": 27,
    "Y": 24,
    "Z": 21,
    "E": 18,
    "P": 15,
    "T": 12,
    "G": 9,
    "M": 6,
    "k": 3,
    "h": 2,
    "da": 1,
    "d": -1,
    "c": -2,
    "m": -3,
    "mu": -6,
    "u": -6,
    "n": -9,
    "p": -12,
    "f": -15,
    "a": -18,
    "z": -21,
    "y": -24,
}
_PREFIX_WORDS = {
    "giga": 9,
    "mega": 6,
    "kilo": 3,
    "hecto": 2,
    "deci": -1,
    "centi": -2,
    "milli": -3,
    "micro": -6,
    "nano": -9,
    "pico": -12,
    "femto": -15,
    "tera": 12,
    "atto": -18,
}
_DERIVED = {
    "N": "kg m s^-2",
    "J": "kg m^2 s^-2",
    "W": "kg m^2 s^-3",
    "Pa": "kg m^-1 s^-2",
    "Hz": "s^-1",
    "C": "A s",
    "V": "kg m^2 s^-3 A^-1",
    "Omega": "kg m^2 s^-3 A^-2",
    "ohm": "kg m^2 s^-3 A^-2",
    "F": "kg^-1 m^-2 s^4 A^2",
    "T": "kg s^-2 A^-1",
    "Wb": "kg m^2 s^-2 A^-1",
    "H": "kg m^2 s^-2 A^-2",
    "S": "kg^-1 m^-2 s^3 A^2",
    "lm": "cd",
    "lx": "cd m^-2",
    "Bq": "s^-1",
    "Gy": "m^2 s^-2",
    "Sv": "m^2 s^-2",
    "kat": "mol s^-1",
    "L": "0.001 m^3",
    "l": "0.001 m^3",
    "eV": "1.602176634e-19 J",
    "bar": "100000 Pa",
    "t": "1000 kg",
    "pc": "3.0856775814913673e16 m",
    "cal": "4.184 J",
    "Ci": "3.7e10 Bq",
    "dyn": "1e-5 N",
    "erg": "1e-7 J",
    "G": "1e-4 T",
    "Mx": "1e-8 Wb",
    "M": "1000 mol m^-3",
    "ly": "9460730472580800 m",
    "yr": "31557600 s",
    "gauss": "1e-4 T",
}
"""Units that take SI prefixes."""
_PLAIN = {
    "min": "60 s",
    "h": "3600 s",
    "hr": "3600 s",
    "hrs": "3600 s",
    "d": "86400 s",
    "wk": "604800 s",
    "mcg": "1e-9 kg",
    "yr": "31557600 s",
    "year": "31557600 s",
    "month": "2629800 s",
    "week": "604800 s",
    "day": "86400 s",
    "hour": "3600 s",
    "minute": "60 s",
    "sec": "s",
    "second": "s",
    "AA": "1e-10 m",
    "Angstrom": "1e-10 m",
    "angstrom": "1e-10 m",
    "atm": "101325 Pa",
    "mmHg": "133.322387415 Pa",
    "Torr": "133.322368421 Pa",
    "torr": "133.322368421 Pa",
    "psi": "6894.757293168 Pa",
    "u": "1.66053906660e-27 kg",
    "amu": "1.66053906660e-27 kg",
    "Da": "1.66053906660e-27 kg",
    "Ry": "13.605693122994 eV",
    "Ha": "27.211386245988 eV",
    "AU": "149597870700 m",
    "au": "149597870700 m",
    "in": "0.0254 m",
    "inch": "0.0254 m",
    "inches": "0.0254 m",
    "ft": "0.3048 m",
    "foot": "0.3048 m",
    "feet": "0.3048 m",
    "yd": "0.9144 m",
    "yard": "0.9144 m",
    "mi": "1609.344 m",
    "mile": "1609.344 m",
    "nmi": "1852 m",
    "lb": "0.45359237 kg",
    "lbs": "0.45359237 kg",
    "oz": "0.028349523125 kg",
    "lbf": "4.4482216152605 N",
    "slug": "14.59390294 kg",
    "cc": "1e-6 m^3",
    "gal": "0.003785411784 m^3",
    "gallon": "0.003785411784 m^3",
    "cal": "4.184 J",
    "Cal": "4184 J",
    "BTU": "1055.05585262 J",
    "hp": "745.69987158227 W",
    "knot": "0.5144444444444444 m s^-1",
    "mph": "0.44704 m s^-1",
    "kmph": "5/18 m s^-1",
    "kph": "5/18 m s^-1",
    "ksi": "6894757.293168 Pa",
    "mps": "m s^-1",
    "mpg": "48000000000/112903 m^-2",
    "fps": "0.3048 m s^-1",
    "gpm": "0.0000630901964 m^3 s^-1",
    "sr": "1",
    "Wh": "3600 J",
    "Ah": "3600 C",
    "Nm": "kg m^2 s^-2",
    "Ns": "kg m s^-1",
    "ha": "10000 m^2",
    "D": "3.33564e-30 C m",
    "esu": "3.33564e-10 C",
    "statC": "3.33564e-10 C",
    "barn": "1e-28 m^2",
    "ppm": "1e-6",
    "Np": "1",
    "litre": "0.001 m^3",
    "liter": "0.001 m^3",
    "tonne": "1000 kg",
    "ton": "1000 kg",
    "fermi": "1e-15 m",
    "micron": "1e-6 m",
    "kgf": "9.80665 N",
    "dB": "0.1 B",
    "percent": "0.01",
    "permille": "0.001",
    "permil": "0.001",
    "bpm": "0.016666666666666666 s^-1",
    "pct": "0.01",
    "percentage": "0.01",
    "%": "0.01",
}
_WORDS = {
    "metre": "m",
    "meter": "m",
    "gram": "g",
    "kelvin": "K",
    "ampere": "A",
    "amp": "A",
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
    "tesla": "T",
    "weber": "Wb",
    "henry": "H",
    "siemens": "S",
    "becquerel": "Bq",
    "gray": "Gy",
    "sievert": "Sv",
    "electronvolt": "eV",
    "electronvolts": "eV",
    "calorie": "cal",
    "parsec": "pc",
    "ohms": "ohm",
    "kilohm": "kohm",
    "megohm": "Mohm",
    "radian": "rad",
    "pound": "lb",
    "ounce": "oz",
    "lumen": "lm",
    "lux": "lx",
    "atmosphere": "atm",
    "decibel": "dB",
    "molar": "M",
    "bels": "B",
    "light-year": "ly",
    "lightyear": "ly",
    "dioptre": "m^-1",
    "diopter": "m^-1",
    "megaohm": "Mohm",
    "kiloohm": "kohm",
    "milliohm": "mohm",
    "microohm": "muohm",
    "gramme": "g",
    "metric ton": "t",
    "horsepower": "hp",
    "fortnight": "1209600 s",
    "decade": "315576000 s",
    "century": "3155760000 s",
    "dyne": "dyn",
    "maxwell": "Mx",
    "oersted": "79.57747154594767 A m^-1",
    "hectare": "ha",
    "acre": "4046.8564224 m^2",
    "pint": "0.000473176473 m^3",
    "quart": "0.000946352946 m^3",
}
_MONEY = {
    "dollar": "USD",
    "usd": "USD",
    "euro": "EUR",
    "eur": "EUR",
    "pounds sterling": "GBP",
    "yen": "JPY",
    "yuan": "CNY",
    "rupee": "INR",
    "cent": "USD",
    "won": "KRW",
    "ruble": "RUB",
    "reai": "BRL",
}


def _expand(text: str) -> Unit:
    """Read a definition such as `1e-5 kg m s^-2`."""
    result = ONE
    for part in text.split():
        name, _, power = part.partition("^")
        if name[0].isdigit():
            result = Unit(result.scale * Fraction(name), result.dimension)
        else:
            result = result.times(_known(name), int(power or 1))
    return result


@cache
def _known(name: str) -> Unit:
    found = named(name)
    if found is None:
        raise KeyError(name)
    return found


_TOGETHER = frozenset({"Wh", "Ah", "Nm", "Ns"})
"""Products of two units that are written as one and take a prefix."""


@lru_cache(maxsize=1024)
def named(name: str) -> Unit | None:
    """The unit of a symbol or an English word, with SI prefix or plural; None where there is none."""
    found = _exactly(name) or _special(name)
    if found is None and name.endswith("s") and len(name) > 3:
        found = _exactly(name[:-1])
    found = found or _prefixed(name)
    if found is None and len(name) > _LONGEST_SYMBOL and (symbol := symbol_abroad(name)) is not None:
        return _exactly(symbol) or _prefixed(symbol) or named(symbol)
    return found


def _exactly(name: str) -> Unit | None:
    if name in ("gtt", "gtts"):
        return Unit(Fraction(1), (("drop", 1),))
    if name == "rad":
        return Unit(Fraction(1), ANGLE)
    if name in _BASE:
        scale = Fraction(1, 1000) if name == "g" else Fraction(1)
        return Unit(scale, ((_BASE[name], 1),))
    definition = _DERIVED.get(name) or _PLAIN.get(name) or _WORDS.get(name) or _WORDS.get(name.lower())
    if definition is not None:
        return _expand(definition)
    money = _MONEY.get(name.lower().removesuffix("s"))
    if money is not None:
        return Unit(Fraction(1, 100) if name.lower().startswith("cent") else Fraction(1), ((f"money:{money}", 1),))
    return None


def _special(name: str) -> Unit | None:
    if name in ("deg", "degree", "degrees"):
        return Unit(Fraction(1, 180), ANGLE, Fraction(0), 1)
    if name in ("degC", "celsius", "Celsius"):
        return Unit(Fraction(1), (("K", 1),), Fraction(27315, 100))
    if name in ("degF", "fahrenheit", "Fahrenheit"):
        return Unit(Fraction(5, 9), (("K", 1),), Fraction(45967, 180))
    if name in ("rev", "revs", "revolution", "revolutions", "rpm"):
        return Unit(Fraction(2), ANGLE, Fraction(0), 1).times(_known("min") if name == "rpm" else ONE, -1)
    if name in ("arcmin", "arcminute"):
        return Unit(Fraction(1, 10800), ANGLE, Fraction(0), 1)
    if name in ("arcsec", "arcsecond"):
        return Unit(Fraction(1, 648000), ANGLE, Fraction(0), 1)
    return None


def _prefixed(name: str) -> Unit | None:
    for prefix, power in sorted(_PREFIXES.items(), key=lambda item: -len(item[0])):
        rest = name[len(prefix) :]
        if name.startswith(prefix) and rest and (rest in _BASE or rest in _DERIVED or rest in _TOGETHER):
            return Unit(Fraction(10) ** power, ()).times(_known(rest))
    for prefix, power in _PREFIX_WORDS.items():
        rest = name.lower()[len(prefix) :]
        if name.lower().startswith(prefix) and rest:
            unit = _exactly(rest) or _exactly(rest.removesuffix("s"))
            if unit is not None:
                return Unit(Fraction(10) ** power, ()).times(unit)
    return None
