"""What a run may spend, and in words what it has spent of that."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """When to start no more in this run: tokens, US dollars, seconds of wall clock, tasks; None is unlimited."""

    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    tasks: int | None = None

    def over(self, tokens: float, cost: float, tasks: float, seconds: float) -> str:
        """Which limit is reached, as a sentence; empty: none."""
        used = (
            ("tokens are spent", _whole, tokens, self.tokens),
            ("are spent", dollars, cost, self.cost),
            ("tasks are started", _whole, tasks, self.tasks),
            ("seconds are over", _whole, seconds, self.seconds),
        )
        said = (
            f"{say(now)} of {say(most)} {words}" for words, say, now, most in used if most is not None and now >= most
        )
        return next(said, "")


def dollars(amount: float) -> str:
    """US dollars in cents, or finer where cents would say nothing."""
    return f"${amount:,.2f}" if amount == 0 or amount >= 0.1 else f"${amount:.2g}"


def _whole(amount: float) -> str:
    return f"{amount:,.0f}"
