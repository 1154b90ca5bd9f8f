"""Gold that lies in the open: golds, their digests and digests of references, searched in all public texts at once."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import ahocorasick

from grading.registry import digest, kinds, parse_reference
from packs.problem import ReferenceLine

SHORTEST_GOLD = 6
GOLD = "gold in the open"
_COMMAND = re.compile(r"\\[A-Za-z]+")


@dataclass(frozen=True)
class Leak:
    """What was found, whose it is, and where."""

    check: str
    problem: str
    place: str


def prompt_of(problem: str) -> str:
    """The name of a prompt among the public texts."""
    return f"prompt of {problem}"


def search(lines: Sequence[ReferenceLine], texts: Mapping[str, str]) -> Iterator[Leak]:
    """Golds of SHORTEST_GOLD characters and more, and digests, in `texts` (by name); one pass over each text.

    A problem's own prompt may hold its gold (a choice's text stands there by nature). Another's prompt may hold it by
    chance: only golds that are `telling` are looked for there.
    """
    needles = ahocorasick.Automaton()
    owners: dict[str, list[tuple[str, ReferenceLine, bool]]] = {}
    for line in lines:
        for needle, check in _needles(line).items():
            owners.setdefault(needle.casefold(), []).append((check, line, check != GOLD or telling(needle)))
    for needle in owners:
        needles.add_word(needle, needle)
    if not owners:
        return
    needles.make_automaton()
    for place, text in texts.items():
        for needle in dict.fromkeys(found for _, found in needles.iter(text.casefold())):
            for check, line, anywhere in owners[needle]:
                own = place == prompt_of(line.id) and check == GOLD
                if not own and (anywhere or not place.startswith(prompt_of(""))):
                    yield Leak(check, line.id, place)


def telling(gold: str) -> bool:
    r"""Whether a gold is so particular that it does not stand in another prompt by chance.

    It holds SHORTEST_GOLD letters and digits, names of LaTeX commands apart: `\frac{1}{2}` holds two.
    """
    return sum(character.isalnum() for character in _COMMAND.sub("", gold)) >= SHORTEST_GOLD


def _needles(line: ReferenceLine) -> dict[str, str]:
    golds = {text for text in (line.gold, *line.answers, _own_gold(line)) if text}
    found = {gold: GOLD for gold in golds if len(gold.strip()) >= SHORTEST_GOLD}
    for text in golds:
        for name in ("md5", "sha1", "sha256"):
            found[hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()] = f"{name} of gold in the open"
    if line.variation is None:
        found[digest(parse_reference(line.reference))] = "digest of the reference in the open"
    return found


def _own_gold(line: ReferenceLine) -> str | None:
    """The gold of the reference; a template's fields may be no values yet, so there what stands where the gold goes."""
    if line.variation is None:
        return parse_reference(line.reference).gold_text()
    gold = line.reference.get(kinds()[line.reference["kind"]].model.gold_field)
    return gold if isinstance(gold, str) and "{{" not in gold else None


def leaked_by_others(leaks: Iterable[Leak]) -> dict[str, str]:
    """The first place of each problem whose gold stands elsewhere."""
    places: dict[str, str] = {}
    for leak in leaks:
        places.setdefault(leak.problem, leak.place)
    return places
