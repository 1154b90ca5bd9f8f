"""A Dockerfile as preparation of a machine that has an image already: what it copies, runs and sets, in its order."""

import base64
import gzip
import io
import json
import re
import shlex
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

NETWORK = re.compile(
    r"(?:^|[;&|(\s])(?:(?:apt|apt-get|apk|yum|dnf|conda|mamba|gem|cargo|go|npm|yarn|pnpm|pip3?|uv(?:\s+pip)?|uvx)\s+"
    r"(?:-\S+\s+)*(?:add|update|upgrade|install|sync|get|ci|-p|-w|run)\b|git\s+clone|(?:curl|wget)\s+\S|uvx\s)"
)
_ARGUMENT = 96_000
"""Characters of a script: one argument of a program has at most 128 KiB."""
_INSTRUCTION = re.compile(r"^\s*([A-Za-z]+)\s+(.*)$", re.DOTALL)
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)([A-Za-z_][A-Za-z0-9_]*)\1")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_SILENT = {"LABEL", "MAINTAINER", "EXPOSE", "STOPSIGNAL", "VOLUME"}
_IDLE = re.compile(r"\b(?:bash|sh|sleep|tail)\b")


class DockerfileError(ValueError):
    """Something that no machine of ours can be prepared by; `kind` is one word for counting."""

    def __init__(self, kind: str, cause: str) -> None:
        super().__init__(cause)
        self.kind = kind


@dataclass
class Prepared:
    """What prepares the machine: `scripts` in order, `variables` and `workdir` at the end, what was left out."""

    base: str = ""
    scripts: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    left: list[str] = field(default_factory=list)


def prepared(folder: Path, *, built: bool) -> Prepared:
    """What `folder/Dockerfile` does. `built`: what it fetches is in the image already, and those lines are left out.

    Raises DockerfileError.
    """
    made = Prepared()
    arguments: dict[str, str] = {}
    for number, name, rest in instructions((folder / "Dockerfile").read_text(encoding="utf-8")):
        where = f"Dockerfile:{number}"
        known = arguments | made.variables
        if name == "FROM":
            _from(made, _filled(rest, known), where)
        elif name == "ARG":
            key, _, value = rest.partition("=")
            arguments[key.strip()] = _filled(_bare(value), known)
        elif name == "ENV":
            made.variables |= _pairs(_filled(rest, known))
        elif name == "WORKDIR":
            made.workdir = str(PurePosixPath(made.workdir) / _filled(_bare(rest), known))
            made.scripts.append(f"mkdir -p {shlex.quote(made.workdir)}")
        elif name == "RUN":
            _run(made, rest, known, where, built=built)
        elif name in ("COPY", "ADD"):
            made.scripts += list(_copied(folder, _filled(rest, known), made.workdir, where))
        elif name in ("CMD", "ENTRYPOINT"):
            made.left += [] if _IDLE.search(rest) else [f"{where}: {name} {rest[:80]}"]
        elif name not in _SILENT:
            made.left.append(f"{where}: {name} {rest[:80]}")
    return made


def instructions(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, name and arguments of each instruction; continued lines are joined, here-documents kept whole."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        first, line = at, lines[at]
        at += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        while line.rstrip().endswith("\\") and at < len(lines):
            following = lines[at]
            at += 1
            if not following.lstrip().startswith("#"):
                line = line.rstrip()[:-1] + "\n" + following
        if (found := _INSTRUCTION.match(line.strip())) is None:
            raise DockerfileError("format", f"Dockerfile:{first + 1}: '{line.strip()[:60]}' is no instruction")
        body = found[2]
        for heredoc in _HEREDOC.finditer(found[2]) if found[1].upper() in ("RUN", "COPY", "ADD") else ():
            while at < len(lines):
                body += "\n" + lines[at]
                at += 1
                if lines[at - 1].strip() == heredoc[2]:
                    break
        yield first + 1, found[1].upper(), body


def unpacking(files: Sequence[tuple[str, bytes, int]], target: str) -> str:
    """A command that writes files (name, content, mode) below `target`. The same files give the same command."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
    packed = base64.b64encode(gzip.compress(raw.getvalue(), mtime=0)).decode()
    return f"mkdir -p {shlex.quote(target)} && echo {packed} | base64 -d | tar -xzf - -C {shlex.quote(target)}"


def files_below(folder: Path) -> list[tuple[str, bytes, int]]:
    """The files of a folder by their names below it. Raises DockerfileError for links, which may lead out of it."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise DockerfileError("files", f"{path.name} is a link; put the file itself there")
        if path.is_file():
            found.append((path.relative_to(folder).as_posix(), path.read_bytes(), path.stat().st_mode & 0o777))
    return found


def checked(script: str, what: str) -> str:
    """The script. Raises DockerfileError where it is longer than a program's argument may be."""
    if len(script) > _ARGUMENT:
        raise DockerfileError("size", f"{what}: {len(script)} characters as a script, {_ARGUMENT} are the limit")
    return script


def exports(variables: dict[str, str]) -> str:
    """Lines that set variables."""
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())


def _from(made: Prepared, rest: str, where: str) -> None:
    if made.base:
        raise DockerfileError("stages", f"{where}: it is built in several stages")
    made.base = next((word for word in rest.split() if not word.startswith("--")), "")


def _run(made: Prepared, rest: str, known: dict[str, str], where: str, *, built: bool) -> None:
    code = rest
    while code.lstrip().startswith("--"):
        code = code.lstrip().partition(" ")[2]
    if code.lstrip().startswith("["):
        code = shlex.join(json.loads(code))
    elif (heredoc := _HEREDOC.match(code.strip())) is not None:
        code = "\n".join(code.strip().splitlines()[1:-1])
        del heredoc
    else:
        code = code.replace("\n", " ")
    if NETWORK.search(code):
        if not built:
            raise DockerfileError(
                "network", f"{where} fetches something, and sandboxes have no network: build an image and name it"
            )
        made.left.append(f"{where}: taken to be in the image: {' '.join(code.split())[:80]}")
        return
    script = f"set -e\n{exports(known)}cd {shlex.quote(made.workdir)}\n{code}"
    made.scripts.append(checked(script, where))


def _copied(folder: Path, rest: str, workdir: str, where: str) -> Iterator[str]:
    words = json.loads(rest) if rest.lstrip().startswith("[") else shlex.split(rest)
    flags = dict(word[2:].partition("=")[::2] for word in words if word.startswith("--"))
    names = [word for word in words if not word.startswith("--")]
    if "from" in flags or len(names) < 2 or any(re.match(r"https?://|git@|<<", name) for name in names):
        raise DockerfileError("copy", f"{where}: only files beside the Dockerfile can be copied")
    *sources, target = names
    for source in sources:
        target_path = str(PurePosixPath(workdir) / target)
        for path in _matching(folder, source, where):
            yield from _copy(path, target, target_path, where, several=len(sources) > 1)
    settings = {"chown": "chown -R", "chmod": "chmod -R"}
    for name, command in settings.items():
        if flags.get(name):
            yield f"{command} {shlex.quote(flags[name])} {shlex.quote(str(PurePosixPath(workdir) / target))}"


def _matching(folder: Path, pattern: str, where: str) -> list[Path]:
    name = pattern.lstrip("/")
    found = [folder] if name in ("", ".", "./") else sorted(folder.glob(name))
    if not found or any(not path.resolve().is_relative_to(folder.resolve()) for path in found):
        raise DockerfileError("copy", f"{where}: there is no '{pattern}' beside the Dockerfile")
    return found


def _copy(path: Path, target: str, target_path: str, where: str, *, several: bool) -> Iterator[str]:
    if path.is_dir():
        files = [one for one in files_below(path) if one[0] not in ("Dockerfile", ".dockerignore")]
        into = target_path
    else:
        below = several or target.endswith("/") or target in (".", "./")
        place = PurePosixPath(target_path) / path.name if below else PurePosixPath(target_path)
        files = [(place.name, path.read_bytes(), path.stat().st_mode & 0o777)]
        into = str(place.parent)
    group: list[tuple[str, bytes, int]] = []
    for one in files:
        if group and len(unpacking([*group, one], into)) > _ARGUMENT:
            yield unpacking(group, into)
            group = []
        group.append(one)
        checked(unpacking(group, into), f"{where}: {one[0]}")
    if group:
        yield unpacking(group, into)


def _filled(text: str, known: dict[str, str]) -> str:
    return _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), text)


def _bare(text: str) -> str:
    return " ".join(shlex.split(text)) if text.strip() else ""


def _pairs(text: str) -> dict[str, str]:
    words = shlex.split(text)
    if words and "=" not in words[0]:
        return {words[0]: " ".join(words[1:])}
    return dict(word.partition("=")[::2] for word in words if "=" in word)
