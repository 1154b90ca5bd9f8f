"""Web browsing by multiple choice: which element of a page is to be used next for a task, and how.

Facts: Mind2Web (Deng et al., NeurIPS 2023, arXiv:2306.06070) as AgentBench plays it (Liu et al., ICLR 2024,
arXiv:2308.03688). See `spec.WebBrowsingSpec` for the specification of an episode and `environment.WebBrowsing.probe`
for its probe.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.web_browsing.spec import PROBES, WebBrowsingSpec


def _create() -> Environment:
    from envs.web_browsing.environment import WebBrowsing

    return WebBrowsing()


ENVIRONMENT = EnvironmentDefinition(name="web_browsing", spec=WebBrowsingSpec, probes=PROBES, create=_create)
