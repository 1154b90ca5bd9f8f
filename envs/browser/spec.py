"""What the specifications of all browser environments have in common. Nothing of a browser is imported here."""

import base64
import binascii
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from envs.browser.rules import Rules

LONGEST_TEXT = 40_000


def _base64(files: dict[str, str]) -> dict[str, str]:
    for name, content in files.items():
        try:
            base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError(f"the content of '{name}' is not base64") from None
    return files


class BrowserSpec(BaseModel):
    """How the participant sees the page and when the episode ends; see `observe` and `Rules`.

    `whole_page`: more than the viewport. `lines`: which lines of text an observation leaves out, ours or WebArena's.
    `files` (base64 by name) may be uploaded. `characters` is the longest text of an observation.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: str = Field(default="accessibility", pattern="^(accessibility|html|screenshot)$")
    whole_page: bool = False
    marks: bool = False
    lines: Literal["complete", "published"] = "complete"
    characters: int = Field(default=LONGEST_TEXT, ge=500, le=1_000_000)
    steps: int = Field(default=0, ge=0, le=500)
    unparsable: int = Field(default=3, ge=0)
    repeats: int = Field(default=0, ge=0)
    typing_anywhere: bool = False
    files: Annotated[dict[str, str], AfterValidator(_base64)] = Field(default_factory=dict)

    def rules(self) -> Rules:
        """The rules by which the episode ends."""
        return Rules(self.steps, self.unparsable, self.repeats, self.typing_anywhere)

    def uploads(self) -> dict[str, bytes]:
        """The content of each file that may be uploaded."""
        return {name: base64.b64decode(content) for name, content in self.files.items()}
