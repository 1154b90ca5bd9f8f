"""The feedback policy that a split's configuration in `benchmark.toml` asks for."""

from packs.benchmark import Feedback, SplitConfig
from protection.feedback.policy import FeedbackPolicy, policy_for


def policy_of(config: SplitConfig, items: int, *, choices: int = 2) -> FeedbackPolicy:
    """The policy of a split of `items` items whose answers are chosen from `choices` (0: free form).

    Raises PolicyError where the configuration tells more than it accepts to, or leaves out what it needs.
    """
    decisions, rankings = config.decisions_per_year, config.rankings_per_year
    if config.feedback in (Feedback.DELAYED, Feedback.NONE):
        decisions = 0
    if config.feedback is Feedback.NONE:
        rankings = 0
    return policy_for(
        config.feedback.preset,
        items,
        chance_level=config.chance_level,
        share=config.feedback_share,
        decisions=decisions,
        rankings=rankings,
        mode=config.feedback_part,
        grid=config.band_width,
        models=config.rank_models,
        unverified=config.unverified,
        choices=choices,
        accept_leak=config.accept_leak,
    )
