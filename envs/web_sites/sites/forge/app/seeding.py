"""The forge's content: people, repositories with their history, issues and merge requests."""

import datetime
import random
import sqlite3
from dataclasses import dataclass, field

from small_site import opened

from . import words
from .git import Author, Repository

NOW = datetime.datetime(2026, 1, 15, 12, tzinfo=datetime.UTC)
SCHEMA = """
create table person (id integer primary key autoincrement, username text not null unique, name text not null,
  email text not null, bio text not null, location text not null);
create table repository (id integer primary key autoincrement, owner_id integer not null, name text not null,
  description text not null, visibility text not null, default_branch text not null, created text not null,
  unique (owner_id, name));
create table member (id integer primary key autoincrement, repository_id integer not null, person_id integer not null,
  role text not null, unique (repository_id, person_id));
create table star (id integer primary key autoincrement, repository_id integer not null, person_id integer not null);
create table branch (id integer primary key autoincrement, repository_id integer not null, name text not null,
  sha text not null, unique (repository_id, name));
create table git_object (sha text primary key, kind integer not null, data blob not null);
create table commit_log (id integer primary key autoincrement, repository_id integer not null, sha text not null,
  branch text not null, person_id integer not null, message text not null, created text not null);
create table file_change (id integer primary key autoincrement, commit_id integer not null, what text not null,
  path text not null, text text not null);
create table label (id integer primary key autoincrement, repository_id integer not null, name text not null,
  colour text not null);
create table milestone (id integer primary key autoincrement, repository_id integer not null, title text not null,
  due text not null);
create table issue (id integer primary key autoincrement, repository_id integer not null, number integer not null,
  title text not null, body text not null, author_id integer not null, assignee_id integer, milestone_id integer,
  state text not null, created text not null, closed text, unique (repository_id, number));
create table issue_label (id integer primary key autoincrement, issue_id integer not null, label_id integer not null);
create table merge_request (id integer primary key autoincrement, repository_id integer not null,
  number integer not null, title text not null, body text not null, author_id integer not null, reviewer_id integer,
  source text not null, target text not null, state text not null, merge_commit text, created text not null,
  unique (repository_id, number));
create table approval (id integer primary key autoincrement, merge_request_id integer not null,
  person_id integer not null);
create table note (id integer primary key autoincrement, issue_id integer, merge_request_id integer,
  author_id integer not null, body text not null, created text not null);
"""
# The roles of the person whom participants play, in the first repositories.
PLAYED = ("owner", "owner", "maintainer", "maintainer", "developer", "reporter")


@dataclass
class Growing:
    """A repository while it is made: its clock runs on with each thing that happens."""

    draw: random.Random
    database: sqlite3.Connection
    id: int
    git: Repository
    people: list[sqlite3.Row]
    moment: datetime.datetime
    number: int = 0
    files: dict[str, str] = field(default_factory=dict)

    def later(self) -> str:
        """Some hours later, always before now."""
        step = datetime.timedelta(minutes=self.draw.randrange(300, 4000))
        self.moment = min(self.moment + step, NOW - datetime.timedelta(minutes=5))
        return self.moment.strftime("%Y-%m-%d %H:%M:%S")

    def commit(self, branch: str, who: sqlite3.Row, changed: dict[str, str], message: str) -> str:
        """Somebody commits files."""
        when = self.later()
        author = Author(who["name"], who["email"], int(self.moment.timestamp()))
        sha = self.git.write(branch, dict(changed), message, author)
        self.log(sha, branch, who, message, when)
        return sha

    def log(self, sha: str, branch: str, who: sqlite3.Row, message: str, when: str) -> None:
        """Note a commit."""
        sql = (
            "insert into commit_log (repository_id, sha, branch, person_id, message, created) values (?, ?, ?, ?, ?, ?)"
        )
        self.database.execute(sql, (self.id, sha, branch, who["id"], message, when))

    def next_number(self) -> int:
        """The number of the next issue or merge request."""
        self.number += 1
        return self.number


def make(seed: int, size: str) -> None:
    """Everything, drawn from the seed."""
    draw, small = random.Random(f"forge:{seed}"), size == "small"
    with opened() as database:
        database.executescript(SCHEMA)
        database.execute("begin")
        people = _people(draw, database, 10 if small else 24)
        names = draw.sample(sorted(words.THINGS), 7 if small else 14)
        for place, name in enumerate(names):
            _repository(draw, database, people, place, name, small)
        database.execute("commit")
        database.execute("vacuum")


def _people(draw: random.Random, database: sqlite3.Connection, count: int) -> list[sqlite3.Row]:
    surnames, given = draw.sample(words.SURNAMES, count + 2), draw.sample(words.GIVEN, count + 2)
    for place, (first, last) in enumerate(zip(given, surnames, strict=True)):
        username = ("developer", "newcomer")[place] if place < 2 else f"{first}-{last}".lower()
        mail = f"{first}.{last}@example.org".lower()
        bio = f"I like to {draw.choice(words.VERBS)} {draw.choice(words.NOUNS)}."
        values = (username, f"{first} {last}", mail, bio, draw.choice(words.PLACES))
        database.execute("insert into person (username, name, email, bio, location) values (?, ?, ?, ?, ?)", values)
    return database.execute("select * from person order by id").fetchall()


def _repository(
    draw: random.Random, database: sqlite3.Connection, people: list[sqlite3.Row], place: int, name: str, small: bool
) -> None:
    me, others = people[0], draw.sample(people[2:], 7)
    mine = PLAYED[place] if place < len(PLAYED) else ""
    owner = me if mine == "owner" else others[0]
    visibility = "private" if place in (1, 8, 11) else "public"
    begun = NOW - datetime.timedelta(days=draw.randrange(300, 700))
    number = database.execute(
        """insert into repository (owner_id, name, description, visibility, default_branch, created)
        values (?, ?, ?, ?, 'main', ?)""",
        (owner["id"], name, words.THINGS[name], visibility, begun.strftime("%Y-%m-%d %H:%M:%S")),
    ).lastrowid
    assert number is not None
    roles = [(owner["id"], "owner")] + ([(me["id"], mine)] if mine and mine != "owner" else [])
    taken = {person for person, _ in roles}
    kinds = ("maintainer", "maintainer", "developer", "developer", "developer", "reporter", "guest")
    roles += [(one["id"], kind) for one, kind in zip(others, kinds, strict=True) if one["id"] not in taken]
    sql = "insert into member (repository_id, person_id, role) values (?, ?, ?)"
    database.executemany(sql, [(number, *role) for role in roles])
    fans = draw.sample(people[1:], draw.randrange(1, len(people) - 1))
    sql = "insert into star (repository_id, person_id) values (?, ?)"
    database.executemany(sql, [(number, one["id"]) for one in fans])
    writers = [one for one in people if dict(roles).get(one["id"]) in ("owner", "maintainer", "developer")]
    growing = Growing(draw, database, number, Repository(database, number), writers, begun)
    _history(growing, name, 8 if small else draw.randrange(14, 30))
    _sorting(growing)
    _issues(growing, people[1:], 12 if small else draw.randrange(18, 34))
    _merges(growing)


def _history(one: Growing, name: str, count: int) -> None:
    draw = one.draw
    modules = draw.sample(words.MODULES, 4)
    settings = "".join(f"{key} = {draw.randrange(*bounds)}\n" for key, bounds in words.KEYS.items())
    one.files = {
        "README.md": f"# {name}\n\n{words.THINGS[name]}.\n\nMaintained in {draw.choice(words.PLACES)}.\n",
        "CHANGELOG.md": "# Changes\n\n- The first version.\n",
        "settings.toml": settings,
        "docs/usage.md": f"# Usage\n\nStart it with `{name} run` and stop it with `{name} stop`.\n",
    } | {f"src/{module}.py": f'"""The {module}."""\n' for module in modules}
    one.commit("main", one.people[0], one.files, "First commit")
    for _ in range(count):
        _grow(one, "main", draw.choice(one.people), f"src/{draw.choice(modules)}.py")


def _grow(one: Growing, branch: str, who: sqlite3.Row, path: str) -> str:
    draw = one.draw
    verb, noun, number = draw.choice(words.VERBS), draw.choice(words.NOUNS), draw.randrange(2, 99)
    text = one.git.read(one.git.head(branch), path)
    function = f"\n\ndef {verb}_{noun}_{number}(given):\n    return given[:{number}]\n"
    message = f"{verb.capitalize()} {noun} in the {path.removeprefix('src/').removesuffix('.py')}, at most {number}"
    if path.startswith("docs/"):
        function, message = f"\nIt can {verb} up to {number} {noun}.\n", f"Say that it can {verb} {number} {noun}"
    one.commit(branch, who, {path: text + function}, message)
    return message


def _sorting(one: Growing) -> None:
    sql = "insert into label (repository_id, name, colour) values (?, ?, ?)"
    one.database.executemany(sql, [(one.id, *pair) for pair in words.LABELS.items()])
    due = datetime.date(2026, 1, 20)
    for title in ("1.0", "1.1", "2.0"):
        due += datetime.timedelta(days=one.draw.randrange(20, 70))
        sql = "insert into milestone (repository_id, title, due) values (?, ?, ?)"
        one.database.execute(sql, (one.id, title, due.isoformat()))


def _ids(one: Growing, table: str) -> list[int]:
    rows = one.database.execute(f"select id from {table} where repository_id = ? order by id", (one.id,))  # noqa: S608
    return [row["id"] for row in rows]


def _issues(one: Growing, people: list[sqlite3.Row], count: int) -> None:
    draw, titles = one.draw, set[str]()
    labels, milestones = _ids(one, "label"), _ids(one, "milestone")
    one.moment = max(one.moment, NOW - datetime.timedelta(days=90)) if one.moment < NOW else one.moment
    for _ in range(count):
        title = ""
        while not title or title in titles:
            values = {"module": draw.choice(words.MODULES), "verb": draw.choice(words.VERBS)}
            title = draw.choice(words.TROUBLES).format(noun=draw.choice(words.NOUNS), **values)
        titles.add(title)
        body = draw.choice(words.BODIES).format(place=draw.choice(words.PLACES), n=draw.randrange(3, 60))
        created, is_open = one.later(), draw.random() < 0.6
        assignee = draw.choice(one.people)["id"] if draw.random() < 0.6 else None
        issue = one.database.execute(
            """insert into issue (repository_id, number, title, body, author_id, assignee_id, milestone_id, state,
            created, closed) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                *(one.id, one.next_number(), title, body, draw.choice(people)["id"], assignee),
                draw.choice(milestones) if draw.random() < 0.5 else None,
                *("open" if is_open else "closed", created, None if is_open else created),
            ),
        ).lastrowid
        for label in sorted(draw.sample(labels, draw.choice((0, 1, 1, 2)))):
            one.database.execute("insert into issue_label (issue_id, label_id) values (?, ?)", (issue, label))
        for _ in range(draw.choice((0, 0, 1, 2, draw.randrange(3, 12)))):
            text = draw.choice(words.REPLIES).format(place=draw.choice(words.PLACES), n=draw.randrange(3, 60))
            sql = "insert into note (issue_id, author_id, body, created) values (?, ?, ?, ?)"
            one.database.execute(sql, (issue, draw.choice(people)["id"], text, created))


def _merges(one: Growing) -> None:
    draw = one.draw
    paths = sorted(path for path in one.files if path.startswith("src/"))
    # Two that are merged, one that is closed, three that are open; the last one meets a change of the same line.
    for state, path in zip(("merged", "merged", "closed", "open", "open"), (*paths, "docs/usage.md"), strict=True):
        branch = f"{draw.choice(words.VERBS)}-{draw.choice(words.NOUNS)}-{draw.randrange(10, 99)}"
        who = draw.choice(one.people[1:])
        one.git.move(branch, one.git.head("main"))
        title = _grow(one, branch, who, path)
        if draw.random() < 0.4:
            _grow(one, branch, who, path)
        _request(one, branch, who, title, state)
    branch, who = "new-home", draw.choice(one.people[1:])
    one.git.move(branch, one.git.head("main"))
    readme = one.files["README.md"].rpartition("Maintained")[0]
    first, other = draw.sample(words.PLACES, 2)
    one.commit(branch, who, {"README.md": f"{readme}Looked after in {first}.\n"}, "Say where we are")
    _request(one, branch, who, "Say where we are", "open")
    one.commit("main", one.people[0], {"README.md": f"{readme}Now at home in {other}.\n"}, "A new home")


def _request(one: Growing, branch: str, who: sqlite3.Row, title: str, state: str) -> None:
    draw, created = one.draw, one.later()
    reviewer = draw.choice([person for person in one.people if person["id"] != who["id"]])
    merged = None
    if state == "merged":
        author = Author(reviewer["name"], reviewer["email"], int(one.moment.timestamp()))
        message = f"Merge branch '{branch}' into 'main'"
        merged = one.git.merge(branch, "main", message, author)
        one.log(merged, "main", reviewer, message, created)
    number = one.database.execute(
        """insert into merge_request (repository_id, number, title, body, author_id, reviewer_id, source, target, state,
        merge_commit, created) values (?, ?, ?, ?, ?, ?, ?, 'main', ?, ?, ?)""",
        (
            *(one.id, one.next_number(), title, "Please have a look.", who["id"], reviewer["id"], branch, state),
            *(merged, created),
        ),
    ).lastrowid
    if state == "merged":
        sql = "insert into approval (merge_request_id, person_id) values (?, ?)"
        one.database.execute(sql, (number, reviewer["id"]))
