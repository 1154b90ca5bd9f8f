"""The question's words on the ground of a mention: from the choice mentioned before it to the next one."""

from collections.abc import Sequence
from typing import NamedTuple

from grading.language.labelranking.mentions import Mention
from grading.language.labelranking.reading import Features, Read
from grading.language.ranking.questions import stems


class _Ground(NamedTuple):
    """Stems that are asked about, in a mention's part of its sentence and in the sentences without one around it."""

    own: frozenset[str]
    behind: frozenset[str]
    before: frozenset[str]


def add_ahead(name: str, found: list[Features], live: Sequence[Mention]) -> None:
    """How far a feature of a label's mentions is ahead of that of all others."""
    best: dict[str, float] = {}
    for features, each in zip(found, live, strict=True):
        best[each.label] = max(best.get(each.label, 0.0), features.get(name, 0.0))
    for features, each in zip(found, live, strict=True):
        others = max((value for label, value in best.items() if label != each.label), default=0.0)
        features[f"{name} ahead"] = features.get(name, 0.0) - others
        features[f"{name} best"] = float(features.get(name, 0.0) > others)


def add_grounds(response: Read, found: list[Features], live: Sequence[Mention]) -> None:
    """What of the question stands on each mention's ground, and on no other label's."""
    if not response.asked:
        return
    places = {each.place for each in live}
    grounds = [_ground(response, each, live, places) for each in live]
    count = len(response.asked)
    of: dict[str, set[str]] = {}
    for each, ground in zip(live, grounds, strict=True):
        of.setdefault(each.label, set()).update(ground.own)
    for features, each, ground in zip(found, live, grounds, strict=True):
        theirs: set[str] = set().union(*(words for label, words in of.items() if label != each.label))
        features["q own"] = len(ground.own) / count
        features["q own words"] = min(len(ground.own), 4) / 4
        features["q own alone"] = len(ground.own - theirs) / count
        features["q own any alone"] = float(bool(ground.own - theirs))
        features["q behind"] = len(ground.behind) / count
        features["q before"] = len(ground.before) / count
        features["q label alone"] = len(of[each.label] - theirs) / count
        features["q label any alone"] = float(bool(of[each.label] - theirs))
    add_ahead("q own", found, live)


def _ground(response: Read, each: Mention, live: Sequence[Mention], places: set[int]) -> _Ground:
    text = response.text(each.place)
    start, end = each.extent
    others = [span for one in live if one.place == each.place and one.label != each.label for span in one.spans]
    left = max((to for _, to in others if to <= start), default=0)
    right = min((at for at, _ in others if at >= end), default=len(text))
    after, before = each.place + 1, each.place - 1
    while after < len(response.spoken) and after not in places:
        after += 1
    while before >= 0 and before not in places:
        before -= 1
    behind = " ".join(response.text(place) for place in range(each.place + 1, after))
    ahead = " ".join(response.text(place) for place in range(before + 1, each.place))
    asked = response.asked
    return _Ground(stems(f"{text[left:start]} {text[end:right]}") & asked, stems(behind) & asked, stems(ahead) & asked)
