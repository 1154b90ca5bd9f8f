"""What an operating-system problem is made of: the secret `spec` of its episode."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments
from envs.definition import NamedProbe, SpecFault

# AgentBench's three names are one image here: the machine's own programs.
OWN_IMAGES = frozenset({"", "default", "packages", "ubuntu", "host"})
Language = Literal["bash", "python", "c", "c++"]
Protocol = Literal["published", "fixed"]
# Commands that only a machine with several user ids can carry out, where a command is called.
_MAKES_ACCOUNTS = re.compile(
    r"\b(?:user(?:add|del|mod)|(?:add|del)(?:user|group)|group(?:add|del|mod|mems)|gpasswd|ch(?:passwd|own|grp|age)"
    r"|new(?:grp|users)|runuser|setpriv|sudo)\b"
    r"|(?:^|[;&|({`]|\b(?:then|do|else)\b)\s*(?:su|passwd)\s",
    re.MULTILINE,
)
_LOOKS_AT_ACCOUNTS = re.compile(
    r"\bgetent\s+(?:passwd|g?shadow|group)\b|/etc/(?:passwd|g?shadow|group|sudoers)\b"
    r"|\b(?:stat|find)\b[^\n;|]*(?:%[UGug]|\s-(?:user|group|[ug]id)\b)"
    r"|(?:^|[;&|(`!])\s*(?:id|groups)\s+[-\w$\"']",
    re.MULTILINE,
)


class Script(BaseModel):
    """A program: `language` and its text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(max_length=200_000)
    language: Language = "bash"


class OperatingSystemSpec(BaseModel):
    """`problem` is told to the participant; `init` prepares the disk and `start` begins background processes.

    `protocol` "published" is AgentBench's: 8 turns, a reply without an action ends the episode. "fixed" tells the
    participant what was wrong and goes on. Both understand text and tool calls. `timeout` is seconds a command.
    `times`: the gold reads when files were made, so it runs over those of the beginning, never over others made anew.
    `accounts`: whether the task needs a machine with several user ids, where accounts can be made and files given away;
    unset, whether its scripts do so or a "check" or "file" looks at accounts. Other machines refuse to open it.
    `instruction`, `example` (turns: the participant's, the machine's, and so on) and `lead` come before the problem in
    place of our own words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    problem: str = Field(min_length=1, max_length=20_000)
    init: tuple[Script, ...] = ()
    start: str = ""
    image: str = "default"
    times: bool = False
    accounts: bool | None = None
    protocol: Protocol = "fixed"
    turns: int = Field(default=8, ge=1, le=200)
    timeout: float = Field(default=30.0, ge=1.0, le=600.0)
    workdir: str = "/root"
    instruction: str = Field(default="", max_length=20_000)
    example: tuple[str, ...] = Field(default=(), max_length=100)
    lead: str = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _example_ends_with_the_participant(self) -> Self:
        if self.instruction and len(self.example) % 2 == 0:
            raise ValueError("'example' begins and ends with a turn of the participant: the problem follows it")
        return self


class Parameter(BaseModel):
    """One argument of a script: the committed `answer` ("None" without one, as published), the output of an earlier
    `probe`, or a `text`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: Literal[True] | None = None
    probe: str | None = None
    text: str | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a parameter has one of 'answer', 'probe' and 'text'")
        return self


class ScriptProbe(BaseModel):
    """Arguments of type "check": a script run with the tools of the image over the agent's files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: Script
    parameters: tuple[Parameter, ...] = ()


class GoldProbe(ScriptProbe):
    """Arguments of type "gold": a script run in an untouched clone of the machine."""


class FileProbe(BaseModel):
    """Arguments of type "file": an absolute path, read from outside with links resolved inside the machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    limit: int = 1 << 20


PROBES: Mapping[str, type[ScriptProbe | FileProbe | NoArguments]] = {
    "gold": GoldProbe,
    "check": ScriptProbe,
    "file": FileProbe,
    "processes": NoArguments,
}


def check(spec: OperatingSystemSpec, probes: Sequence[NamedProbe]) -> Iterable[SpecFault]:
    """Parameters that name no earlier probe: their scripts would get an empty text."""
    del spec
    earlier: list[str] = []
    for place, (name, asked) in enumerate(probes):
        for number, parameter in enumerate(asked.parameters if isinstance(asked, ScriptProbe) else ()):
            if parameter.probe is not None and parameter.probe not in earlier:
                field = f"probes[{place}].arguments.parameters[{number}].probe"
                remedy = f"name one of {', '.join(earlier)}" if earlier else "there is none: it is the first"
                yield SpecFault(field, f"no probe before this one is called '{parameter.probe}'", remedy)
        earlier.append(name)


def needs_accounts(spec: OperatingSystemSpec, probes: Sequence[NamedProbe]) -> bool:
    """Whether the task can be done only on a machine with several user ids."""
    if spec.accounts is not None:
        return spec.accounts
    asked = [probe for _, probe in probes]
    made = [script.code for script in spec.init] + [spec.start]
    made += [probe.script.code for probe in asked if isinstance(probe, ScriptProbe)]
    # A gold that only counts the lines of a file is as right on any machine.
    seen = [probe.script.code for probe in asked if isinstance(probe, ScriptProbe) and not isinstance(probe, GoldProbe)]
    seen += [probe.path for probe in asked if isinstance(probe, FileProbe)]
    return any(map(_MAKES_ACCOUNTS.search, made)) or any(map(_LOOKS_AT_ACCOUNTS.search, seen))
