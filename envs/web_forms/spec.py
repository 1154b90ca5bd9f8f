"""What an episode on a form is made of. None of it tells what is right."""

from collections.abc import Mapping

from pydantic import AliasChoices, Field

from envs.base import NoArguments
from envs.browser.spec import BrowserSpec


class WebFormsSpec(BrowserSpec):
    """`template` is the page's HTML, `inputs` the values of its `${name}` places.

    `timeout` is the seconds a page may take for one action before it is taken to hang.
    """

    template: str = Field(min_length=1, max_length=2_000_000)
    inputs: dict[str, str] = Field(default_factory=dict)
    title: str = "Task"
    timeout: float = Field(default=60.0, ge=1, le=600, validation_alias=AliasChoices("timeout", "patience"))


PROBES: Mapping[str, type[NoArguments]] = {"form": NoArguments}
