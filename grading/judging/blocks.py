"""Untrusted text inside a prompt: delimited by a mark it cannot know, and watched for talk to the judge."""

import hashlib
import re

MAX_BLOCK = 60_000

_ADDRESS = re.compile(
    r"""ignore\s+(?:all\s+|any\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier|preceding)
      | disregard\s+(?:all|any|the|your|previous|prior|above)
      | (?:dear|hello|hi|attention|note\s+to(?:\s+the)?|message\s+(?:to|for)(?:\s+the)?)[\s,:]+
        (?:grader|judge|evaluator|examiner|reviewer)
      | (?:you|the\s+(?:grader|judge|evaluator))\s+
        (?:must|should|will|shall|have\s+to|are\s+(?:required|instructed|told)\s+to)\s+
        (?:now\s+)?(?:give|award|assign|grade|mark|score|rate|output|return|answer|reply|respond|accept)
      | (?:award|assign|give)\s+(?:this|me|it|the\s+(?:answer|response|solution)|us)?\s*
        (?:full|maximum|all|10|ten|perfect)\s+(?:points|marks|credit|score)
      | (?:system|developer)\s*(?:prompt|message|override|instruction)s?\s*[:\]>]
      | <\|?(?:im_start|im_end|system|endoftext)\|?>
      | \[/?INST\]
      | new\s+(?:system\s+)?instructions?\s*:
      | end\s+of\s+(?:the\s+)?(?:student'?s?\s+|candidate'?s?\s+)?(?:answer|response|submission|block)
      | "(?:credit|verdict|score|grade)"\s*:""",
    re.IGNORECASE | re.VERBOSE,
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
    """Phrases by which an answer seems to talk to its judge; empty for an ordinary answer."""
    return [" ".join(match[0].split())[:100] for match in _ADDRESS.finditer(text)][:20]
