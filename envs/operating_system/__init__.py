"""A Linux machine with a shell: problems about an operating system, judged from outside of it.

Facts: AgentBench's operating-system track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2 and main.
See `spec.OperatingSystemSpec` for the specification of an episode and `environment.OperatingSystem.probe` for probes.
"""

from envs.operating_system.environment import OperatingSystem, create, recipe_of

__all__ = ["OperatingSystem", "create", "recipe_of"]
