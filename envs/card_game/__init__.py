"""A card game of four fish against four, with guesses of who is who: one match against a seeded opponent.

Facts: AgentBench's card game track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2. See
`spec.CardGameSpec` for the specification of an episode and `environment.CardGame.probe` for its probe.
"""

from envs.base import Environment
from envs.card_game.spec import PROBES, CardGameSpec
from envs.definition import EnvironmentDefinition


def _create() -> Environment:
    from envs.card_game.environment import CardGame

    return CardGame()


ENVIRONMENT = EnvironmentDefinition(name="card_game", spec=CardGameSpec, probes=PROBES, create=_create)
