"""The answer of a response that ends in a JSON object, or is one: which of its fields says it."""

import json
import re
from typing import Final

from grading.language.names import is_command

_OBJECT: Final = re.compile(r"^[ \t]*(\{\s*\"[^`]{1,4000}\})\s*(?:```)?\s*\Z", re.MULTILINE)
_FENCED: Final = re.compile(r"```(?:json)?[ \t]*\n\s*(\{\s*\"[^`]{1,4000}\})\s*```\s*\Z", re.IGNORECASE)
_ALONE: Final = re.compile(r"(?:```(?:json)?\s*)?\{[^`]*\}\s*(?:```)?", re.DOTALL | re.IGNORECASE)
_LETTER: Final = re.compile(r"[A-Za-z](?:_?\w)?")
_COMMANDS: Final = re.compile(r"(?<!\\)\\([A-Za-z]{2,20})")
_TIERS: Final = tuple(
    re.compile(names, re.IGNORECASE)
    for names in (
        r"(?:final )?answer|ans",
        r"final(?: (?:result|value|solution))?|resposta|risposta|risultato|ответ|答案|答え",
        r"results?|solutions?|values?|output|roots|antwort|ergebnis|lösung|réponse|résultat|respuesta|resultado",
    )
)
"""Names of the field that is the answer, the surer ones first."""
_RIVAL: Final = re.compile(
    r"answer|alternative|result|solution|value|correct|choice|option|final|other|^(?!n$).{1,2}$", re.IGNORECASE
)
"""Fields that would be a second answer, letters among them; others beside the answer are none."""
_TOLD: Final = re.compile(
    r"(?:equation|expression|formula|problem|question|task|given|inputs?|method|approach|steps?|work(?:ing)?|calculations?|reason\w*|rationale"
    r"|explanation|justification|derivation|analysis|thoughts?|notes?|comments?|confidence|certainty|variable|unknown|topic|language|type|id)s?",
    re.IGNORECASE,
)
"""Fields that tell of the question or of the way."""
_NO_NAME: Final = re.compile(
    r"\b(?:not|wrong|incorrect|score|points|guess|estimate|example|hint|rejected|previous|old|first|initial|intermediate|partial|draft"
    r"|bound|max|min|maximum|minimum|error|time|tokens|page|line|status|valid|verified|check(?:ed)?)\b|^$",
    re.IGNORECASE,
)
"""Names of fields that are no answers, and that tell nothing beside one."""
_JUDGED: Final = re.compile(r"correct|valid|verified|status|check(?:ed)?|confirmed|ok", re.IGNORECASE)
_UNIT: Final = re.compile(r"units?|einheit|unité|unidad(?:es)?|unità|unidade", re.IGNORECASE)
_MOST = 5_000

Found = str | bool | int | float | list[object] | None


def in_json(text: str) -> Found:
    """The answer that the JSON object at the end of a response says; None of other responses."""
    found = _FENCED.search(text[-_MOST:]) or _OBJECT.search(text[-_MOST:])
    if found is None or '"' not in found[1]:
        return None
    try:
        data = json.loads(_COMMANDS.sub(_escaped, found[1]), strict=False, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    said = _named(data)
    if said is None and _ALONE.fullmatch(text.strip()):
        said = _only(data)
    return said


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; ValueError where a field stands in it twice, as then nobody knows which one is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is given twice")
    return found


def _escaped(match: re.Match[str]) -> str:
    """A command of LaTeX whose backslash was not doubled for JSON."""
    return f"\\{match[0]}" if is_command(match[1]) else match[0]


def _named(data: dict[str, object]) -> Found:
    """The value of the one field that is named as the answer, beside which no other may be one."""
    plain = {name: re.sub(r"[_\W]+|(?<=[a-z])(?=[A-Z])", " ", name).strip() for name in data}
    for tier in _TIERS:
        names = [name for name, spelt in plain.items() if tier.fullmatch(spelt)]
        if not names:
            continue
        others = [name for name in data if name not in names and not _UNIT.fullmatch(plain[name])]
        rivals = [name for name in others if _RIVAL.search(name) and not _TOLD.fullmatch(plain[name])]
        judged = any(_JUDGED.search(name) and data[name] is not True for name in others)
        return None if len(names) > 1 or rivals or judged else _value(data[names[0]], _unit(data))
    return None


def _only(data: dict[str, object]) -> Found:
    """The one field of an object that tells nothing of the question or the way, or its values of letters."""
    kept = {
        name: value
        for name, value in data.items()
        if not (_TOLD.fullmatch(name.replace("_", " ")) or _UNIT.fullmatch(name))
    }
    if not kept or any(_NO_NAME.search(name.replace("_", " ")) for name in kept):
        return None
    if len(kept) > 1 and not all(_LETTER.fullmatch(name) for name in kept):
        return None
    if len(kept) == 1 and not any(_LETTER.fullmatch(name) for name in kept):
        return _value(next(iter(kept.values())), _unit(data))
    return _letters(kept)


def _letters(data: dict[str, object]) -> str | None:
    """`{"x": 2, "y": 3}` as `x = 2, y = 3`."""
    if not all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in data.values()):
        return None
    return ", ".join(f"{name} = {_scalar(value)}" for name, value in data.items())


def _unit(data: dict[str, object]) -> str:
    units = [value for name, value in data.items() if _UNIT.fullmatch(name) and isinstance(value, str)]
    return units[0].strip() if len(units) == 1 else ""


def _value(value: object, unit: str) -> Found:
    """A field's value with its unit; that of an object in the field by the same rules."""
    if isinstance(value, dict):
        measured = _named(value) if _unit(value) else None
        return measured or (_letters(value) if all(map(_LETTER.fullmatch, value)) else None)
    if isinstance(value, list):
        plain = all(isinstance(item, str | int | float) for item in value)
        return list(value) if plain and value and not unit else None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value if isinstance(value, bool) else None
    return f"{value} {unit}" if unit else value


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
