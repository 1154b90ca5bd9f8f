"""Names in the spelling by which two of them are compared."""

import re
import unicodedata
from typing import Final

_CAPITALISED: Final = re.compile(r"\b[A-ZÀ-Þ][\w]*")
_HYPHENS: Final = re.compile(r"(?<=[^\W\d_])\s?[-‐‑–—]\s?(?=[^\W\d_])")
_ARTICLE: Final = re.compile(
    r"^(?:the|an?|la|le|les|l['’]|el|los|las|il|lo|gli|der|die|das|den|dem|un|une|ein|eine)\s+(?=\S)", re.IGNORECASE
)


_PERSON: Final = re.compile(r"(?P<first>[^\W\d_][\w'-]+)(?P<middle>(?: [^\W\d_])*) (?P<last>[^\W\d_][\w'-]+)")
_EPONYM: Final = re.compile(r"(?<=[a-zà-ÿ])'s(?= [a-z])")
_VERSUS: Final = re.compile(r"\b[Vv]s?\.?(?=\s[A-Z])")
_PLURAL_ONLY: Final = re.compile(
    r"damages|goods|news|means|arms|customs|premises|minutes|spirits|works|proceeds|securities|remains|savings|forces"
    r"|terms|letters|manners|colou?rs|looks"
)
"""Plurals with a meaning of their own."""
_SHORT: Final = 4
_LATIN: Final = (
    ("mitochondria", "mitochondrion"), ("phenomena", "phenomenon"), ("criteria", "criterion"), ("ganglia", "ganglion"),
    ("bacteria", "bacterium"), ("spectra", "spectrum"), ("quanta", "quantum"), ("strata", "stratum"), ("ova", "ovum"),
    ("nuclei", "nucleus"), ("alveoli", "alveolus"), ("fungi", "fungus"), ("villi", "villus"), ("stimuli", "stimulus"),
    ("vertebrae", "vertebra"), ("larvae", "larva"), ("algae", "alga"), ("matrices", "matrix"), ("vertices", "vertex"),
    ("hypotheses", "hypothesis"), ("crises", "crisis"), ("axes", "axis"), ("feet", "foot"), ("teeth", "tooth"),
    ("mice", "mouse"),
)  # fmt: skip


def same_but_for_number(one: str, other: str) -> bool:
    """Whether two names in small letters differ by the number of their last noun alone."""
    (head, _, short), (begun, _, long) = sorted(
        (one.rpartition(" "), other.rpartition(" ")), key=lambda each: len(each[2])
    )
    if head != begun or (short, long) == ("", "") or _PLURAL_ONLY.fullmatch(short) or _PLURAL_ONLY.fullmatch(long):
        return False
    if any({short, long} == {plural, single} for plural, single in _LATIN):
        return True
    regular = len(short) >= _SHORT and long in (f"{short}s", f"{short}es")
    return regular or (len(short) >= _SHORT and short.endswith("y") and long == f"{short[:-1]}ies")


def in_either_number(name: str) -> tuple[str, ...]:
    """A common noun in small letters as it stands, and in the other number where that is told for certain."""
    head = name.rpartition(" ")[2]
    front = name[: len(name) - len(head)]
    latin = [one if head == other else other for one, other in _LATIN if head in (one, other)]
    regular = [f"{head}s"] if head.isalpha() and head.islower() and len(head) >= _SHORT and head[-1] not in "sy" else []
    single = (
        [head[:-1]] if head.islower() and len(head) > _SHORT and head.endswith("s") and head[-2] not in "sui" else []
    )
    return (name, *(front + each for each in (*latin, *regular, *single) if not _PLURAL_ONLY.fullmatch(each)))


def same_person(one: str, other: str) -> bool:
    """Whether two names of a person differ by initials alone that one of them leaves out."""
    first, second = _PERSON.fullmatch(one.replace(".", "")), _PERSON.fullmatch(other.replace(".", ""))
    if first is None or second is None or bool(first["middle"]) == bool(second["middle"]):
        return False
    return (first["first"], first["last"]) == (second["first"], second["last"])


def same_name(text: str, *, folded: bool) -> str:
    """A name in the spelling by which two are compared: accents, hyphens, article and marks away."""
    text = unicodedata.normalize("NFC", text).replace("’", "'").replace("‘", "'")
    text = _EPONYM.sub("", _HYPHENS.sub(" ", _VERSUS.sub("v", text)))
    text = _ARTICLE.sub("", " ".join(text.replace(", and ", " and ").split()).strip(" .,;:"))
    if not folded:
        return text
    return _CAPITALISED.sub(_unaccented, text).casefold()


def _unaccented(name: re.Match[str]) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", name[0]) if not unicodedata.combining(char))
