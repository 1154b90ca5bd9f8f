"""The sentence that holds the answer's box, read by the rules of a committing phrase: what of it changes the box."""

import re
from typing import Final

from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.clauses import is_foreign
from grading.language.responses.leads import uncommitted
from grading.language.responses.segments import MARK, Response, segmented
from grading.language.unitnames import is_unit
from grading.language.upright import UPRIGHT_TEXT

_BOX: Final = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])")
_WINDOW: Final = 800
_DRAWN: Final = re.compile(
    r"(?:^|[,;:.—–(]\s*|\s)(?:so(?!\s+far\b)|thus|hence|therefore|then|consequently|but|which|giving|leaving|making)\b",
    re.IGNORECASE,
)
"""Words that begin a clause of their own before the box."""
_OF_RESULT: Final = re.compile(
    r"^\W*(?:so\s+|and\s+)?(?:half|twice|double|a\s+(?:third|quarter)|the\s+(?:square|cube|reciprocal|inverse|negative|double|opposite|half))\s+(?:of\s+)?"
    r"(?:(?:the|our|this)\s+)?(?:answer|result|value|number|solution|it|that|this)\s+(?:is|equals|would\s+be)\b",
    re.IGNORECASE,
)
"""A subject that is worked out from the answer."""
_WORKED_ON: Final = re.compile(
    r"(?:\b(?:than|at\s+(?:most|least|best|worst)|up\s+to|as\s+(?:many|much|few|little)\s+as|no\s+more|no\s+less|more|fewer|less|(?:up|down)wards?\s+of"
    r"|(?:previous|former|earlier|outdated|superseded|discarded|rejected|withdrawn)\s+(?:answer|guess|attempt|claim)s?(?:\s+(?:is|was|of))?"
    r"|in\s+excess\s+of|nearly|almost|barely|hardly|scarcely|practically|virtually|close\s+to|next\s+to|approaching|near|within|beyond|short\s+of|shy\s+of|below|above|under|over"
    r"|twice|thrice|double|triple|half|(?:one|a|two)[\s-](?:half|thirds?|quarters?|fifths?|tenths?)|plus|minus|times|negative|modulo|mod"
    r"|either|neither|nor|(?<![,;]\s)or|not|never|no|without|except|unless|if|whether|instead|versus|vs\.?|unlike|from|between|per"
    r"|(?:divided|multiplied|increased|reduced|bounded|exceeded)\s+by"
    r"|(?:square|cube|double|triple|half|third|quarter|negative|opposite|reciprocal|inverse|complement|conjugate|logarithm|log|sine|cosine|tangent|factorial"
    r"|(?:square\s+|cube\s+)?roots?|powers?|multiples?|factors?|divisors?|digits?|absolute\s+value|floor|ceiling)\s+of"
    r"|(?:an?|the)\s+(?:upper|lower|rough)?\s*(?:bound|limit|estimate)\s+(?:of|is))"
    r"(?:\s+(?:of|about|roughly|approximately|exactly|around|only|just|a|an|the))*|[<>≤≥≠]|\\neq?)[\s:(]*$",
    re.IGNORECASE,
)
"""What directly before a box makes a bound, an operation or one of several of it."""
_AROUND: Final = re.compile(
    r"\b(?:if|unless|whether|either|neither|suppos\w*|assume[ds]?|pretend|imagine|perhaps|maybe|possibly|probably|presumably|might|allegedly|supposedly"
    r"|naive(?:ly)?|tempting|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?|(?<!no\s)(?<!without\s)(?<!without\sa\s)(?<!beyond\s)(?<!any\s)(?<!beyond\sa\s)doubt(?:s|ed|ful|fully)?|disbeliev\w+|disagree|joking|kidding|as\s+a\s+(?:joke|prank|lie|decoy)|fake|bogus|dummy|placeholder"
    r"|rarely|seldom|hardly|scarcely|barely)\b",
    re.IGNORECASE,
)
"""Words of the box's own clause that doubt, suppose or deny it."""
_CONDITION: Final = re.compile(
    r"^[\s,;(—–-]*(?:(?:but\s+|at\s+least\s+|valid\s+|only\s+|true\s+)*(?:if|when(?:ever)?|unless|provided|only|as\s+long\s+as|in\s+case|depending"
    r"|for\s+(?:even|odd|positive|negative|large|small|some|most|the\s+(?:first|second|other|even|odd)|[\ue000-\ue2ff]\s+(?:even|odd|prime|only)))\b)",
    re.IGNORECASE,
)
_NO_CONDITION: Final = re.compile(
    r"^[\s,;(—–-]*(?:(?:valid\s+)?for\s+(?:sufficiently\s+|very\s+)?small\s+(?:(?:angular|initial)\s+)?(?:amplitude|angle|oscillation|displacement|deflection|swing|vibration)s?\b(?=[\s.)]*$)"
    r"|when\s+(?:[\ue000-\ue2ff](?=[\s.]*$)|[a-z]+ed\b)|(?:when|if)\s+(?:rounded|expressed|written|simplified|we\s+(?:round|write|count|add|sum|include|take|put)|(?:one|you)\s+\w+s?\b|measured|and\s+only))",
    re.IGNORECASE,
)
_UNSETTLED: Final = re.compile(
    r"^[\s,;(—–-]*(?:(?:and\s+)?(?:otherwise|else)\b|(?:or|nor)\b(?!\s+(?:equivalently|simply|about|approximately|roughly|just|in\b|as\b|i\.e|rather\s+equivalently))"
    r"|(?:is|was|would\s+be|gives|are|as)\s+(?:only\s+|just\s+|merely\s+|at\s+best\s+)?(?:an?|the|our)\s+(?:\w+\s+)?(?:upper|lower|rough|crude|first)?\s*(?:bound|estimate|guess|candidate|approximation|overcount|undercount)\b"
    r"|(?:is|was|are)\s+(?:not|never|too|wrong|incorrect|false|rejected|excluded|impossible|half|twice|double)\b"
    r"|(?:is|was|are)(?:n['’]t)\b|(?:or|and)\s+(?:more|less|fewer|above|below|over|under)\b|\(\s*(?:or|not|if|unless)\b"
    r"|(?:plus|minus|times|squared|cubed|factorial|doubled|halved|dozen|hundred|thousand|million|billion|modulo|mod|divided|multiplied|fold|tops|max|min|in\s+excess|orders?\s+of)\b"
    r"|(?:[a-z]+\s+){1,2}(?:more|fewer|less)\s+than\b"
    r"|(?:more|greater|larger|less|smaller|fewer)\s+than\s+the\s+(?:answer|true|correct|right|required|result)\b"
    r"|and\s+(?:a\s+half|a\s+third|a\s+quarter)\b)",
    re.IGNORECASE,
)
_INADEQUATE: Final = re.compile(
    r"[\s$.,;:!*()\]\\—–-]*(?:(?:which|that|this|it|and|but)\s+)?(?:(?:is|are|was|were|falls|comes\s+up)\s+)?(?:(?:still|far|much|one|two|clearly|just|a\s+(?:bit|little)|slightly)\s+)*"
    r"(?:(?:too\s+(?:few|many|much|little|small|large|big|low|high|short|long|slow|fast)|not\s+(?:enough|sufficient)|insufficient)(?=\W*$|\s*[,.;:!—–]|\s+(?:so|for|to|hence|thus)\b)"
    r"|(?:short|shy)\s+of\s+(?:what|the)\b)",
    re.IGNORECASE,
)
"""What behind a box, also in a sentence of its own, says that it does not do."""
_OTHER_SCRIPT: Final = re.compile(r"[\u0400-\u04ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_GAP: Final = r"(?:\s|~|\\[,;:! ]|\$|\\\))*"
_ATTACHED: Final = re.compile(
    rf"{_GAP}(?:(?P<share>\\?%|(?:per\s?cent|\\(?:text|mathrm)\{{\s*(?:\\?%|per\s?cent)\s*\}})(?![A-Za-z]))"
    rf"|(?:\\(?:text|mathrm|rm)\s*\{{(?P<set>[^{{}}\d]{{1,24}})\}}|(?P<plain>[A-Za-zµΩ°][\w/²³·^°-]{{0,15}}))(?={_GAP}(?:[.,;)]|\Z|\n|\\\])))"
)
"""A per cent sign or a unit directly behind a box."""
_SPELT_BESIDE: Final = re.compile(
    rf"{_GAP}(?P<unit>\\(?:text|mathrm|rm|frac|dfrac|tfrac|mu|Omega)(?:[^$\n,;=]|\\[,;]){{0,60}}?)(?={_GAP}(?:[.,;)]?\s|[.,;]?\Z|\$|\n|\\\]|\\\)))"
)
"""A unit with powers or as a fraction directly behind a box."""
_PLAIN: Final = re.compile(r"[-−+]?(?:\d|[.,/{}\s]|\\(?:[dt]?frac|cdot|times|,|!)|\^)+")
"""A number without letters, so that what stands behind it can be its unit."""
_NO_UNIT: Final = frozenset({"a", "at", "as", "in", "min", "am"})
_NO_COMMITMENT: Final = frozenset({"denied", "a supposition or a report, not a commitment"})


def changes_box(before: str, box: str, after: str) -> str | None:
    """Why the sentence that holds the last run of boxes does not state it; None where it does."""
    window = f"{_last(before)}{box}{_first(after)}"
    response = segmented(window)
    held = _held(response)
    if held is None:
        return None
    lead, tail = held
    inadequate = _INADEQUATE.match(UPRIGHT_TEXT.sub(r" \1 ", after[:_WINDOW]))
    return _before(lead) or _behind(tail) or (inadequate and f"'{inadequate[0].strip()}' behind the box")


def attached(inside: str, after: str) -> str:
    """What stands in a box with the per cent sign or the unit directly behind it, where it is a plain number."""
    if not _PLAIN.fullmatch(inside):
        return inside
    found = _ATTACHED.match(after)
    if found is None:
        beside = _SPELT_BESIDE.match(after[:_WINDOW])
        return f"{inside}\\ {beside['unit']}" if beside is not None and is_unit(beside["unit"]) else inside
    if found["share"]:
        return f"{inside}\\%"
    unit = (found["set"] or found["plain"] or "").strip()
    return f"{inside}\\ \\text{{{unit}}}" if unit not in _NO_UNIT and is_unit(unit) else inside


def _last(before: str) -> str:
    """The last two paragraphs before the box."""
    parts = before[-_WINDOW:].split("\n\n")
    return "\n\n".join(parts[-2:])


def _first(after: str) -> str:
    return "\n\n".join(after[:_WINDOW].split("\n\n")[:2])


def _held(response: Response) -> tuple[str, str] | None:
    """What stands before and behind the boxes in the last sentence that holds one."""
    for sentence in reversed(response.sentences):
        marks = [found for found in re.finditer(MARK, sentence.text) if _BOX.search(response.formula(found[0]))]
        if marks:
            return sentence.text[: marks[0].start()], sentence.text[marks[-1].end() :]
    return None


def _before(lead: str) -> str | None:
    lead = re.sub(MARK, "x", lead)
    near = _WORKED_ON.search(lead) or _OF_RESULT.match(lead)
    if near is not None:
        return f"'{near[0].strip()}' before the box"
    cuts = list(_DRAWN.finditer(lead))
    clause = lead[cuts[-1].end() :] if cuts else lead
    phrase = list(say.STRONG.finditer(clause))
    if phrase and uncommitted(clause[: phrase[-1].start()], clause[phrase[-1].end() :], "") in _NO_COMMITMENT:
        return "the sentence of the box does not commit to it"
    around = _AROUND.search(clause)
    if around is not None:
        return f"'{around[0].strip()}' in the sentence of the box"
    abroad = (
        tongues.denied(re.split(r"[，,；;、]", clause)[-1])
        if is_foreign(clause) or _OTHER_SCRIPT.search(clause)
        else tongues.BOUNDED.search(clause)
    )
    return f"'{abroad[0].strip()}' in the sentence of the box" if abroad is not None else None


def _behind(tail: str) -> str | None:
    if _CONDITION.match(tail) and not _NO_CONDITION.match(tail):
        return "a condition behind the box"
    found = _UNSETTLED.match(tail)
    return f"'{found[0].strip()}' behind the box" if found is not None else None
