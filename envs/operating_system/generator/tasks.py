"""Templates of operating-system problems: each draws a task, and computes its answer while the files are drawn."""

import random
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field

from packs.words import name, names

EXTENSIONS = ("log", "txt", "dat", "csv", "cfg", "md")


@dataclass
class Task:
    """One problem: `answer` is the gold of a question; `checks` are shell tests of the final state.

    `prints` are scripts and what they must print: for programs of the participant, which must not stand below a test.
    """

    kind: str
    statement: str
    init: list[str]
    solve: str
    answer: str | None = None
    compare: str = "integer"
    checks: list[str] = field(default_factory=list)
    prints: list[tuple[str, str]] = field(default_factory=list)
    start: str = ""


def lines_with_word(draw: random.Random) -> Task:
    """How many lines hold a word, in the files of one extension in a tree."""
    top, word, other = names(draw, 3)
    wanted, unwanted = draw.sample(EXTENSIONS, 2)
    init, total = [f"mkdir -p /srv/{top}/{{a,b}}/{{c,d}}"], 0
    for folder in ("a", "a/c", "b", "b/d"):
        for extension in (wanted, unwanted):
            lines = [
                " ".join(draw.choices([word, other, word + "s", "the", "of"], k=4)) for _ in range(draw.randint(3, 12))
            ]
            total += sum(word in line.split() for line in lines) if extension == wanted else 0
            init.append(_file(f"/srv/{top}/{folder}/{name(draw)}.{extension}", lines))
    statement = (
        f"In the folder /srv/{top} and everything below it: how many lines of the files whose names end in .{wanted} "
        f"hold '{word}' as a whole word? Answer with the number."
    )
    solve = f"find /srv/{top} -name '*.{wanted}' -exec cat {{}} + | grep -cw {word}"
    return Task("text", statement, init, solve, str(total))


def sum_of_column(draw: random.Random) -> Task:
    """The sum of a column over the rows with one value in another."""
    top = name(draw)
    people, places = names(draw, 5), names(draw, 3)
    rows = [(draw.choice(people), draw.choice(places), draw.randint(1, 400)) for _ in range(draw.randint(40, 90))]
    place = draw.choice(rows)[1]
    total = sum(amount for _, where, amount in rows if where == place)
    init = [
        f"mkdir -p /srv/{top}",
        _file(f"/srv/{top}/sales.csv", ["name;place;amount", *(";".join(map(str, r)) for r in rows)]),
    ]
    statement = (
        f"The file /srv/{top}/sales.csv has columns that are separated by semicolons. What is the sum of the column "
        f"'amount' over the rows whose place is {place}? Answer with the number."
    )
    solve = f"awk -F';' '$2 == \"{place}\" {{ s += $3 }} END {{ print s }}' /srv/{top}/sales.csv"
    return Task("text", statement, init, solve, str(total))


def distinct_addresses(draw: random.Random) -> Task:
    """How many different addresses made a kind of request."""
    top = name(draw)
    addresses = [".".join(str(draw.randint(1, 250)) for _ in range(4)) for _ in range(12)]
    verbs = ("GET", "POST", "PUT")
    lines = [(draw.choice(addresses), draw.choice(verbs), name(draw)) for _ in range(draw.randint(50, 120))]
    verb = draw.choice(verbs)
    total = len({address for address, method, _ in lines if method == verb})
    half = len(lines) // 2
    init = [f"mkdir -p /var/log/{top}"] + [
        _file(f"/var/log/{top}/access.{number}", [f"{a} - {v} /{p}" for a, v, p in part])
        for number, part in enumerate((lines[:half], lines[half:]))
    ]
    statement = (
        f"The files in /var/log/{top} record requests: address, dash, method, path. From how many different addresses "
        f"did {verb} requests come, all files together? Answer with the number."
    )
    return Task(
        "text",
        statement,
        init,
        f"cat /var/log/{top}/* | awk '$3 == \"{verb}\" {{ print $1 }}' | sort -u | wc -l",
        str(total),
    )


def size_of_files(draw: random.Random) -> Task:
    """How many bytes the files of one extension have, hidden ones left out."""
    top = name(draw)
    wanted, unwanted = draw.sample(EXTENSIONS, 2)
    init, total = [f"mkdir -p /opt/{top}/{{x,y,.z}}"], 0
    for folder, hidden in (("x", False), ("y", False), ("y", True), ("x", False)):
        for extension in (wanted, unwanted):
            size = draw.randint(10, 5000)
            total += size if extension == wanted and not hidden else 0
            path = f"/opt/{top}/{folder}/{'.' if hidden else ''}{name(draw, 3)}.{extension}"
            init.append(_zeros(path, size))
    statement = (
        f"How many bytes do the files below /opt/{top} hold whose names end in .{wanted}? Leave out files whose names "
        "begin with a dot. Answer with the number of bytes, the sum of the files' sizes."
    )
    found = f"find /opt/{top} -type f -name '*.{wanted}' ! -name '.*' -printf '%s\\n'"
    solve = found + " | awk '{ s += $1 } END { print s }'"
    return Task("files", statement, init, solve, str(total))


def largest_file(draw: random.Random) -> Task:
    """The name of the largest file of a tree."""
    top = name(draw)
    found = names(draw, 9)
    sizes = draw.sample(range(100, 9000), len(found))
    init = [f"mkdir -p /home/{top}/{{one,two}}/three"]
    folders = ("one", "two", "one/three", "two/three")
    init += [_zeros(f"/home/{top}/{draw.choice(folders)}/{n}", size) for n, size in zip(found, sizes, strict=True)]
    answer = found[sizes.index(max(sizes))]
    statement = f"Which file below /home/{top} is the largest? Answer with its name alone, without the folders."
    return Task(
        "files",
        statement,
        init,
        f"find /home/{top} -type f -printf '%s %f\\n' | sort -n | tail -1 | cut -d' ' -f2",
        answer,
        "string",
    )


def broken_links(draw: random.Random) -> Task:
    """How many symbolic links lead nowhere."""
    top = name(draw)
    good, bad = draw.randint(2, 6), draw.randint(2, 9)
    targets = names(draw, good + bad)
    init = [f"mkdir -p /srv/{top}/links"]
    for number, target in enumerate(targets):
        init += [f": > /srv/{top}/{target}"] if number < good else []
        init.append(f"ln -s ../{target} /srv/{top}/links/{name(draw)}{number}")
    statement = f"How many of the symbolic links in /srv/{top}/links lead to nothing? Answer with the number."
    return Task("files", statement, init, f"find /srv/{top}/links -xtype l | wc -l", str(bad))


def running_programs(draw: random.Random) -> Task:
    """How many processes of one name run."""
    wanted, other = names(draw, 2)
    counts = {wanted: draw.randint(3, 9), other: draw.randint(2, 6)}
    start = "; ".join(
        f"for i in $(seq {count}); do (exec -a {title} sleep 86400) >/dev/null 2>&1 & done"
        for title, count in counts.items()
    )
    listed = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'"
    start += f"; until [ $({listed} | grep -cxE '{wanted}|{other}') = {sum(counts.values())} ]; do sleep 0.02; done"
    statement = (
        f"How many processes called '{wanted}' (the first word of their command line) are running? "
        "Answer with the number."
    )
    # In brackets, or the search would now and then count its own command line.
    solve = f"{listed} | grep -cx '[{wanted[0]}]{wanted[1:]}'"
    return Task("processes", statement, [], solve, str(counts[wanted]), start=start)


def new_account(draw: random.Random) -> Task:
    """Make an account with a home, a shell and two groups."""
    user, one, two = names(draw, 3, parts=1)
    user, one, two = f"{user}x", f"{one}g", f"{two}h"
    statement = (
        f"Create a user '{user}' whose home folder is /home/{user} (it must exist and belong to the user), whose login "
        f"shell is /bin/bash, and who is a member of the new groups '{one}' and '{two}'."
    )
    solve = f"groupadd {one}; groupadd {two}; useradd -m -s /bin/bash -G {one},{two} {user}"
    checks = [
        f"getent passwd {user} | grep -q ':/home/{user}:/bin/bash$'",
        f'[ "$(stat -c %U /home/{user})" = {user} ]',
        f"[ $(id -nG {user} | tr ' ' '\\n' | grep -cxE '{one}|{two}') = 2 ]",
    ]
    return Task("accounts", statement, [], solve, checks=checks)


def permissions(draw: random.Random) -> Task:
    """Give files and folders the right modes."""
    top = name(draw)
    files, folders = draw.choice((("640", "750"), ("600", "700"), ("644", "755"), ("660", "770")))
    found = names(draw, 6)
    init = [f"mkdir -p /srv/{top}/{{in,out}}/deep"] + [
        f"echo {item} > /srv/{top}/{draw.choice(('in', 'out', 'in/deep', 'out/deep'))}/{item}.txt" for item in found
    ]
    init.append(f"chmod -R {draw.choice(('777', '711', '755'))} /srv/{top}")
    statement = (
        f"Set the permissions below /srv/{top}: every regular file to {files} and every folder, /srv/{top} itself "
        f"included, to {folders}. Change nothing else."
    )
    solve = f"find /srv/{top} -type f -exec chmod {files} {{}} +; find /srv/{top} -type d -exec chmod {folders} {{}} +"
    checks = [
        f"[ $(find /srv/{top} -type f -perm {files} | wc -l) = {len(found)} ]",
        f"[ $(find /srv/{top} -type f | wc -l) = {len(found)} ]",
        f"[ $(find /srv/{top} -type d -perm {folders} | wc -l) = 5 ]",
        f'[ "$(cat $(find /srv/{top} -name {found[0]}.txt))" = {found[0]} ]',
    ]
    return Task("permissions", statement, init, solve, checks=checks)


def sorting_out(draw: random.Random) -> Task:
    """Move the files of one extension into a folder, and only those."""
    top, target = names(draw, 2)
    wanted, unwanted = draw.sample(EXTENSIONS, 2)
    moved, kept = names(draw, 5), names(draw, 4, parts=3)
    init = [f"mkdir -p /srv/data/{top}/{{p,q}}"]
    init += [f"echo {item} > /srv/data/{top}/{draw.choice('pq')}/{item}.{wanted}" for item in moved]
    init += [f"echo {item} > /srv/data/{top}/{draw.choice('pq')}/{item}.{unwanted}" for item in kept]
    statement = (
        f"Move all files below /srv/data/{top} whose names end in .{wanted} into the new folder /srv/data/{target}, "
        "with their names and contents unchanged. Leave all other files where they are."
    )
    solve = f"mkdir /srv/data/{target}; find /srv/data/{top} -name '*.{wanted}' -exec mv {{}} /srv/data/{target}/ \\;"
    checks = [f'[ "$(cat /srv/data/{target}/{item}.{wanted})" = {item} ]' for item in moved]
    checks.append(f"[ $(find /srv/data/{target} -type f | wc -l) = {len(moved)} ]")
    checks.append(f"[ $(find /srv/data/{top} -name '*.{unwanted}' | wc -l) = {len(kept)} ]")
    checks.append(f"[ $(find /srv/data/{top} -name '*.{wanted}' | wc -l) = 0 ]")
    return Task("files", statement, init, solve, checks=checks)


def new_command(draw: random.Random) -> Task:
    """Make a command that works on a file."""
    word = name(draw)
    smallest = draw.randint(3, 6)
    statement = (
        f"Make a command '{word}' that every user can run from any folder. It takes the name of a text file and prints "
        f"how many of its lines have at least {smallest} characters, as a number alone."
    )
    pattern = f"^.{{{smallest},}}$"
    body = f"printf '%s\\n' '#!/bin/sh' 'grep -cE \"{pattern}\" \"$1\"'"
    solve = f"{body} > /usr/local/bin/{word}; chmod 755 /usr/local/bin/{word}; true"
    prints = []
    for number in range(3):
        lines = ["x" * draw.randint(0, 9) for _ in range(draw.randint(5, 15))]
        path = f"/srv/.{word}.{number}"
        count = sum(len(line) >= smallest for line in lines)
        prints.append((f"{_file(path, lines)}\ncd / && exec {word} {path}", str(count)))
    checks = [f'[ -x "$(command -v {word})" ] && [ $(stat -Lc %a "$(command -v {word})" | tail -c 2) -ge 5 ]']
    return Task("commands", statement, [], solve, checks=checks, prints=prints)


TEMPLATES: tuple[Callable[[random.Random], Task], ...] = (
    lines_with_word,
    new_account,
    sum_of_column,
    permissions,
    distinct_addresses,
    sorting_out,
    size_of_files,
    new_command,
    largest_file,
    broken_links,
    running_programs,
)


def _file(path: str, lines: list[str]) -> str:
    # By the shell itself: a program that is started takes longer than all that a small file is.
    return f"printf '%s\\n' {shlex.quote(chr(10).join(lines))} > {path}"


def _zeros(path: str, size: int) -> str:
    return f"printf '%0{size}d' 0 > {path}"
