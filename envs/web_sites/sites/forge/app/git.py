"""Git without files: objects and branches are rows of the session's database, and nothing of a repository is ever run.

Objects are those that git writes, made by dulwich: trees, blobs and commits under their own numbers.
"""

import difflib
import re
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dulwich.diff_tree import tree_changes
from dulwich.merge import three_way_merge
from dulwich.object_store import BaseObjectStore
from dulwich.objects import Blob, Commit, ShaFile, Tree
from small_site import not_found, wrong

FILE, FOLDER = 0o100644, 0o040000
NAME = re.compile(r"[\w+@-][\w.+@ -]{0,99}|\.[\w-][\w.-]{0,98}")
BRANCH = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
LONGEST_FILE = 100_000


class Objects(BaseObjectStore):
    """The objects of all repositories of a session."""

    def __init__(self, database: sqlite3.Connection) -> None:
        super().__init__()
        self._database = database

    def contains_loose(self, sha: Any) -> bool:
        """Whether the object is here."""
        return self._row(sha) is not None

    def contains_packed(self, sha: Any) -> bool:
        """Nothing is packed."""
        del sha
        return False

    @property
    def packs(self) -> list[Any]:
        """There are none."""
        return []

    def __iter__(self) -> Iterator[Any]:
        """The numbers of all objects."""
        return (row["sha"].encode() for row in self._database.execute("select sha from git_object"))

    def get_raw(self, name: Any) -> tuple[int, bytes]:
        """The kind and the content of an object. Raises KeyError."""
        row = self._row(name)
        if row is None:
            raise KeyError(name)
        return row["kind"], bytes(row["data"])

    def add_object(self, obj: ShaFile) -> None:
        """Keep an object."""
        values = (obj.id.decode(), obj.type_num, obj.as_raw_string())
        self._database.execute("insert or ignore into git_object (sha, kind, data) values (?, ?, ?)", values)

    def add_objects(self, objects: Iterable[Any], progress: Any = None) -> None:
        """Keep several objects."""
        del progress
        for obj, _ in objects:
            self.add_object(obj)

    def _row(self, sha: Any) -> Any:
        text = sha.hex() if len(sha) == 20 else sha.decode()
        return self._database.execute("select kind, data from git_object where sha = ?", (text,)).fetchone()


@dataclass(frozen=True)
class Change:
    """A file that differs between two trees, and how: lines with their sign."""

    path: str
    what: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Author:
    """Who wrote a commit, and when in seconds since 1970."""

    name: str
    mail: str
    seconds: int


class Repository:
    """One repository's branches and history."""

    def __init__(self, database: sqlite3.Connection, number: int) -> None:
        self.database = database
        self.number = number
        self.objects = Objects(database)

    def branches(self) -> dict[str, str]:
        """The commit of each branch, by name."""
        sql = "select name, sha from branch where repository_id = ? order by name"
        return {row["name"]: row["sha"] for row in self.database.execute(sql, (self.number,))}

    def head(self, branch: str) -> str:
        """The last commit of a branch. Raises RefusedError."""
        found = self.branches().get(branch)
        if found is None:
            raise not_found("branch")
        return found

    def move(self, branch: str, sha: str) -> None:
        """Set a branch to a commit, and make it if it is new. Raises RefusedError for a name that none can have."""
        if not BRANCH.fullmatch(branch) or ".." in branch or branch.endswith((".", ".lock")):
            raise wrong("Branch names have small letters, digits, dots and hyphens.")
        changed = self.database.execute(
            "update branch set sha = ? where repository_id = ? and name = ?", (sha, self.number, branch)
        )
        if not changed.rowcount:
            values = (self.number, branch, sha)
            self.database.execute("insert into branch (repository_id, name, sha) values (?, ?, ?)", values)

    def commit(self, sha: str) -> Any:
        """A commit. Raises RefusedError where there is none."""
        try:
            found = self.objects[sha.encode()]
        except (KeyError, ValueError, AssertionError):
            found = None
        if not isinstance(found, Commit):
            raise not_found("commit")
        return found

    def history(self, sha: str) -> list[Any]:
        """A commit and all before it, the newest first."""
        found: dict[bytes, Any] = {}
        todo = deque([sha.encode()])
        while todo:
            one = todo.popleft()
            if one not in found:
                found[one] = self.commit(one.decode())
                todo += found[one].parents
        # Of the same moment: as they were found, what comes after before what comes first.
        return sorted(found.values(), key=lambda one: -one.commit_time)

    def files(self, sha: str) -> dict[str, bytes]:
        """The number of the blob of each file of a commit, by path."""
        entries = self.objects.iter_tree_contents(self.commit(sha).tree)
        return {entry.path.decode("utf-8", "replace"): entry.sha for entry in entries}

    def read(self, sha: str, path: str) -> str:
        """A file's text. Raises RefusedError."""
        found = self.files(sha).get(path)
        if found is None:
            raise not_found("file")
        return str(self.objects[found].data.decode("utf-8", "replace"))

    def write(self, branch: str, files: dict[str, str | None], message: str, author: Author) -> str:
        """Commit texts by path on a branch (None deletes a file), and give the commit's number."""
        parent = self.branches().get(branch)
        kept = self.files(parent) if parent else {}
        for path, text in files.items():
            check_path(path)
            if text is None:
                kept.pop(path)
            else:
                blob = Blob.from_string(text.encode())
                self.objects.add_object(blob)
                kept[path] = blob.id
        parts = [path.rsplit("/", number)[0] for path in kept for number in range(1, path.count("/") + 1)]
        if clash := set(parts) & set(kept):
            raise wrong(f"{min(clash)} is a file and cannot be a folder too.")
        tree = self._tree(kept)
        sha = self._commit(tree, [parent] if parent else [], message, author)
        self.move(branch, sha)
        return sha

    def _tree(self, files: dict[str, bytes]) -> bytes:
        tree, inner = Tree(), dict[str, dict[str, bytes]]()
        for path, sha in files.items():
            first, _, rest = path.partition("/")
            if rest:
                inner.setdefault(first, {})[rest] = sha
            else:
                tree.add(first.encode(), FILE, sha)
        for name, below in inner.items():
            tree.add(name.encode(), FOLDER, self._tree(below))
        self.objects.add_object(tree)
        return bytes(tree.id)

    def _commit(self, tree: bytes, parents: list[str], message: str, author: Author) -> str:
        made = Commit()
        made.tree = tree
        made.parents = [one.encode() for one in parents]
        made.author = made.committer = f"{author.name} <{author.mail}>".encode()
        made.author_time = made.commit_time = author.seconds
        made.author_timezone = made.commit_timezone = 0
        made.encoding = b"UTF-8"
        made.message = message.strip().encode() + b"\n"
        self.objects.add_object(made)
        return str(made.id.decode())

    def base(self, one: str, other: str) -> str:
        """The last commit that both have behind them. Raises RefusedError where there is none."""
        theirs = {commit.id for commit in self.history(other)}
        shared = [commit for commit in self.history(one) if commit.id in theirs]
        before = {parent for commit in shared for parent in commit.parents}
        last = [commit for commit in shared if commit.id not in before]
        if not last:
            raise wrong("These branches have nothing in common.")
        return str(last[0].id.decode())

    def conflicts(self, source: str, target: str) -> list[str]:
        """Files that a merge of two branches cannot decide on."""
        return self._merged(self.head(source), self.head(target))[1]

    def _merged(self, source: str, target: str) -> tuple[Any, list[str]]:
        ours, theirs, base = self.commit(target), self.commit(source), self.commit(self.base(target, source))
        tree, conflicts = three_way_merge(self.objects, base, ours, theirs)
        return tree, sorted(path.decode("utf-8", "replace") for path in conflicts)

    def merge(self, source: str, target: str, message: str, author: Author) -> str:
        """Merge a branch into another one, with a commit that has both behind it. Raises RefusedError for conflicts."""
        theirs, ours = self.head(source), self.head(target)
        tree, conflicts = self._merged(theirs, ours)
        if conflicts:
            raise wrong(f"Both branches have changed {', '.join(conflicts)}; this cannot be merged.")
        self.objects.add_object(tree)
        sha = self._commit(tree.id, [ours, theirs], message, author)
        self.move(target, sha)
        return sha

    def ahead(self, source: str, target: str) -> list[Any]:
        """Commits of a branch that another one does not have."""
        has = {commit.id for commit in self.history(self.head(target))}
        return [commit for commit in self.history(self.head(source)) if commit.id not in has]

    def changes(self, before: str | None, after: str) -> list[Change]:
        """What differs between two commits."""
        old = self.commit(before).tree if before else None
        found = []
        for change in tree_changes(self.objects, old, self.commit(after).tree):
            path = (change.new or change.old).path or change.old.path
            old_lines, new_lines = self._lines(change.old), self._lines(change.new)
            lines = list(difflib.unified_diff(old_lines, new_lines, lineterm="", n=3))[2:]
            found.append(Change(path.decode("utf-8", "replace"), change.type, tuple(lines)))
        return found

    def _lines(self, entry: Any) -> list[str]:
        if not entry or not entry.sha:
            return []
        return str(self.objects[entry.sha].data.decode("utf-8", "replace")).splitlines()


def check_path(path: str) -> None:
    """Raises RefusedError for a path that no file of a repository may have."""
    parts = path.split("/")
    reserved = any(re.fullmatch(r"\.git|git~\d+", part, re.IGNORECASE) for part in parts)
    if reserved or len(path) > 200 or not all(NAME.fullmatch(part) and part == part.strip() for part in parts):
        raise wrong("This is no path of a file: names have letters, digits, dots and hyphens, with / between them.")
