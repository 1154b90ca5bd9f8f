"""How fast a hidden split is served to those whose reading looks like scraping. Pure; the numbers are the ledger's.

Nobody is shut out: a pattern makes the pace slower, or lets many keys count as one. Honest evaluation is slower than
any of these paces; collecting a test set is not.
"""

from dataclasses import dataclass

from protection.scraping import FAST_COUNT, FAST_SECONDS, MANY_KEYS, SEQUENTIAL_RUN

# Half the pace for a key that reads the split in its order without a stop.
SEQUENTIAL_COUNT = FAST_COUNT // 2


@dataclass(frozen=True)
class Reading:
    """What was served of one split, this page included.

    The counts of problems are of the last minute; keys and the run in the split's order of the last day or two.
    """

    by_key: int
    by_organisation: int
    by_address: int
    keys_of_organisation: int
    keys_of_address: int
    run: int


@dataclass(frozen=True)
class Slowdown:
    """The pattern that was found, its pace (problems a minute), and a sentence for the participant."""

    pattern: str
    pace: int
    note: str
    of_key: bool = True


def slowdown(reading: Reading) -> Slowdown | None:
    """Why this page comes too early; None when it does not."""
    sequential = reading.run >= SEQUENTIAL_RUN
    pace = SEQUENTIAL_COUNT if sequential else FAST_COUNT
    if reading.by_key > pace:
        what = f"{reading.run} problems were read in the split's order" if sequential else "this key reads too fast"
        return Slowdown("sequential" if sequential else "fast", pace, what)
    for whose, keys, count in (
        ("organisation", reading.keys_of_organisation, reading.by_organisation),
        ("address", reading.keys_of_address, reading.by_address),
    ):
        if keys >= MANY_KEYS and count > FAST_COUNT:
            return Slowdown(
                f"keys_of_one_{whose}", FAST_COUNT, f"{keys} keys of one {whose} count together", of_key=False
            )
    return None


def retry_after(oldest_age: float) -> int:
    """Seconds until the oldest problem of the last minute counts no more."""
    return max(1, int(FAST_SECONDS - oldest_age) + 1)
