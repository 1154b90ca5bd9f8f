"""Untrusted text inside a prompt: delimited by a mark it cannot know, and watched for talk to the judge."""

import hashlib
import re
import unicodedata

from grading.matching.tokens import fold

MAX_BLOCK = 60_000

# For folded text: single spaces, lower case. No two neighbouring parts can take the same character, so that no answer
# makes the search slow.
_ADDRESS = re.compile(
    r"""ignore[ ](?:(?:all|any)[ ])?(?:(?:the|your)[ ])?(?:previous|prior|above|earlier|preceding)
      | disregard[ ](?:all|any|the|your|previous|prior|above)
      | \b(?:dear|hello|hi|attention|note[ ]to(?:[ ]the)?|message[ ](?:to|for)(?:[ ]the)?)[ ,:]{1,3}
        (?:grader|judge|evaluator|examiner|reviewer)
      | \b(?:you|the[ ](?:grader|judge|evaluator))[ ]
        (?:must|should|will|shall|have[ ]to|are[ ](?:required|instructed|told)[ ]to)[ ]
        (?:now[ ])?(?:give|award|assign|grade|mark|score|rate|output|return|answer|reply|respond|accept)
      | \b(?:award|assign|give)[ ](?:(?:this|me|it|us|the[ ](?:answer|response|solution)|this[ ]answer)[ ])?
        (?:full|maximum|all|10|ten|perfect)[ ](?:points|marks|credit|score)
      | \b(?:system|developer)[ ]?(?:prompt|message|override|instruction)?s?[ ]?[:\]>]
      | <\|?(?:im_start|im_end|system|endoftext)\|?>
      | \[/?inst\]
      | new[ ](?:system[ ])?instructions?[ ]?:
      | end[ ]of[ ](?:the[ ])?(?:(?:student|candidate)(?:'?s)?[ ])?(?:answer|response|submission|block)
      | \[(?:begin|end)[ ](?:answer|rubric|question|reference)
      | "(?:credit|verdict|score|grade)"[ ]?:""",
    re.VERBOSE,
)

# Cyrillic, Greek and small capitals beside the Latin letters that they pass for; then letters that show as nothing.
_LOOK_ALIKES = str.maketrans(
    "аеорсухіѕјһԁԛԝкмтнгвАЕОРСУХІЅЈКМТНВαοιρνετκυχγΑΟΙΡΝΕΤΚΥΧΗΜΒɪɢɴʀᴏᴇᴅᴀʟꜱᴛᴜᴠᴡʏʜʙᴄᴊᴋᴍᴘ\u115f\u1160\u2800\u3164\uffa0",
    "aeopcyxisjhdqwkmthrbAEOPCYXISJKMTHBaoipvetkuxyAOIPNETKYXHMBignroedalstuvwyhbcjkmp     ",
)


def block(label: str, text: str) -> str:
    """`text` between two marks that hold a digest of it, so that no text can close its own block.

    Longer than MAX_BLOCK is cut in the middle, and says so.
    """
    if len(text) > MAX_BLOCK:
        half = MAX_BLOCK // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"
    mark = hashlib.sha256(f"{label}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"[begin {label} {mark}]\n{text}\n[end {label} {mark}]"


def addresses_judge(text: str) -> list[str]:
    """Phrases by which an answer seems to talk to its judge; empty for an ordinary answer.

    Letters of other scripts that look like Latin ones are read as these, and characters that cannot be seen not at all:
    a judge reads through both.
    """
    seen = "".join(filter(_visible, text.translate(_LOOK_ALIKES)))
    return [match[0][:100] for match in _ADDRESS.finditer(fold(seen))][:20]


def _visible(character: str) -> bool:
    return character.isascii() or unicodedata.category(character) not in ("Cf", "Mn", "Me")
