"""Concentrations in square brackets inside a formula: `k[\\text{NO}]^2[\\text{O}_2]`, `[H^+][A^-]/[HA]`."""

import re
from typing import Final

_ELEMENT: Final = re.compile(
    r"A[glrsu]|B[aeir]?|C[adelorsu]?|F[er]?|G[ade]|H[efg]?|I[nr]?|Kr?|L[ai]|M[gno]|N[abei]?|Os?|P[abdotu]?"
    r"|R[abehnu]|S[bceimnr]?|T[aceilh]|U|V|W|Xe|Y|Z[nr]"
)
_BRACKET: Final = re.compile(r"\[(?P<inside>[^\[\],;=<>/|]{1,60})\](?!\s*(?:=|\\approx))")
_DRESS: Final = re.compile(r"\\(?:text|mathrm|rm|ce|textrm|mathsf)(?![A-Za-z])|\\[,;! ]|[\s{}_$]")
_SPECIES: Final = re.compile(r"(?P<atoms>(?:[A-Z][a-z]?\d{0,2}){1,8})(?:\((?:aq|g|s|l)\))?(?:\^?(?P<charge>\d?[+-]))?")
_ATOM: Final = re.compile(r"([A-Z][a-z]?)(\d{0,2})")


def with_concentrations(text: str) -> str:
    """A text in which a concentration is one letter with an index, where a bracket holds a known substance."""
    found = [_is_known(match["inside"]) for match in _BRACKET.finditer(text)] if "[" in text else []
    return _BRACKET.sub(_written, text) if any(found) else text


def _written(match: re.Match[str]) -> str:
    species = _species(match["inside"])
    if species is None:
        return match[0]
    charge = (species["charge"] or "").replace("+", "plus").replace("-", "minus")
    return f"c_{{{species['atoms']}{charge}}}"


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
