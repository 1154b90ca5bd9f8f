"""Sandboxes from Docker Engine, with flags and a system-call filter of our own; gVisor where it is asked for.

The root is read-only; what a task may write to are size-capped tmpfs folders filled from the image. The container's
process 1 reads a pipe that the service holds: when the service dies, the container ends and removes itself.
"""

import asyncio
import contextlib
import io
import os
import re
import tarfile
import uuid
from pathlib import Path
from typing import Any, Self

import docker
from docker.errors import DockerException
from docker.types import LogConfig, Mount, Ulimit

from envs.sandbox.base import MIB, BackendUnavailableError, Image, Limits, SandboxError, Traits
from envs.sandbox.engine_exec import call
from envs.sandbox.engine_foreign import ForeignImages
from envs.sandbox.engine_names import BOUND, HOST_IMAGE, MEETING, WRITABLE
from envs.sandbox.engine_sandbox import DockerSandbox
from envs.sandbox.seccomp import docker_profile

LABEL = "heldout.sandbox"
MAIN = ["bash", "--noprofile", "--norc", "-c", "read -r _"]
# For uid 0 inside, who fills the folders; under no_new_privs the agent's own id can never come to hold them.
ROOT_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"]
GVISOR_WEAK = ("memory is capped with gVisor's own on top, and the number of files is not capped",)
GVISOR = (256, 96 * MIB)
FOLDER_WISE = "capped for each folder by itself, and all together by the memory limit"
NOT_REMAPPED = "root inside is the machine's uid 0, without its rights: turn on the engine's userns-remap"
NOT_ROOT = "without root here, files are read by a command inside and a command that hangs ends its sandbox"


class DockerBackend:
    """Makes sandboxes with Docker Engine. `runtime` is "runsc" for gVisor; `url` defaults to DOCKER_HOST."""

    def __init__(self, client: Any, *, runtime: str | None = None, base: int = 0) -> None:
        self._client, self._runtime, self._base = client, runtime, base
        self._profile = docker_profile()
        self._seeds: dict[tuple[str, str], bytes] = {}
        self._alive: set[DockerSandbox] = set()
        self.foreign = ForeignImages(client)

    @classmethod
    async def open(cls, *, runtime: str | None = None, url: str | None = None) -> Self:
        """Connect. Raises BackendUnavailableError when no engine answers or it has not that runtime."""
        where = url or os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
        try:
            client = await asyncio.to_thread(
                docker.DockerClient,
                base_url=where,
                timeout=120,
                max_pool_size=64,
            )
            info = await asyncio.to_thread(client.info)
        except (DockerException, OSError) as error:
            raise BackendUnavailableError(f"no Docker Engine answers at {where}") from error
        if runtime and runtime not in info.get("Runtimes", {}):
            await asyncio.to_thread(client.close)
            raise BackendUnavailableError(f"Docker Engine has no runtime '{runtime}'")
        # An engine with userns-remap keeps its data in a folder named after the first id it maps to.
        shifted = re.search(r"/(\d+)\.\d+$", info.get("DockerRootDir", ""))
        return cls(client, runtime=runtime, base=int(shifted[1]) if shifted else 0)

    @property
    def traits(self) -> Traits:
        """What it is and where it is weaker."""
        weak: tuple[str, ...] = () if self._base or self._runtime else (NOT_REMAPPED,)
        weak += () if os.geteuid() == 0 else (NOT_ROOT,)
        if self._runtime == "runsc":
            return Traits("docker-runsc", "gvisor", (*weak, *GVISOR_WEAK), {"disk": FOLDER_WISE})
        return Traits("docker", "shared", weak, {"disk": FOLDER_WISE})

    async def has_image(self, name: str) -> bool:
        """Whether the engine has an image."""
        try:
            await call(self._client.images.get, _resolve(name))
        except SandboxError:
            return False
        return True

    async def digest(self, name: str) -> str:
        """The engine's own id of an image, which is a digest of its content. Raises SandboxError."""
        return f"docker {(await call(self._client.images.get, _resolve(name))).id}"

    async def start(self, image: Image, limits: Limits) -> DockerSandbox:
        """See the protocol."""
        sandbox = DockerSandbox(self._client.api, self, image, limits, _traced(self._runtime))
        await sandbox.begin()
        self._alive.add(sandbox)
        return sandbox

    async def create(self, image: Image, limits: Limits) -> str:
        """Create a container, not yet started; its id. Raises SandboxError."""
        api = self._client.api
        folders = WRITABLE[image.user]
        options = f"size={limits.disk},nr_inodes={limits.files},nosuid,nodev"
        # gVisor's kernel is a process of the machine's: its threads and its memory come on top.
        threads, memory = GVISOR if self._runtime else (0, 0)
        memory += limits.memory
        config = api.create_host_config(
            network_mode="none",
            cap_drop=["ALL"],
            cap_add=_capabilities(image.user, self._runtime),
            security_opt=["no-new-privileges", f"seccomp={self._profile}"],
            read_only=True,
            mounts=[Mount(MEETING, str(image.meeting), type="bind", read_only=True)] if image.meeting else [],
            tmpfs={folder: f"{options},exec,mode={_mode(folder)}" for folder in folders},
            pids_limit=limits.processes + threads,
            mem_limit=memory,
            memswap_limit=memory,
            nano_cpus=int(limits.cpus * 1e9),
            shm_size=limits.disk,
            ipc_mode="private",
            init=True,
            ulimits=[
                Ulimit(name="nofile", soft=limits.open_files, hard=limits.open_files),
                Ulimit(name="core", soft=0, hard=0),
            ],
            log_config=LogConfig(type="none"),
            oom_score_adj=500,
            auto_remove=True,
            runtime=self._runtime,
            # gVisor has user ids of its own, and does not start under the engine's
            userns_mode="host" if self._runtime else None,
        )
        made = await call(
            api.create_container,
            _resolve(image.name),
            MAIN,
            user="0:0",
            stdin_open=True,
            detach=False,
            host_config=config,
            network_disabled=True,
            working_dir="/",
            name=f"heldout-{uuid.uuid4().hex[:16]}",
            labels={LABEL: str(os.getpid())},
            entrypoint=[],
        )
        return str(made["Id"])

    async def seed(self, container: str, image: Image) -> bytes:
        """What the image has in the writable folders, as one tar; asked once for each image."""
        key = (_resolve(image.name), image.user)
        if key not in self._seeds:
            self._seeds[key] = await asyncio.to_thread(self._read_seed, container, image.user)
        return self._seeds[key]

    def _read_seed(self, container: str, user: str) -> bytes:
        """Empty where there is nothing but the folders, as an image of a stranger's may have no tar to unpack with."""
        out, files = io.BytesIO(), 0
        with tarfile.open(fileobj=out, mode="w") as target:
            for folder in WRITABLE[user]:
                try:
                    stream, _ = self._client.api.get_archive(container, folder)
                    archive = io.BytesIO(b"".join(stream))
                except docker.errors.NotFound:
                    continue
                with tarfile.open(fileobj=archive) as source:
                    for member in source:
                        inside = f"{folder.rsplit('/', 1)[0]}/{member.name}".lstrip("/")
                        if member.name in BOUND or f"{inside}/".startswith(f"{MEETING[1:]}/"):
                            continue
                        files += "/" in member.name.strip("/")
                        member.uid, member.gid = self._inside(member.uid), self._inside(member.gid)
                        member.name = inside
                        if member.islnk():
                            member.linkname = f"{folder.rsplit('/', 1)[0]}/{member.linkname}".lstrip("/")
                        target.addfile(member, source.extractfile(member) if member.isreg() else None)
        return out.getvalue() if files else b""

    def _inside(self, owner: int) -> int:
        return owner - self._base if owner >= self._base else owner

    def forget(self, sandbox: DockerSandbox) -> None:
        """A sandbox is being destroyed."""
        self._alive.discard(sandbox)

    async def close(self) -> None:
        """See the protocol."""
        for sandbox in list(self._alive):
            with contextlib.suppress(SandboxError):
                await sandbox.destroy()
        await self.foreign.drop()
        await asyncio.to_thread(self._client.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def _resolve(name: str) -> str:
    return HOST_IMAGE if name == "host" else name


def _capabilities(user: str, runtime: str | None) -> list[str]:
    """gVisor leaves the agent's own id what the container has: there it gets nothing to become root with."""
    kept = ROOT_CAPABILITIES
    return [name for name in kept if not (runtime and user == "agent" and name in ("SETUID", "SETGID"))]


def _mode(folder: str) -> str:
    return "1777" if folder.endswith(("tmp", "/work")) else "755"


def _traced(runtime: str | None) -> bool:
    """Whether a container's processes are the machine's, to be seen and signalled from here."""
    return runtime is None and os.geteuid() == 0 and Path("/proc").is_dir()
