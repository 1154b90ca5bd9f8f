"""When hidden splits speak: decisions on the clock, and scheduled releases of the ranking part. Pure."""

from datetime import UTC, datetime, timedelta

from api.core.settings import Settings
from protection.feedback.exit import decision_time
from protection.feedback.policy import FeedbackPolicy

# Long enough that the slowest answer has its verdict: what has none by then is wrong.
_BY_PROGRAMS = timedelta(minutes=10)
_BY_A_JUDGE = timedelta(hours=24)
_BY_PEOPLE = timedelta(days=14)
_START = datetime(2000, 1, 1, tzinfo=UTC)


def delay(settings: Settings, *, people: bool) -> timedelta:
    """How long after its end a submission is decided: a constant of the split, whatever was answered."""
    if settings.feedback_delay_seconds is not None:
        return timedelta(seconds=settings.feedback_delay_seconds)
    if not people:
        return _BY_PROGRAMS
    return _BY_A_JUDGE if settings.judge_url else _BY_PEOPLE


def decided_at(settings: Settings, finalised_at: datetime, *, people: bool, after: datetime | None = None) -> datetime:
    """When a submission is decided: `delay` after its end, on the clock, and a pause after the decision before it."""
    clock = timedelta(seconds=settings.feedback_clock_seconds)
    due = decision_time(finalised_at, delay(settings, people=people), clock)
    if after is None:
        return due
    return max(due, decision_time(after, timedelta(seconds=settings.feedback_pause_seconds), clock))


def next_release(settings: Settings, policy: FeedbackPolicy, at: datetime) -> datetime:
    """The first scheduled release after a time: monthly, the year's only one, or every so many seconds."""
    if settings.release_every_seconds is not None:
        every = timedelta(seconds=settings.release_every_seconds)
        return _START + ((at - _START) // every + 1) * every
    utc = at.astimezone(UTC)
    if policy.monthly and utc.month < 12:
        return datetime(utc.year, utc.month + 1, 1, tzinfo=UTC)
    return datetime(utc.year + 1, 1, 1, tzinfo=UTC)


def last_release(settings: Settings, policy: FeedbackPolicy, at: datetime) -> datetime:
    """The newest scheduled release up to a time."""
    if settings.release_every_seconds is not None:
        return next_release(settings, policy, at) - timedelta(seconds=settings.release_every_seconds)
    utc = at.astimezone(UTC)
    return datetime(utc.year, utc.month if policy.monthly else 1, 1, tzinfo=UTC)


def closes_year(settings: Settings, policy: FeedbackPolicy, scheduled: datetime) -> bool:
    """Whether a scheduled release is the last of its year: then those who never asked are ranked, too."""
    year = counting_year(scheduled)
    return counting_year(next_release(settings, policy, scheduled)) > year


def counting_year(scheduled: datetime) -> int:
    """The year (UTC) whose decisions are counted: what is released as a year begins belongs to the one that ended."""
    return (scheduled.astimezone(UTC) - timedelta(microseconds=1)).year
