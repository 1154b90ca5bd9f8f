"""The fish of the card game: what each is strong at, and the words for its skills."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

HEALTH = 400


class Skill(StrEnum):
    """What an action was."""

    NORMAL = "Normal"
    AOE = "AOE"
    INFIGHT = "Infight"
    CRIT = "Crit"
    SUBTLE = "Subtle"


class Passive(StrEnum):
    """What happens by itself."""

    COUNTER = "Counter"
    DEFLECT = "Deflect"
    REDUCE = "Reduce"
    HEAL = "Heal"
    EXPLODE = "Explode"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of fish. `fixed`: the damage of its skill where it does not follow from its attack points."""

    active: Skill
    passive: Passive
    attack: int
    fixed: int | None = None


KINDS: Mapping[str, Kind] = {
    "spray": Kind(Skill.AOE, Passive.COUNTER, 200, fixed=70),
    "flame": Kind(Skill.INFIGHT, Passive.COUNTER, 200),
    "eel": Kind(Skill.AOE, Passive.DEFLECT, 200),
    "sunfish": Kind(Skill.INFIGHT, Passive.DEFLECT, 200),
    "barracuda": Kind(Skill.CRIT, Passive.REDUCE, 100, fixed=120),
    "mobula": Kind(Skill.SUBTLE, Passive.REDUCE, 100),
    "turtle": Kind(Skill.INFIGHT, Passive.REDUCE, 100),
    "octopus": Kind(Skill.SUBTLE, Passive.HEAL, 100),
    "whiteshark": Kind(Skill.CRIT, Passive.HEAL, 100),
    "hammerhead": Kind(Skill.CRIT, Passive.EXPLODE, 100),
    "clownfish": Kind(Skill.SUBTLE, Passive.EXPLODE, 100),
    "imitator": Kind(Skill.AOE, Passive.HEAL, 100),
}
PUBLISHED = ("spray", "flame", "eel", "sunfish")
UNUSED = tuple(name for name in KINDS if name not in PUBLISHED)


def describe(name: str) -> str:
    """The skills of a kind in a sentence each."""
    kind = KINDS[name]
    active = {
        Skill.AOE: f"hits every living enemy for {kind.fixed or '35% of its attack points'}",
        Skill.INFIGHT: "takes 75 health from another living fish of your team and gains 140 attack points",
        Skill.CRIT: "hits one enemy for 120"
        if kind.fixed
        else "hits the living enemy with the least health for 120% of its attack points, 140% if that has under 160",
        Skill.SUBTLE: "shields a living fish of your team: its next hit loses 70%, and it gains 20 attack points",
        Skill.NORMAL: "",
    }[kind.active]
    passive = {
        Passive.COUNTER: "when a hit leaves a team-mate below 30% of its health, the attacker loses 30",
        Passive.DEFLECT: "30% of a hit is spread over the living team-mates; 40 attack points more for every 200 lost",
        Passive.REDUCE: "a hit misses with a chance of 30%",
        Passive.HEAL: "regains 20 when a hit leaves it alive",
        Passive.EXPLODE: "an attacker that kills it loses 40; 15 attack points more when it falls below 20% health",
    }[kind.passive]
    return f"attack {kind.attack}. Active ({kind.active}): {active}. Passive ({kind.passive}): {passive}."
