"""Which machine published samples run on: an image that `make images` built, pinned by its digest, or none."""

from dataclasses import dataclass, field
from typing import Self

from envs.operating_system.spec import OWN_IMAGES
from envs.sandbox import images
from envs.sandbox.base import SandboxError

AGENTBENCH = "heldout/agentbench-os"
_LOUD = (
    "THE TASKS' MACHINE IS THIS MACHINE'S OWN /usr: no image 'heldout/agentbench-os' is built here, so that golds "
    "depend on what is installed, and no digest is recorded. Build it with 'make images' and convert again."
)


@dataclass(frozen=True)
class Machine:
    """What a specification says of it, its digests by name of image, what the report notes and what the card says."""

    spec: dict[str, object] = field(default_factory=dict)
    digests: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    words: str = "The tasks run on the programs of the operator's own machine, whatever they are."

    @classmethod
    def chosen(cls, name: str) -> Self:
        """The image `name`, with none AgentBench's where it is there. Raises ValueError for one that is not built."""
        try:
            return cls.pinned(name or AGENTBENCH) if name not in OWN_IMAGES or not name else cls()
        except SandboxError as error:
            if name:
                raise ValueError(str(error)) from None
            return cls(notes=(_LOUD,))

    @classmethod
    def pinned(cls, name: str) -> Self:
        """An image that is built here. Raises SandboxError."""
        digest = images.digest(name, images.built_images())
        return cls(
            {"image": name}, {name: (digest,)}, (), f"The tasks run in the image {name}, {digest}, and in no other."
        )
