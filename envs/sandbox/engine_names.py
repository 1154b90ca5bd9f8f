"""Names that the Docker backend shares with what must not import the Docker SDK."""

# What stands for Image(name="host") where there is an engine: `make images` builds it.
HOST_IMAGE = "heldout/task"
# Folders a task may write to; the rest of a Docker sandbox's root is read-only.
WRITABLE: dict[str, tuple[str, ...]] = {
    "agent": ("/tmp", "/work", "/home", "/run", "/var/tmp"),  # noqa: S108 - inside
    "root": ("/tmp", "/work", "/home", "/run", "/root", "/etc", "/var", "/opt", "/srv", "/usr/local"),  # noqa: S108
}
# Where a sandbox sees the folder in which it meets the service.
MEETING = "/run/heldout"
# Root file systems of strangers, each for as long as it is run.
FOREIGN = "heldout/foreign"
# The engine mounts files of its own there.
BOUND = ("etc/hostname", "etc/hosts", "etc/resolv.conf")
