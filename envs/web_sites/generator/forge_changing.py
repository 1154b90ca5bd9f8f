"""Templates of tasks that change the forge, and of tasks that need another site too."""

from dataclasses import replace
from random import Random

from envs.web_sites.generator import forum_state as state
from envs.web_sites.generator.admin_parts import insert, update
from envs.web_sites.generator.forge_parts import (
    ME,
    NEWCOMER,
    SITE,
    WRITES,
    committed,
    done,
    drawn,
    forge,
    go,
    issues,
    merges,
    text,
)
from envs.web_sites.generator.forum_parts import click, fill, member, note_steps, page, quiet, visit
from envs.web_sites.generator.parts import NOTHING, Contents, Task, Template, answer_is_none, changes, unchanged

TITLES = (
    ("The log is empty after a restart", "Since {day} nothing is written. It was right before."),
    ("Read dates before 1900 too", "We have records of {day}, 3 March 1887."),
    ("A switch for quiet mode", "It prints every line twice since {day}. A switch would help."),
    ("Broken link in the manual", "The second link on the first page leads nowhere. Seen on {day}."),
)
COMMENTS = (
    "I can look into this on {day}.",
    "Fixed for me since the update of {day}. Can others confirm it?",
    "Please wait with this until {day}, I have a better idea.",
    "The meeting of {day} decided to keep it as it is.",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
FILES = {
    "LICENSE": "Everybody may use, change and share this, first year {n}.",
    "docs/faq.md": "Q: How many rows at most? A: {n}.",
    "NOTICE": "This repository holds data of {n} stations.",
    "docs/install.md": "You need {n} MB of memory and nothing else.",
}
NAMES = ("fog-horn", "hay-loft", "ink-well", "jam-jar", "key-hole", "net-maker", "oar-lock", "pin-wheel", "quay-side")


def _refused(task: Task, *oracle: str) -> Task:
    parts = (answer_is_none(), *unchanged(SITE))
    return replace(task, parts=parts, oracle=(*oracle, f"stop [{NOTHING}]"), unachievable=True)


def forge_open_an_issue(draw: Random, contents: Contents, index: int) -> Task:
    """Open an issue with a label and somebody who looks after it."""
    del index
    content = forge(contents)
    one = drawn(draw, content, *WRITES, "developer", "reporter")
    (title, body), day = draw.choice(TITLES), draw.choice(DAYS)
    label = draw.choice(content.rows("select id, name from label where repository_id = :id order by id", id=one["id"]))
    who = draw.choice([row for row in content.named("members") if row["repository"] == one["id"]])
    number, body = state.next_id(content, "issue"), body.format(day=day)
    values = {"title": state.as_typed(title), "body": state.as_typed(body), "assignee_id": who["person"]}
    return done(
        f"Open an issue in the repository {one['path']} with the title “{title}” and this description: {body} Give it "
        f"the label “{label['name']}” and no other, and assign it to {who['username']}.",
        (
            go(f"/{one['path']}/issues/new/"),
            fill("Title", title),
            fill("Description", body),
            click("checkbox", label["name"]),
            f"select_option [{{{{element combobox 'Assignee'}}}}] [{who['person']}]",
            click("button", "Open issue"),
        ),
        insert("issue", id=number, repository_id=one["id"], author_id=ME, milestone_id=None, **values),
        insert("issue_label", issue_id=number, label_id=label["id"]),
    )


def forge_comment(draw: Random, contents: Contents, index: int) -> Task:
    """Comment on an issue; as somebody who is no member."""
    del index
    one = drawn(draw, forge(contents))
    row, body = draw.choice(issues(forge(contents), one["id"])), draw.choice(COMMENTS).format(day=draw.choice(DAYS))
    task = done(
        f"Comment on the issue “{row['title']}” of the repository {one['path']}: {body}",
        (go(f"/{one['path']}/issues/{row['number']}/"), fill("Comment", body), click("button", "Comment")),
        insert("note", issue_id=row["id"], body=state.as_typed(body)),
    )
    return replace(task, signed_in=NEWCOMER)


def forge_close_an_issue(draw: Random, contents: Contents, index: int) -> Task:
    """Close an issue; the last task is for somebody who may not."""
    missing = index == 2
    one = drawn(draw, forge(contents), *(() if missing else (*WRITES, "developer")))
    row = draw.choice([row for row in issues(forge(contents), one["id"]) if row["author"] not in (1, 2)])
    task = done(
        f"Close the issue #{row['number']} “{row['title']}” of the repository {one['path']}.",
        (go(f"/{one['path']}/issues/{row['number']}/"), click("button", "Close issue")),
        update("issue", row["id"], "closed", state="closed"),
    )
    if not missing:
        return task
    return replace(_refused(task, go(f"/{one['path']}/issues/{row['number']}/")), signed_in=NEWCOMER)


def forge_merge(draw: Random, contents: Contents, index: int) -> Task:
    """Merge a merge request; the last task names one that meets a change of the same line."""
    content, missing = forge(contents), index == 2
    one = drawn(draw, content, *WRITES)
    *clean, stuck = merges(content, one["id"])
    row = stuck if missing else draw.choice(clean)
    task = done(
        f"Merge {row['author_name']}'s merge request “{row['title']}” of the repository {one['path']}.",
        (go(f"/{one['path']}/merges/{row['number']}/"), click("button", "Merge")),
        update("merge_request", row["id"], state="merged", merge_commit={"present": True}),
        *committed(content, one["id"]),
    )
    return _refused(task, go(f"/{one['path']}/merges/{row['number']}/")) if missing else task


def forge_request_a_merge(draw: Random, contents: Contents, index: int) -> Task:
    """Ask for a branch to be merged, with a reviewer."""
    del index
    content = forge(contents)
    one = drawn(draw, content, *WRITES, "developer")
    (branch,) = (row["source"] for row in merges(content, one["id"], "closed"))
    who = draw.choice(
        [row for row in content.named("members") if row["repository"] == one["id"] and row["person"] != ME]
    )
    title = f"Second try: {branch}, for {draw.choice(DAYS)}"
    values = {"source": branch, "target": "main", "reviewer_id": who["person"], "state": "open"}
    return done(
        f"Create a merge request in the repository {one['path']} from the branch {branch} into main, with the title "
        f"“{title}” and {who['username']} as reviewer.",
        (
            go(f"/{one['path']}/merges/new/"),
            f'modify_select("source", "{branch}")',
            fill("Title", title),
            f"select_option [{{{{element combobox 'Reviewer'}}}}] [{who['person']}]",
            click("button", "Create merge request"),
        ),
        insert("merge_request", repository_id=one["id"], author_id=ME, title=state.as_typed(title), **values),
    )


def forge_approve(draw: Random, contents: Contents, index: int) -> Task:
    """Approve somebody's merge request and say so."""
    del index
    content = forge(contents)
    one = drawn(draw, content, *WRITES, "developer")
    row = draw.choice([row for row in merges(content, one["id"]) if row["author"] != ME])
    body = f"Looks good. Let us merge it on {draw.choice(DAYS)}."
    return done(
        f"Approve the merge request !{row['number']} “{row['title']}” of the repository {one['path']} and comment on "
        f"it: {body} Do not merge it.",
        (
            go(f"/{one['path']}/merges/{row['number']}/"),
            click("button", "Approve"),
            fill("Comment", body),
            click("button", "Comment"),
        ),
        insert("approval", merge_request_id=row["id"], person_id=ME),
        insert("note", merge_request_id=row["id"], body=state.as_typed(body)),
    )


def forge_add_a_member(draw: Random, contents: Contents, index: int) -> Task:
    """Add somebody with a role; the last task is for a repository in which the developer may not."""
    content, missing = forge(contents), index == 2
    one = drawn(draw, content, *(("developer", "reporter") if missing else WRITES))
    there = {row["person"] for row in content.named("members") if row["repository"] == one["id"]}
    who = draw.choice([row for row in content.named("people") if row["id"] not in there])
    role = draw.choice(("guest", "reporter", "developer"))
    task = done(
        f"Make {who['name']} a {role} of the repository {one['path']}.",
        (
            go(f"/{one['path']}/members/"),
            fill("Login of the new member", who["username"]),
            f"select_option [{{{{element combobox 'Role'}}}}] [{role}]",
            click("button", "Add member"),
        ),
        insert("member", repository_id=one["id"], person_id=who["id"], role=role),
    )
    return _refused(task, go(f"/{one['path']}/members/")) if missing else task


def forge_change_a_file(draw: Random, contents: Contents, index: int) -> Task:
    """Change one line of a file on the main branch."""
    del index
    content = forge(contents)
    one = drawn(draw, content, *WRITES)
    lines = text(content, one["id"], "settings.toml").splitlines()
    place, value = draw.randrange(len(lines)), draw.randrange(100, 900)
    key = lines[place].split(" = ")[0]
    lines[place] = f"{key} = {value}"
    new = "\n".join(lines)
    return done(
        f"Set {key} to {value} in the file settings.toml on the main branch of the repository {one['path']} and leave "
        "the rest of it as it is.",
        (
            go(f"/{one['path']}/blob/main/settings.toml"),
            click("link", "Edit file"),
            fill("Text", new),
            click("button", "Commit"),
        ),
        *committed(content, one["id"]),
        insert("file_change", what="change", path="settings.toml", text=state.as_typed(new)),
    )


def forge_add_a_file(draw: Random, contents: Contents, index: int) -> Task:
    """A new file with a given text and commit message."""
    del index
    content = forge(contents)
    one, (path, body) = drawn(draw, content, *WRITES), draw.choice(sorted(FILES.items()))
    body, message = body.format(n=draw.randrange(100, 2000)), f"Add {path} for {draw.choice(DAYS)}"
    moved, log = committed(content, one["id"])
    log["values"]["message"] = message
    return done(
        f"Add the file {path} to the main branch of the repository {one['path']}. Its text is: {body} The commit "
        f"message is “{message}”.",
        (
            go(f"/{one['path']}/new/main/"),
            fill("Path", path),
            fill("Text", body),
            fill("Commit message", message),
            click("button", "Commit"),
        ),
        moved,
        log,
        insert("file_change", what="create", path=path, text=state.as_typed(body)),
    )


def forge_new_repository(draw: Random, contents: Contents, index: int) -> Task:
    """An empty repository of one's own."""
    del index
    content, name = forge(contents), f"{draw.choice(NAMES)}-{draw.randrange(2, 99)}"
    visibility, description = draw.choice(("public", "private")), f"Notes for {draw.choice(DAYS)}"
    number = state.next_id(content, "repository")
    values = {"name": name, "visibility": visibility, "description": state.as_typed(description)}
    return done(
        f"Create a {visibility} repository {name} with the description “{description}” and without a README.",
        (
            go("/new/"),
            fill("Name", name),
            fill("Description", description),
            f'modify_select("visibility", "{visibility}")',
            click("checkbox", "Begin with a README"),
            click("button", "Create repository"),
        ),
        insert("repository", id=number, owner_id=ME, **values),
        insert("member", repository_id=number, person_id=ME, role="owner"),
    )


def forge_new_milestone(draw: Random, contents: Contents, index: int) -> Task:
    """A milestone with its day."""
    del index
    one = drawn(draw, forge(contents), *WRITES, "developer")
    title, due = (
        f"{draw.randrange(3, 9)}.{draw.randrange(10)}",
        f"2026-{draw.randrange(4, 13):02}-{draw.randrange(1, 29):02}",
    )
    return done(
        f"Create the milestone {title} in the repository {one['path']}, due on {due}.",
        (
            go(f"/{one['path']}/milestones/"),
            fill("New milestone", title),
            fill("Due on", due),
            click("button", "Create milestone"),
        ),
        insert("milestone", repository_id=one["id"], title=title, due=due),
    )


def forge_count_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Count somebody's issues on the forge, write the number on the scratchpad."""
    del index
    content = forge(contents)
    one = drawn(draw, content)
    who = draw.choice([row for row in content.named("members") if row["repository"] == one["id"]])
    count = sum(row["assignee"] == who["person"] for row in issues(content, one["id"]))
    title = f"Issues of {who['username']}"
    return Task(
        intent=f"How many open issues of the forge's repository {one['path']} are assigned to {who['username']}? Save "
        f"the number on the scratchpad as a note titled '{title}', the number alone as its text.",
        category="content",
        parts=(state.noted(title, {"number": float(count)}).on("tools"), *unchanged(SITE)),
        oracle=(
            go(f"/{one['path']}/issues/?assignee={who['username']}"),
            *note_steps(title, str(count)),
            "stop []",
        ),
        sites=(SITE, "tools"),
        signed_in={SITE: "developer"},
    )


def forge_release_into_a_reply(draw: Random, contents: Contents, index: int) -> Task:
    """Look up on the forge when a milestone is due, tell it on the forum."""
    del index
    content, forum = forge(contents), contents["forum"]
    one = drawn(draw, content)
    row = draw.choice(content.rows("select title, due from milestone where repository_id = :id", id=one["id"]))
    me = member(forum, "member")
    topic = quiet(forum, draw, me)
    body = f"Version {row['title']} of {one['name']} is planned for {row['due']}."
    return Task(
        intent=f"Look up on the forge when the milestone {row['title']} of the repository {one['path']} is due, and "
        f"reply to the topic '{topic['title']}' on the forum's board '{topic['board_title']}' with exactly this "
        f"sentence, the date as the forge shows it: Version {row['title']} of {one['name']} is planned for DATE.",
        category="content",
        parts=(state.replied(forum, me, topic["id"], body).on("forum"), changes(SITE)),
        oracle=(
            go(f"/{one['path']}/milestones/"),
            visit(page(topic)),
            fill("Write comment...", body),
            click("button", "Publish"),
            "stop []",
        ),
        sites=(SITE, "forum"),
        signed_in={SITE: "developer", "forum": "member"},
        start=((SITE, "/"), ("forum", "/")),
    )


TEMPLATES: tuple[Template, ...] = (
    forge_open_an_issue,
    forge_comment,
    forge_close_an_issue,
    forge_merge,
    forge_request_a_merge,
    forge_approve,
    forge_add_a_member,
    forge_change_a_file,
    forge_add_a_file,
    forge_new_repository,
    forge_new_milestone,
    forge_count_onto_the_scratchpad,
    forge_release_into_a_reply,
)
