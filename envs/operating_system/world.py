"""A machine made from an image and the problem's `init` alone: the one the agent works on, and clones for the gold."""

import random
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from envs.base import InfrastructureError, SpecError
from envs.operating_system.spec import OWN_IMAGES, OperatingSystemSpec, Script
from envs.sandbox.base import MIB, Backend, Image, Limits, Result, Sandbox, SandboxError, Shell
from envs.sandbox.pool import PoolSpec
from envs.sandbox.warm import LeasedSandbox, hold

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb", "USER": "root", "LOGNAME": "root"}
LIMITS = Limits(memory=512 * MIB, processes=256, disk=192 * MIB, files=50_000, output=MIB)
INIT_SECONDS = 120.0
ENTROPY = "/tmp/.entropy"  # noqa: S108 - a path inside the sandbox
LOG = "/tmp/.init"  # noqa: S108 - a path inside the sandbox
# Where the shell holds the log of `init`: below the shell's own, and below the least number of open files.
LOG_FD = 62
ENTROPY_BYTES = 1 << 18
_DEVICE = re.compile(r"/dev/u?random\b")
# The shell's seeded numbers are drawn anew in each subshell: in a command substitution and in a pipeline.
_LOTS = re.compile(r"\$\((?!\()[^\n]*RANDOM|RANDOM[^\n|]*\|[^|]|\bshuf\b|\bmktemp\b|\brand\(|%N|\$\$|\brandom\b")
_EXIT = re.compile(r"(?:^|[;&|{(])\s*(?:exit|exec|return)\b", re.MULTILINE)
_COMPILERS = {"c": ("gcc", ".c"), "c++": ("g++", ".cpp")}


@dataclass
class World:
    """A running machine. `shell` is where its owner types: the agent, or the gold commands in a clone."""

    leased: LeasedSandbox
    spec: OperatingSystemSpec

    @property
    def sandbox(self) -> Sandbox:
        """The machine."""
        return self.leased.sandbox

    @property
    def shell(self) -> Shell:
        """Its persistent shell."""
        shell: Shell = self.leased.prepared
        return shell

    @classmethod
    async def open(
        cls,
        backend: Backend,
        spec: OperatingSystemSpec,
        seed: int,
        layers: tuple[Path, ...] = (),
        *,
        start: bool = True,
        clone: bool = False,
    ) -> Self:
        """Get it and run `init` and `start`; with `layers`, which hold what `init` wrote, `init` is not run again.

        A `clone` stands beside a machine that is held already. Raises SpecError when `init` fails, which is the
        benchmark's fault, PoolExhaustedError and InfrastructureError.
        """
        world = cls(await hold(backend, pool_spec(spec.image, spec.workdir, layers), spare=clone), spec)
        try:
            if not layers:
                await initialise(world.sandbox, world.shell, spec, seed)
            if spec.start and start:
                await world.shell.run(spec.start, timeout=INIT_SECONDS)
        except BaseException:
            await world.close()
            raise
        return world

    async def close(self) -> None:
        """Destroy it."""
        await self.leased.close()

    async def gold(self, script: Script, parameters: list[str]) -> Result:
        """Run a gold script as the agent would type it, so that it sees as many processes as the agent does."""
        if script.language != "bash" or _EXIT.search(script.code):
            return await self.check(script, parameters)
        typed = f"set -- {shlex.join(parameters)}\n{{\n{script.code}\n}} 2>/dev/null"
        return await self.shell.run(typed, timeout=INIT_SECONDS)

    async def check(self, script: Script, parameters: list[str]) -> Result:
        """Run a script in a process of its own: no start-up file, no variable and no working folder of the agent's."""
        argv = await _program(self.sandbox, script)
        return await self.sandbox.run(
            [*argv, *parameters], timeout=INIT_SECONDS, environment=ENVIRONMENT, workdir=self.spec.workdir
        )


def pool_spec(image: str = "default", workdir: str = "/root", layers: tuple[Path, ...] = ()) -> PoolSpec:
    """The machine before `init`, its shell open; with layers of an episode it is of use to that one alone."""
    made = Image(name=image_name(image), layers=layers, user="root", workdir=workdir, environment=ENVIRONMENT)
    if layers:
        return PoolSpec("operating_system", made, LIMITS, ready=0)
    return PoolSpec("operating_system", made, LIMITS, ready=1, prepare=_prepare)


def image_name(name: str) -> str:
    """The sandbox image for a problem's `image`."""
    return "host" if name in OWN_IMAGES else name


async def _prepare(sandbox: Sandbox) -> Shell:
    """The shell, which holds an empty log of `init` that has no name any more: to make and remove it in an opening
    would cost as much as most scripts do."""
    shell = await sandbox.shell()
    result = await shell.run(f"exec {LOG_FD}<>{LOG} && /bin/rm {LOG}")
    if result.status != 0:
        raise SandboxError(f"the log of init was not made: {result.text}")
    return shell


async def initialise(sandbox: Sandbox, shell: Shell, spec: OperatingSystemSpec, seed: int) -> None:
    """Run `init` in processes of its own, below the agent's shell: what it starts lives on, and no shell is left.

    Once: the shell's log is closed at the end.
    """
    drawn = any(_DEVICE.search(script.code) for script in spec.init)
    if drawn:
        await sandbox.write_file(ENTROPY, random.Random(seed).randbytes(ENTROPY_BYTES), user="root")
    close = f"exec {LOG_FD}>&-" + (f"; /bin/rm -f {ENTROPY}" if drawn else "")
    if not spec.init:
        await shell.run(close)
    for number, script in enumerate(spec.init):
        command = f"{await _command(sandbox, script, seed + number)} >&{LOG_FD} 2>&1 {LOG_FD}>&-"
        if script is spec.init[-1]:
            # No "&&" and no "if": behind those a script's own `set -e` does nothing.
            command += f"\ncase $? in 0) {close} ;; *) (exit $?) ;; esac"
        result = await shell.run(command, timeout=INIT_SECONDS)
        if result.timed_out:
            raise InfrastructureError(f"init script {number} took longer than {INIT_SECONDS:.0f} s")
        if result.status != 0:
            told = await shell.run(f"tail -c 500 /proc/self/fd/{LOG_FD}")
            log = "it ended the shell above it" if result.restarted else told.text
            raise SpecError(f"init script {number} ended with status {result.status}: {log}")


async def _command(sandbox: Sandbox, script: Script, seed: int) -> str:
    """What the shell is told to run a script of `init`, its output not yet redirected.

    Of bash a copy of the shell: another would be started for longer than most scripts run. It lets go of the pipes
    that the shell keeps (10 and 11) while it lends its standard input: in what a script leaves running they would
    outlive it.
    """
    if script.language == "bash":
        return f"( exec 10>&- 11>&-; eval {shlex.quote(_seeded(script.code, seed))} )"
    return shlex.join(await _program(sandbox, script))


def kept(spec: OperatingSystemSpec) -> bool:
    """Whether golds need the very files of the beginning: their times are read, or `init` may draw lots, of which the
    seed reaches most, but not those of a subshell. Others run where `init` ran again, which also starts its processes
    and leaves folders of the same sizes (below a layer they have others)."""
    return spec.times or any(_LOTS.search(script.code) for script in spec.init)


def _seeded(code: str, seed: int) -> str:
    """The same script every time: the shell's RANDOM starts from the seed and random devices are a file of it."""
    return f"RANDOM={seed % 32768}\n{_DEVICE.sub(ENTROPY, code)}"


async def _program(sandbox: Sandbox, script: Script) -> list[str]:
    """The command that runs a script, parameters to be appended."""
    if script.language == "bash":
        return ["bash", "--noprofile", "--norc", "-c", script.code, "bash"]
    if script.language == "python":
        return ["python3", "-I", "-c", script.code]
    compiler, suffix = _COMPILERS[script.language]
    source, program = f"/var/tmp/.program{suffix}", "/var/tmp/.program"  # noqa: S108 - inside the sandbox
    await sandbox.write_file(source, script.code.encode(), user="root")
    built = await sandbox.run([compiler, source, "-o", program], timeout=INIT_SECONDS, environment=ENVIRONMENT)
    if built.status != 0:
        raise SpecError(f"{compiler} ended with status {built.status}: {built.stderr.decode(errors='replace')[-500:]}")
    return [program]
