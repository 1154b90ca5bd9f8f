"""What is written to whom. No score and no answer is in a letter: it says where to look. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Letter:
    """One e-mail as plain text."""

    to: str
    subject: str
    text: str


def sign_in(to: str, link: str, minutes: int) -> Letter:
    """The link that signs somebody in once."""
    text = (
        f"This link signs you in on Heldout, once, within {minutes} minutes:\n{link}\n\n"
        "If you did not ask for it, leave it: nobody else can use it without this letter.\n"
    )
    return Letter(to, "Sign in on Heldout", text)


def invitation(to: str, organisation: str, link: str, days: int) -> Letter:
    """The link that makes somebody a member."""
    text = (
        f'You are invited to join the organisation "{_line(organisation)}" on Heldout.\n\n'
        f"The link is yours alone and holds for {days} days:\n{link}\n\n"
        "If you did not expect this, leave it: nothing happens then.\n"
    )
    return Letter(to, f"Invitation to {_line(organisation)}", text)


def access_decided(to: str, benchmark: str, state: str, reason: str, address: str) -> Letter:
    """What the owner decided on a request."""
    told = "Your organisation may read it now." if state == "accepted" else f"The owner says: {reason}"
    text = f'Your request for access to "{_line(benchmark)}" was {state}.\n\n{told}\n\n{address}\n'
    return Letter(to, f"Access to {_line(benchmark)}: {state}", text)


def access_asked(to: str, benchmark: str, organisation: str, address: str) -> Letter:
    """For an owner: somebody waits for a decision."""
    text = (
        f'"{_line(organisation)}" has accepted the agreement of "{_line(benchmark)}" and asks for access.\n\n'
        f"Decide here:\n{address}\n"
    )
    return Letter(to, f"{_line(organisation)} asks for access to {_line(benchmark)}", text)


def run_ended(to: str, model: str, benchmark: str, split: str, address: str) -> Letter:
    """A run has come to its end; what is told of it stands on its page."""
    text = (
        f'The run of "{_line(model)}" on "{_line(benchmark)}" ({split}) is over. What is told of it:\n{address}\n\n'
        "You get these letters because your account asks for them; its page turns them off.\n"
    )
    return Letter(to, f"{_line(model)} on {_line(benchmark)}: the run is over", text)


def _line(text: str) -> str:
    """A name on one line, so that it begins no other line of a letter."""
    return " ".join(text.split())
