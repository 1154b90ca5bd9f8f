"""Patterns of scraping in what was served: in order, too fast, and many keys of one organisation or address."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SEQUENTIAL_RUN = 200
FAST_COUNT = 120
FAST_SECONDS = 60.0
MANY_KEYS = 5
WINDOW_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Serve:
    """One problem served: when (seconds), to which key and organisation, from where, and its index in the split."""

    at: float
    key: str
    organisation: str
    address: str
    index: int


@dataclass(frozen=True)
class Flag:
    """One pattern: its name, whom it concerns, how strong it is, and a sentence for the owner."""

    pattern: str
    subject: str
    count: int
    note: str


def flags(serves: Iterable[Serve]) -> list[Flag]:
    """All patterns in a list of serves (any order), strongest first."""
    ordered = sorted(serves, key=lambda serve: serve.at)
    found = [*_by_key(ordered), *_many_keys(ordered)]
    return sorted(found, key=lambda flag: (-flag.count, flag.pattern, flag.subject))


def _by_key(ordered: Sequence[Serve]) -> list[Flag]:
    by_key: dict[str, list[Serve]] = defaultdict(list)
    for serve in ordered:
        by_key[serve.key].append(serve)
    found = []
    for key, mine in by_key.items():
        run = _longest_run([serve.index for serve in mine])
        if run >= SEQUENTIAL_RUN:
            found.append(Flag("sequential", key, run, f"{run} problems in the split's order without a stop"))
        burst = _busiest([serve.at for serve in mine], FAST_SECONDS)
        if burst >= FAST_COUNT:
            found.append(Flag("fast", key, burst, f"{burst} problems within {FAST_SECONDS:.0f} seconds"))
    return found


def _many_keys(ordered: Sequence[Serve]) -> list[Flag]:
    found = []
    for what in ("organisation", "address"):
        by_subject: dict[str, list[Serve]] = defaultdict(list)
        for serve in ordered:
            by_subject[getattr(serve, what)].append(serve)
        for subject, mine in by_subject.items():
            keys = _most_keys(mine) if subject else 0
            if keys >= MANY_KEYS:
                found.append(Flag(f"keys_of_one_{what}", subject, keys, f"{keys} keys of one {what} within a day"))
    return found


def _longest_run(indices: Sequence[int]) -> int:
    longest = run = 1 if indices else 0
    for before, after in itertools.pairwise(indices):
        run = run + 1 if after == before + 1 else 1
        longest = max(longest, run)
    return longest


def _busiest(times: Sequence[float], seconds: float) -> int:
    start = busiest = 0
    for end, time in enumerate(times):
        while time - times[start] > seconds:
            start += 1
        busiest = max(busiest, end - start + 1)
    return busiest


def _most_keys(mine: Sequence[Serve]) -> int:
    most, start = 0, 0
    counts: dict[str, int] = defaultdict(int)
    for serve in mine:
        counts[serve.key] += 1
        while serve.at - mine[start].at > WINDOW_SECONDS:
            counts[mine[start].key] -= 1
            if not counts[mine[start].key]:
                del counts[mine[start].key]
            start += 1
        most = max(most, len(counts))
    return most
