"""An alarm for a judge that has become worse, with a guaranteed rate of false alarms."""

from collections.abc import Iterable
from dataclasses import dataclass

_BETS = (0.1, 0.2, 0.4, 0.6, 0.8)


@dataclass
class DriftAlarm:
    """Watches whether a judge still agrees with people at least as often as it did (`baseline`, in (0, 1)).

    A Shiryaev-Roberts e-detector (Shin, Ramdas and Rinaldo 2022): while the agreement is no worse than the baseline, a
    false alarm comes on average no sooner than after `run_length` items, whatever the order and without a model.
    """

    baseline: float
    run_length: float = 1000.0
    level: float = 0.0
    items: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.baseline < 1 or self.run_length <= 1:
            raise ValueError("need 0 < baseline < 1 and a run length over 1")
        self._parts = [0.0] * len(_BETS)

    @property
    def raised(self) -> bool:
        """Whether the evidence of a decline is strong enough; it stays so until a new alarm is made."""
        return self.level >= self.run_length

    def watch(self, agreed: bool) -> bool:
        """Take in one item that a person has looked at; returns whether the alarm is raised."""
        if self.raised:
            return True
        self.items += 1
        for place, bet in enumerate(_BETS):
            # A fair bet against the baseline: its expectation is at most 1 while agreement is at least the baseline.
            factor = 1 + bet / (1 - self.baseline) * (self.baseline - float(agreed))
            self._parts[place] = (self._parts[place] + 1) * factor
        self.level = sum(self._parts) / len(self._parts)
        return self.raised


def first_alarm(agreements: Iterable[bool], baseline: float, run_length: float = 1000.0) -> int | None:
    """After how many items the alarm is raised, or None."""
    alarm = DriftAlarm(baseline, run_length)
    return next((alarm.items for agreed in agreements if alarm.watch(agreed)), None)
