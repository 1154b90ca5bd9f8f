"""Root file systems for bubblewrap: the machine's own /usr with a small /etc of ours, or an unpacked image."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from envs.sandbox.base import BackendUnavailableError, Image, SandboxError

HOST = "host"
SKELETON = "host-3"
_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_FOLDERS = (
    "dev",
    "proc",
    "sys",
    "run",
    "tmp",
    "usr",
    "work",
    "root",
    "home/agent",
    "opt",
    "srv",
    "mnt",
    "media",
    "var/tmp",
    "var/log",
    "var/lib",
    "var/cache",
    "var/spool",
    "var/mail",
    "boot",
    "etc/skel",
)
# What programs under /usr need from /etc and that tells nothing about the machine.
_COPIED = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "login.defs",
    "adduser.conf",
    "deluser.conf",
    "pam.d",
    "pam.conf",
    "security",
    "default/useradd",
    "debian_version",
    "inputrc",
    "bash.bashrc",
    "profile",
    "services",
    "protocols",
    "mime.types",
    "magic",
    "java-17-openjdk",
    "perl",
)
_WRITTEN = {
    "passwd": "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\nagent:x:1000:1000::/home/agent:/bin/bash\n",
    "group": "root:x:0:\ndaemon:x:1:\nadm:x:4:\ntty:x:5:\nmail:x:8:\nsudo:x:27:\nshadow:x:42:\nstaff:x:50:\n"
    "users:x:100:\nnogroup:x:65534:\nagent:x:1000:\n",
    "shadow": "root:*:19700:0:99999:7:::\nnobody:*:19700:0:99999:7:::\nagent:!:19700:0:99999:7:::\n",
    "gshadow": "root:*::\nagent:!::\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "hostname": "sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nshadow: files\nhosts: files\n",
    "shells": "/bin/sh\n/bin/bash\n",
}


def trees(image: Image, images: Path, runtime: Path) -> list[tuple[str, list[str]]]:
    """The overlays of an image: (folder below the root, read-only layers with the lowest first).

    Raises SandboxError for an image that is not there, BackendUnavailableError when /usr cannot be used.
    """
    layers = [layer.resolve() for layer in image.layers]
    for layer in layers:
        if not (layer / "root").is_dir():
            raise SandboxError(f"layer {layer} is not a snapshot: it has no folder 'root'")
    if image.name == HOST:
        found = [("", [str(host_skeleton(runtime))]), ("usr", ["/usr"])]
    else:
        root = _folder(image.name, images) / "rootfs"
        if not (root / "usr").is_dir():
            raise SandboxError(f"no image '{image.name}' in {images}; build it with 'make images', or use '{HOST}'")
        found = [("", [str(root)])]
    for place, lowers in found:
        name = place or "root"
        lowers += [str(layer / name) for layer in layers if (layer / name).is_dir()]
    return found


def built_images() -> Path:
    """Where `make images` puts root file systems: HELDOUT_IMAGES, or a folder of the working folder."""
    return Path(os.environ.get("HELDOUT_IMAGES") or ".heldout/images").absolute()


def _folder(name: str, images: Path) -> Path:
    return images / name.replace("/", "_").replace(":", "_")


def digest(name: str, images: Path) -> str:
    """The digest of the archive that an image's root file system was unpacked from. Raises SandboxError."""
    try:
        lines = (_folder(name, images) / "digests").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("rootfs sha256:"):
            return line
    raise SandboxError(f"no digest of an image '{name}' in {images}; build it with 'make images'")


def host_skeleton(runtime: Path) -> Path:
    """The root folder around the machine's /usr, made once. BackendUnavailableError where /bin is not in /usr."""
    final = runtime / SKELETON
    if final.is_dir():
        return final
    runtime.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f"{SKELETON}.", dir=runtime))
    made.chmod(0o755)
    for folder in _FOLDERS:
        (made / folder).mkdir(parents=True, exist_ok=True)
    (made / "tmp").chmod(0o1777)
    (made / "var/tmp").chmod(0o1777)
    for name in _LINKS:
        host = Path("/", name)
        if host.is_symlink():
            (made / name).symlink_to(host.readlink().as_posix().lstrip("/"))
        elif host.is_dir():
            raise BackendUnavailableError(f"/{name} is not a link into /usr on this machine: build an image instead")
    _fill_etc(made / "etc")
    # A machine has logs; tasks count and measure them.
    for name, text in (("dpkg.log", "startup archives unpack\n"), ("wtmp", ""), ("btmp", ""), ("lastlog", "")):
        (made / "var/log" / name).write_text(text)
    if os.geteuid() == 0:
        for name in ("work", "home/agent"):
            os.chown(made / name, 1000, 1000)
    with suppress(OSError):
        made.rename(final)
    if made.is_dir():
        shutil.rmtree(made)
    return final


def _fill_etc(etc: Path) -> None:
    for name in _COPIED:
        source = Path("/etc", name)
        target = etc / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError, shutil.Error):
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True)
            elif source.is_file():
                shutil.copyfile(source, target)
    for name, text in _WRITTEN.items():
        (etc / name).write_text(text)
    # The distribution's own accounts, where it ships the list: tasks name groups such as "bin" and "sys".
    for name, entry in (("passwd", "agent:x:1000:1000::/home/agent:/bin/bash\n"), ("group", "agent:x:1000:\n")):
        with suppress(OSError):
            master = Path(f"/usr/share/base-passwd/{name}.master").read_text().replace(":*:", ":x:", -1)
            (etc / name).write_text(master + entry)
    for name in ("shadow", "gshadow"):
        (etc / name).chmod(0o640)
