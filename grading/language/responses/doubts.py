"""Whether what leads to a value supposes, reports, asks for or cites it."""

import re

from grading.language.responses import changing, tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.segments import MARK

FOREIGN_SUBJECT = re.compile(
    r"\b(?:réponse|respuesta|resposta|risposta|antwort|lösung|ergebnis|résultat|resultado|risultato|est|ist|es|é|è"
    r"|vaut|ответ)\b",
    re.IGNORECASE,
)


def supposed_in(lead: str, verb: str = "") -> re.Match[str] | None:
    """What before a verb makes a report, a doubt or another thing of what is stated."""
    clause = re.split(r"[,;:]\s*|\b(?:so(?!\s+far\b)|thus|hence|therefore|then|but)\b", lead)[-1]
    return say.DOUBTED.search(f"{clause}{verb}") or say.OPERATED.search(clause)


def unstated(lead: str) -> bool:
    """Whether a value is set, asked for or cited and not stated."""
    clause = re.split(r"[,;]\s*|\b(?:so|thus|hence|therefore|then)\b", lead)[-1]
    return say.NOT_STATED.match(lead) is not None if clause == lead else say.NOT_STATED.match(clause) is not None


def doubted(lead: str) -> bool:
    """Whether what leads to a formula denies, supposes, reports or asks for it."""
    foreign = FOREIGN_SUBJECT.search(lead) and tongues.NO.search(lead)
    found = (foreign, supposed_in(lead), unstated(lead), say.DENIED.search(lead), say.REPORTED.search(lead))
    return any(found)


def names_a_list(lead: str) -> bool:
    """Whether what stands before a colon speaks of something that is given, tried or of others, and draws nothing."""
    return changing.AROUND.search(lead) is not None or changing.IMPERATIVE.match(lead) is not None


def in_a_remark(lead: str) -> bool:
    """Whether what follows stands in a bracket behind a value: `29 (each term increases by 4)`."""
    return lead.count("(") > lead.count(")") and re.search(rf"\d|{MARK}", lead[: lead.rindex("(")]) is not None
