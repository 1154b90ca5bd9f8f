"""A match as a problem and its secret side; what the importer and the generator share."""

from envs.card_game.oracle import Script
from envs.card_game.spec import CardGameSpec
from packs.problem import Episode, Probe, Problem, ReferenceLine

STEPS = 500
SECONDS = 3600
REFERENCE = {"kind": "match_score"}


def drafted(id_: str, split: str, subject: str, spec: CardGameSpec, script: Script) -> tuple[Problem, ReferenceLine]:
    """The problem `id_` and its reference line. `subject` groups the matches of one opponent."""
    begins = "You begin." if spec.first else "The enemy begins."
    statement = (
        f"Win a game of four fish against four. {begins} Your fish: {', '.join(spec.team)}. "
        f"The enemy's, in no order: {', '.join(sorted(spec.enemy))}."
    )
    problem = Problem(id=id_, split=split, type="card_game", subject=subject, statement=statement, episode=True)
    episode = Episode(
        environment="card_game",
        spec=spec.model_dump(mode="json"),
        probes=(Probe(name="match", kind="match"),),
        steps=STEPS,
        seconds=SECONDS,
    )
    oracle = tuple({"text": text} for text in script)
    return problem, ReferenceLine(id=id_, reference=dict(REFERENCE), episode=episode, oracle=oracle)
