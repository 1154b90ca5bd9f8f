"""What stands beside the argument of a response: sections that check, compare or remark, and sentences that add.

A response often goes on after its answer: a check, common mistakes, another case, an offer of help. Such parts state
values of their own, which are none of the answer's. They are found by how they are headed and how they begin; words
that correct the answer (`replaced`) count in them as anywhere.
"""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

from grading.language.responses import vocabulary as say
from grading.language.responses.segments import MARK, Sentence
from grading.language.responses.turning import comes_back, returns

_SUBJECT: Final = (
    r"(?:(?:sanity|quick|final|numerical?|numeric|dimension(?:al)?|unit|units|consistency|plausibility|cross|double|second|further|independent|explicit"
    r"|geometric(?:al)?|graphical|algebraic|limiting|limit|special|extreme|boundary|historical|side|brief|short|additional|another|general|optional|possible"
    r"|common|typical|frequent|a|an|the|some|other|one)[\s-]+){0,4}"
)
_KINDS: Final = (
    r"(?:checks?|checking|cross-?checks?|verification|verifying|tests?|control|confirmation|plausibility|comparisons?|remarks?|notes?|comments?|caution|caveats?"
    r"|limits?|limiting\s+behaviou?r|asymptotics|numerics|units|dimensions|order\s+of\s+magnitude|warnings?|asides?|pitfalls?|mistakes?|errors?\s+to\s+avoid|traps?|slips?|misconceptions?|history|trivia|context|background|extras?|bonus|generali[sz]ations?"
    r"|extensions?|variants?|variations?|alternatives?|outlook|discussion|further\s+reading|references|intuition|interpretation|look|cases?\s+not\s+asked"
    r"|monte[\s-]carlo|for\s+the\s+curious|fun\s+fact|what\s+if|why\s+not|watch\s+out|consequences|confusions|see\s+also)"
)
_OF: Final = r"(?:\s+(?:of|on|for|by|with|via|from|to|about|in|if|at)\b[^.:\n]{0,50})?"
_HEADING: Final = re.compile(rf"^\W*(?:\d+[.)]\s*)?{_SUBJECT}{_KINDS}{_OF}\s*[?:.]?\W*$", re.IGNORECASE)
_LEAD: Final = re.compile(rf"^\W*{_SUBJECT}{_KINDS}{_OF}\s*[.:?]\s+\S", re.IGNORECASE)
_VERIFIES: Final = re.compile(rf"^\W*{_SUBJECT}(?:checks?|verifications?|cross-?checks?|confirmation)\b", re.IGNORECASE)
_CONCLUDES: Final = re.compile(
    r"^\W*(?:so|thus|hence|therefore|consequently|accordingly|finally|(?:putting|taking|combining|collecting)\s+(?:it|this|these|all|everything)|(?:written|spelled|spelt)\s+out|in\s+(?:conclusion|summary|short|full|total|the\s+end|other\s+words)|altogether|overall|all\s+in\s+all|to\s+(?:conclude|sum"
    r"|summari[sz]e)|we\s+(?:conclude|see|get|obtain)|both\s+\w+(?=.*[\d\ue000-\ue2ff])|all\s+(?:two|three|four)\s+\w+|the\s+\w+\s+(?:agree|confirms?)|it\s+follows|this\s+gives|(?:that|this)\s+leaves|(?:only|just|exactly)\s+(?:one|a\s+single|the|[a-z]\s*=)"
    r"|the\s+only\s+(?:solution|root|candidate|value|number)|what\s+(?:is\s+left|remains|survives))\b",
    re.IGNORECASE,
)
"""How a paragraph begins that comes back to the answer."""
_ADDS: Final = re.compile(
    r"^\W*(?:had\s|were\s+\w+\s+to\b|should\s+an?\s|if\s+(?:one|you|we|the|an?|only|instead)\b|with\s+(?:other|another|different)\b|(?:any|all|every)\s+other\b|another\s"
    r"|some\s+(?:students?|people|authors?|books?)|others\b|as\s+an?\s+(?:aside|side\s+note|bonus|curiosity|footnote)|incidentally|interestingly|curiously|by\s+the\s+way"
    r"|for\s+the\s+(?:curious|record|interested)|in\s+(?:particular|passing|amplitude)|let\s+me\s+know|feel\s+free|se\s+quiser|falls\s+(?:du|sie)\b|wenn\s+(?:du|sie)\s+(?:m\w+|willst|wollen)|si\s+(?:quieres|desea|vous\s+(?:voulez|souhaitez)|tu\s+veux)|se\s+(?:vuoi|desidera)|(?:i\s+)?hope\s|(?:please\s+)?(?:ask|tell)\s|would\s+you\s"
    r"|(?:in|as\s+a)\s+decimals?\b|numerically,?\s+(?:this|that|it)\b|(?:since|as|because)\s[^;:?]{10,160},\s+(?:this|the|our)\s+(?:\w+\s+)?(?:value|result|number|answer)\s+(?:makes\s+sense|is\s+(?:plausible|reasonable|sensible))"
    r"|the\s+same\s+(?:argument|method|reasoning|result|approach|technique|idea)\b|this\s+(?:argument|method|approach|technique|idea|trick)\b|(?:one|you)\s+(?:may|can|could|might)\s"
    r"|the\s+(?:second|third|next|other)\s+\w+,?\s+if\s|a\s+(?:basis(?!.*\b(?:thus|therefore|hence)\b)|proof|sketch|plot|common|frequent|typical|computer)\s|computer\s+algebra"
    r"|all\s+(?:other|the\s+other|further)\s|the\s+other\s+\w+\s+(?:figures|values|numbers|quantities)|their\s+(?:sum|product)(?!.*,\s+(?:so|hence|thus|therefore)\s)|note\s+(?:that|also)|notice\s|observe\s|recall\s|remember\s"
    r"|in\s+(?:practice|reality|general(?!,?\s+(?:then|therefore|thus|hence)\b)|the\s+literature)|generally|historically|(?:numerically|geometrically|physically|intuitively),?\s+this\s|on\s+the\s+(?:moon|other\s+hand))",
    re.IGNORECASE,
)
"""How a sentence begins that adds something to an answer that was given."""


def argument(sentences: Sequence[Sentence]) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """The sentences of the argument, and those of sections beside it; none beside where no other states a value."""
    kept, beside = apart(sentences)
    stated = any(re.search(rf"\d|{MARK}", each.text) for each in kept)
    return (kept, beside) if stated else (tuple(sentences), ())


def apart(sentences: Sequence[Sentence]) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """The sentences of the argument, and those of sections beside it, whatever they state."""
    beside = _beside(sentences)
    kept = tuple(each for each, side in zip(sentences, beside, strict=True) if not side)
    return kept, tuple(each for each, side in zip(sentences, beside, strict=True) if side)


def ended(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences up to the last that adds nothing to the answer: a paragraph that begins with an addition is one."""
    kept = list(sentences)
    begins = {each.paragraph: each.text for each in reversed(sentences)}
    while len(kept) > 1 and (adds(kept[-1].text) or (adds(begins[kept[-1].paragraph]) and not returns(kept[-1].text))):
        kept.pop()
    return tuple(sentences) if len(kept) == 1 and adds(kept[0].text) else tuple(kept)


def adds(text: str) -> bool:
    """Whether a sentence behind the answer adds something to it, by how it begins."""
    if comes_back(text):
        return False
    return _ADDS.match(text) is not None or (text.startswith("(") and text.rstrip(". ").endswith(")"))


def _beside(sentences: Sequence[Sentence]) -> list[bool]:
    """Which sentences are beside the argument: under the last headings, or in a paragraph with a title."""
    paragraphs = [list(one) for _, one in groupby(sentences, key=lambda each: each.paragraph)]
    found = [False] * len(sentences)
    stop = len(sentences)
    last = paragraphs[-1] if paragraphs else []
    if any(_CONCLUDES.match(each.text) or say.THEREFORE.search(each.text) for each in last):
        stop -= len(last)
    for place in range(len(sentences) - 1, -1, -1):
        if not sentences[place].heading:
            continue
        if not _HEADING.match(sentences[place].text):
            break
        found[place:stop] = [True] * max(0, stop - place)
        stop = min(place, stop)
    place = 0
    for paragraph, following in pairwise([*paragraphs, []]):
        if _announces(paragraph, following):
            found[place : place + len(paragraph) + len(following)] = [True] * (len(paragraph) + len(following))
        if not paragraph[0].heading and _titled(paragraph):
            found[place : place + len(paragraph)] = [True] * len(paragraph)
        place += len(paragraph)
    return found


def _announces(paragraph: Sequence[Sentence], following: Sequence[Sentence]) -> bool:
    """Whether a line announces a list of checks or remarks: `Checks by the limit theorems:`."""
    line = paragraph[0].text
    return (
        len(paragraph) == 1
        and line.rstrip().endswith(":")
        and _HEADING.match(line) is not None
        and bool(following)
        and not any(_CONCLUDES.match(each.text) for each in following)
        and (all(each.listed for each in following) or _VERIFIES.match(line) is not None)
    )


def _titled(paragraph: Sequence[Sentence]) -> bool:
    """Whether a paragraph begins with the title of a remark (`**Check.** At x = 1 both sides are 7`)."""
    first = paragraph[0].text
    if any(_CONCLUDES.match(each.text) for each in (*paragraph[1:2], *paragraph[-1:])):
        return False
    return _LEAD.match(first) is not None or (len(paragraph) > 1 and _HEADING.match(first) is not None)
