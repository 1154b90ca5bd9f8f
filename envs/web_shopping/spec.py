"""What a shopping problem is made of: the secret `spec` of its episode."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments
from envs.browser.spec import BrowserSpec

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Turn = Annotated[str, Field(max_length=20_000)]


class CatalogueRef(BaseModel):
    """Which catalogue is played: `digest` is of its products.

    With `seed` and `size` it is made where it is needed; without, it is looked for among the machine's catalogues,
    where an importer puts it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: Digest
    seed: int | None = Field(default=None, ge=0, lt=1 << 63)
    size: int | None = Field(default=None, ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _is_made_or_not(self) -> Self:
        if (self.seed is None) != (self.size is None):
            raise ValueError("a catalogue that is made has both 'seed' and 'size'; an imported one has neither")
        return self


class WebShoppingSpec(BaseModel):
    """`instruction` is what to buy, as it is shown on every page; what counts as right is with the reference.

    `opening` are the turns before the first page in place of our own words: the user's, the participant's, and so on,
    an even number.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    instruction: str = Field(min_length=1, max_length=4000)
    catalogue: CatalogueRef
    turns: int = Field(default=10, ge=1, le=500)
    opening: tuple[Turn, ...] = Field(default=(), max_length=100)

    @model_validator(mode="after")
    def _opening_ends_with_the_participant(self) -> Self:
        if len(self.opening) % 2:
            raise ValueError("'opening' ends with a turn of the participant, so that the first page follows it")
        return self


class ShopSiteSpec(BrowserSpec):
    """The same wish in the browser, where the shop's site sells the catalogue. `timeout`: the seconds that a page may
    take for one action."""

    instruction: str = Field(min_length=1, max_length=4000)
    catalogue: CatalogueRef
    timeout: float = Field(default=90.0, ge=1, le=600)


PROBES: Mapping[str, type[NoArguments]] = {"purchase": NoArguments, "log": NoArguments}
SITE_PROBES: Mapping[str, type[NoArguments]] = {"purchase": NoArguments}
