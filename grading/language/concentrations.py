"""Concentrations in square brackets inside a formula: `k[\\text{NO}]^2[\\text{O}_2]`, `[H^+][A^-]/[HA]`."""

import re
from typing import Final

_ELEMENT: Final = re.compile(
    r"A[glrsu]|B[aeir]?|C[adelorsu]?|F[er]?|G[ade]|H[efg]?|I[nr]?|Kr?|L[ai]|M[gno]|N[abei]?|Os?|P[abdotu]?"
    r"|R[abehnu]|S[bceimnr]?|T[aceilh]|U|V|W|Xe|Y|Z[nr]"
)
_BRACKET: Final = re.compile(r"\[(?P<inside>[^\[\],;=<>/|]{1,60})\](?!\s*(?:=|\\approx))")
_ANY: Final = re.compile(r"\[(?P<inside>[^\[\],;=<>/|]{1,60})\]")
_AT: Final = r"0|t|eq(?:m|uil)?\.?|i|f|initial|final|max|\\infty"
_MOMENT: Final = re.compile(
    r"\[(?P<inside>[^\[\],;=<>/|]{1,30})\]\s*(?:_\s*(?:(?P<bare>0|[tif](?![A-Za-z])|\\infty)"
    rf"|\{{\s*(?:\\(?:text|mathrm|rm)\s*\{{\s*(?P<styled>{_AT})\s*\}}|(?P<braced>{_AT}))\s*\}})(?!\s*\^)"
    r"|\(\s*t\s*\))"
)
"""`[A]_0`, `[A]_t`, `[A](t)`: a letter with the moment at which its concentration is meant."""
_DRESS: Final = re.compile(r"\\(?:text|mathrm|rm|ce|textrm|mathsf)(?![A-Za-z])|\\[,;! ]|[\s{}_$]")
_SPECIES: Final = re.compile(r"(?P<atoms>(?:[A-Z][a-z]?\d{0,2}){1,8})(?:\((?:aq|g|s|l)\))?(?:\^?(?P<charge>\d?[+-]))?")
_ATOM: Final = re.compile(r"([A-Z][a-z]?)(\d{0,2})")
_PRESSURE: Final = re.compile(r"(?<![A-Za-z\\_])(?:[Pp]\s*_\s*\{|p\s*\((?=[^()]*[A-Z][^()]*[A-Z][^()]*\d))")
"""The partial pressure of a substance, in either case: `p_{CO_2}`, `P_{\\mathrm{CO_2}}`, `p(CO_2)`."""
_LONGEST_INDEX: Final = 40


def with_pressures(text: str) -> str:
    """A text in which partial pressures have one spelling, where the index is certainly a substance."""
    done, place = "", 0
    for match in _PRESSURE.finditer(text):
        end = _closing(text, match.end() - 1)
        inside = text[match.end() : end] if end is not None else ""
        if match.start() < place or end is None or not _is_known(inside):
            continue
        species = _species(inside)
        done += f"{text[place : match.start()]}p_{{{_name(species)}}}" if species is not None else ""
        place = end + 1
    return done + text[place:]


def _closing(text: str, start: int) -> int | None:
    """Where the bracket that opens at `start` is closed, near by; None where it is not."""
    depth = 0
    for place in range(start, min(len(text), start + _LONGEST_INDEX)):
        depth += (text[place] in "({") - (text[place] in ")}")
        if not depth:
            return place
    return None


def with_concentrations(text: str) -> str:
    """A text in which a concentration is one letter with an index, where a bracket holds a known substance."""
    moments = [_species(each["inside"]) for each in _MOMENT.finditer(text) if "_" in each[0]] if "]" in text else []
    if moments and None not in moments:
        return _ANY.sub(_written, _MOMENT.sub(_at_moment, text))
    found = [_is_known(match["inside"]) for match in _BRACKET.finditer(text)] if "[" in text else []
    return _BRACKET.sub(_written, text) if any(found) else text


def _at_moment(match: re.Match[str]) -> str:
    """A concentration at its moment; at the time t it is the concentration itself."""
    species = _species(match["inside"])
    at = (match["bare"] or match["styled"] or match["braced"] or "t").strip("\\.")
    return match[0] if species is None else f"[{match['inside']}]" if at == "t" else f" c_{{{_name(species)}at{at}}} "


def _written(match: re.Match[str]) -> str:
    species = _species(match["inside"])
    if species is None:
        return match[0]
    return f" c_{{{_name(species)}}}"


def _name(species: re.Match[str]) -> str:
    if species["atoms"] == "H3O" and species["charge"] == "+":
        return "Hplus"  # The proton in water, under either of its names.
    charge = (species["charge"] or "").replace("+", "plus").replace("-", "minus")
    return f"{species['atoms']}{charge}"


def _species(inside: str) -> re.Match[str] | None:
    return _SPECIES.fullmatch(_DRESS.sub("", inside))


def _is_known(inside: str) -> bool:
    """Whether the atoms are elements, and are written as those of a substance and not as letters of mathematics."""
    species = _species(inside)
    atoms = _ATOM.findall(species["atoms"]) if species is not None else []
    if species is None or not all(_ELEMENT.fullmatch(name) for name, _ in atoms):
        return False
    upright = "\\" in inside and len(atoms) > 1
    return bool(upright or species["charge"] or any(count or len(name) > 1 for name, count in atoms))
