"""The rules of the card game: a board of two teams, guesses, actions and what follows from them.

Facts: AgentBench's card game track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from envs.card_game.fish import HEALTH, KINDS, Kind, Passive, Skill

GUESS_DAMAGE = 50
COUNTER_DAMAGE = 30
COUNTER_BELOW = 0.3 * HEALTH
INFIGHT_COST, INFIGHT_GAIN = 75, 140
EXPLOSION = 40
RAGE_BELOW, RAGE_GAIN = 0.2 * HEALTH, 15
WOUND_STEP, WOUND_GAIN = 200, 40
HEAL = 20
_MASK = (1 << 64) - 1


class RuleError(ValueError):
    """A guess or an action that the rules do not allow."""


class Dice:
    """Chance from a seed (splitmix64), cheap to copy."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def copy(self) -> "Dice":
        """Dice that will fall the same."""
        return Dice(self._state)

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % count


class Fish:
    """One fish on the board. Dead only once that is marked, after a phase."""

    __slots__ = ("alive", "attack", "exposed", "health", "kind", "name", "shield", "wound")

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind: Kind = KINDS[name]
        self.attack = self.kind.attack
        self.health = HEALTH
        self.wound = 0
        self.exposed = self.shield = False
        self.alive = True

    def copy(self) -> "Fish":
        """A fish of its own in the same state."""
        made = Fish.__new__(Fish)
        made.name, made.kind, made.attack, made.health = self.name, self.kind, self.attack, self.health
        made.wound, made.exposed, made.shield, made.alive = self.wound, self.exposed, self.shield, self.alive
        return made


@dataclass(frozen=True, slots=True)
class Move:
    """The fish at `fish` acts; `target` is an enemy's position, or a team-mate's for Infight and Subtle."""

    fish: int
    active: bool
    target: int = 0


@dataclass(slots=True)
class Record:
    """What everybody saw of an action: who acted, the damage of one hit, whom, and which passives (side, position)."""

    player: int
    fish: int
    damage: int
    targets: tuple[int, ...]
    skill: Skill
    passives: list[tuple[int, int, Passive]] = field(default_factory=list)


class Board:
    """Two teams of four and the phase they are in. Player 0 begins; a turn is a guess and an action."""

    __slots__ = ("dice", "limit", "phases", "player", "teams", "winner")

    def __init__(self, teams: Sequence[Sequence[str]], seed: int, limit: int = 128) -> None:
        self.teams = tuple([Fish(name) for name in team] for team in teams)
        self.dice = Dice(seed)
        self.limit = limit
        self.phases = 0
        self.player = 0
        self.winner: int | None = None

    def copy(self) -> "Board":
        """A board of its own in the same state, dice included."""
        made = Board.__new__(Board)
        made.teams = tuple([fish.copy() for fish in team] for team in self.teams)
        made.dice, made.limit, made.phases = self.dice.copy(), self.limit, self.phases
        made.player, made.winner = self.player, self.winner
        return made

    def living(self, player: int) -> list[int]:
        """The positions of a player's living fish."""
        return [position for position, fish in enumerate(self.teams[player]) if fish.alive]

    def guess(self, position: int, name: str) -> bool:
        """The player's guess: whether the enemy at `position` is a `name`. Raises RuleError, as the published engine
        does, for one that is dead or exposed."""
        enemies = self.teams[1 - self.player]
        if not 0 <= position < len(enemies) or not enemies[position].alive or enemies[position].exposed:
            raise RuleError(f"there is no living, unexposed enemy at position {position}")
        right = enemies[position].name == name
        if right:
            enemies[position].exposed = True
            for fish in enemies:
                fish.health = max(0, fish.health - GUESS_DAMAGE)
        self._phase_over()
        return right

    def skip_guess(self) -> None:
        """The player guesses nothing."""
        self._phase_over()

    def moves(self, player: int) -> Iterator[Move]:
        """Every action that a player may take; skills without a choice of target once."""
        enemies, own = self.living(1 - player), self.living(player)
        for position in own:
            yield from (Move(position, False, target) for target in enemies)
            kind = self.teams[player][position].kind
            match kind.active:
                case Skill.AOE:
                    yield Move(position, True)
                case Skill.INFIGHT:
                    yield from (Move(position, True, target) for target in own if target != position)
                case Skill.SUBTLE:
                    yield from (Move(position, True, target) for target in own)
                case _:
                    yield from (Move(position, True, target) for target in self._crit_targets(kind, enemies, player))

    def act(self, move: Move) -> Record:
        """The player's action. Raises RuleError for one that `moves` does not give (AOE: whatever its target)."""
        kind = self._fish_of(move).kind
        wanted = replace(move, target=0) if move.active and kind.active is Skill.AOE else move
        if wanted not in self.moves(self.player):
            raise RuleError("that action is not allowed: an acting fish lives, and so does its target")
        return self.apply(wanted)

    def apply(self, move: Move) -> Record:
        """The player's action, which `moves` gave: nothing is checked."""
        record = self._do(move)
        self._phase_over()
        if self.winner is None:
            self.player = 1 - self.player
        return record

    def _fish_of(self, move: Move) -> Fish:
        own = self.teams[self.player]
        if not 0 <= move.fish < len(own):
            raise RuleError(f"there is no position {move.fish}")
        return own[move.fish]

    def _crit_targets(self, kind: Kind, enemies: list[int], player: int) -> list[int]:
        if kind.fixed is not None or not enemies:
            return enemies
        team = self.teams[1 - player]
        least = min(team[position].health for position in enemies)
        return [position for position in enemies if team[position].health == least]

    def _do(self, move: Move) -> Record:
        me, other = self.player, 1 - self.player
        actor = self.teams[me][move.fish]
        skill = actor.kind.active if move.active else Skill.NORMAL
        record = Record(me, move.fish, 0, (move.target,), skill)
        match skill:
            case Skill.NORMAL:
                record.damage = actor.attack // 2
                self._hit(record, move.target, record.damage)
            case Skill.AOE:
                record.targets = tuple(self.living(other))
                record.damage = actor.kind.fixed or int(0.35 * actor.attack)
                for position in record.targets:
                    self._hit(record, position, record.damage)
            case Skill.INFIGHT:
                record.damage = INFIGHT_COST
                self._take(me, move.target, INFIGHT_COST, record, source=False)
                actor.attack += INFIGHT_GAIN
            case Skill.SUBTLE:
                shielded = self.teams[me][move.target]
                shielded.shield = True
                shielded.attack += 20
            case Skill.CRIT:
                weak = self.teams[other][move.target].health < 0.4 * HEALTH
                record.damage = actor.kind.fixed or actor.attack * (140 if weak else 120) // 100
                self._hit(record, move.target, record.damage)
        return record

    def _hit(self, record: Record, position: int, damage: int) -> None:
        side = 1 - record.player
        team = self.teams[side]
        self._take(side, position, damage, record, source=True)
        if team[position].health >= COUNTER_BELOW:
            return
        for index, fish in enumerate(team):
            if index != position and fish.alive and fish.kind.passive is Passive.COUNTER:
                self._take(record.player, record.fish, COUNTER_DAMAGE, record, source=False)
                record.passives.append((side, index, Passive.COUNTER))

    def _take(self, side: int, position: int, damage: int, record: Record, *, source: bool) -> None:
        """`damage` reaches a fish; without a source nothing deflects, dodges or answers it."""
        team = self.teams[side]
        fish = team[position]
        passive = fish.kind.passive
        if source:
            if fish.shield:
                fish.shield = False
                damage = int(0.3 * damage)
            if passive is Passive.REDUCE and self.dice.below(10) < 3:
                record.passives.append((side, position, passive))
                return
            others = [one for index, one in enumerate(team) if one.alive and index != position]
            if passive is Passive.DEFLECT and others:
                share = int(0.3 * damage) // len(others)
                for one in others:
                    _lose(one, share)
                damage = int(0.7 * damage)
                record.passives.append((side, position, passive))
        before = fish.health
        _lose(fish, damage)
        if source and passive is Passive.HEAL and fish.health > 0:
            fish.health = min(HEALTH, fish.health + HEAL)
            record.passives.append((side, position, passive))
        if source and passive is Passive.EXPLODE and before > 0:
            self._explode(side, position, before, record)

    def _explode(self, side: int, position: int, before: int, record: Record) -> None:
        fish = self.teams[side][position]
        if fish.health == 0:
            self._take(1 - side, record.fish, EXPLOSION, record, source=False)
        elif before >= RAGE_BELOW > fish.health:
            fish.attack += RAGE_GAIN
        else:
            return
        record.passives.append((side, position, Passive.EXPLODE))

    def _phase_over(self) -> None:
        self.phases += 1
        left = [0, 0]
        for side, team in enumerate(self.teams):
            for fish in team:
                fish.alive = fish.alive and fish.health > 0
                left[side] += fish.alive
        if not left[1 - self.player]:
            self.winner = self.player
        elif not left[self.player]:
            self.winner = 1 - self.player
        elif self.phases >= self.limit:
            self.winner = self._ahead()

    def _ahead(self) -> int:
        """Who wins when time is up: more living fish, more health in all, the healthiest fish, the second mover."""
        standing = []
        for side in (0, 1):
            health = [fish.health for fish in self.teams[side]]
            standing.append((len(self.living(side)), sum(health), max(health)))
        return 0 if standing[0] > standing[1] else 1


def _lose(fish: Fish, damage: int) -> None:
    fish.health = max(0, fish.health - damage)
    if fish.kind.passive is not Passive.DEFLECT:
        return
    fish.wound += damage
    if fish.wound >= WOUND_STEP:
        fish.attack += WOUND_GAIN * (fish.wound // WOUND_STEP)
        fish.wound %= WOUND_STEP
