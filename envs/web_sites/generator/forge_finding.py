"""Templates of tasks that look something up on the forge, or get to one of its pages."""

from collections import Counter
from dataclasses import replace
from random import Random
from urllib.parse import quote_plus

from envs.web_sites.generator.forge_parts import asked, authors, drawn, forge, go, issues, merges, shown, text
from envs.web_sites.generator.forum_parts import click, unique_most
from envs.web_sites.generator.parts import NOTHING, Contents, Task, Template, answer_is, answer_is_none

LABELS = ("bug", "enhancement", "documentation", "question", "urgent", "help wanted")
LABELLED = """select i.id from issue i join issue_label x on x.issue_id = i.id join label l on l.id = x.label_id
where i.repository_id = :repository and i.state = :state and l.name = :label"""
NUMBERS = ", ".join(str(number) for number in range(60))


def forge_issues_with_a_label(draw: Random, contents: Contents, index: int) -> Task:
    """Count a repository's issues with a label."""
    del index
    one, label, state = drawn(draw, forge(contents)), draw.choice(LABELS), draw.choice(("open", "closed"))
    count = len(forge(contents).rows(LABELLED, repository=one["id"], state=state, label=label))
    return asked(
        f"How many {state} issues of the repository {one['path']} have the label “{label}”?",
        answer_is(str(count)),
        (go(f"/{one['path']}/issues/?state={state}&label={quote_plus(label)}"), f"stop [{count}]"),
        NUMBERS,
    )


def forge_top_contributor(draw: Random, contents: Contents, index: int) -> Task:
    """Who has made most commits."""
    del index
    one = drawn(draw, forge(contents))
    counts = Counter(authors(forge(contents), one["id"]))
    name = unique_most(counts)
    if name is None:
        return forge_top_contributor(draw, contents, 0)
    return asked(
        f"Who has made the most commits on the main branch of the repository {one['path']}? Answer with first and last "
        "name.",
        answer_is(name),
        (go(f"/{one['path']}/contributors/"), f"stop [{name}]"),
        ", ".join(counts),
    )


def forge_commits_of_a_person(draw: Random, contents: Contents, index: int) -> Task:
    """How many commits somebody has made."""
    del index
    one = drawn(draw, forge(contents))
    name, count = draw.choice(sorted(Counter(authors(forge(contents), one["id"])).items()))
    return asked(
        f"How many commits has {name} made on the main branch of the repository {one['path']}?",
        answer_is(str(count)),
        (go(f"/{one['path']}/commits/main?author={quote_plus(name)}"), f"stop [{count}]"),
        NUMBERS,
    )


def forge_value_in_a_file(draw: Random, contents: Contents, index: int) -> Task:
    """What a key of a file is set to; the last task asks for one that is not there."""
    one, missing = drawn(draw, forge(contents)), index == 2
    lines = dict(line.split(" = ") for line in text(forge(contents), one["id"], "settings.toml").splitlines())
    key = draw.choice(("proxy", "verbose", "language")) if missing else draw.choice(sorted(lines))
    value = lines.get(key, NOTHING)
    task = asked(
        f"To what is {key} set in the file settings.toml on the main branch of the repository {one['path']}?",
        answer_is_none() if missing else answer_is(value),
        (go(f"/{one['path']}/blob/main/settings.toml"), f"stop [{value}]"),
        ", ".join(lines.values()) + ", 100",
    )
    return replace(task, unachievable=missing)


def forge_most_discussed(draw: Random, contents: Contents, index: int) -> Task:
    """The issue with the most comments."""
    del index
    one, state = drawn(draw, forge(contents)), draw.choice(("open", "closed"))
    found = {row["title"]: row["notes"] for row in issues(forge(contents), one["id"], state)}
    title = unique_most(found)
    if title is None:
        return forge_most_discussed(draw, contents, 0)
    return asked(
        f"Which {state} issue of the repository {one['path']} has the most comments? Answer with its full title.",
        answer_is(title),
        (go(f"/{one['path']}/issues/?state={state}&sort=commented"), f"stop [{title}]"),
        ", ".join(found),
    )


def forge_due_date(draw: Random, contents: Contents, index: int) -> Task:
    """When a milestone is due; the last task asks for one that there is not."""
    one, missing = drawn(draw, forge(contents)), index == 2
    rows = forge(contents).rows("select title, due from milestone where repository_id = :id order by id", id=one["id"])
    row = draw.choice(rows)
    due = NOTHING if missing else row["due"]
    task = asked(
        f"When is the milestone {'4.2' if missing else row['title']} of the repository {one['path']} due? Answer with "
        "the date as the forge shows it.",
        answer_is_none() if missing else answer_is(due),
        (go(f"/{one['path']}/milestones/"), f"stop [{due}]"),
        ", ".join(one["due"] for one in rows) + ", 2026-01-31",
    )
    return replace(task, unachievable=missing)


def forge_list_of_issues(draw: Random, contents: Contents, index: int) -> Task:
    """The list of the issues with a label."""
    del index
    one, label, state = drawn(draw, forge(contents)), draw.choice(LABELS), draw.choice(("open", "closed"))
    base = f"/{one['path']}/issues/?state={state}&label={quote_plus(label)}"
    return shown(
        f"Show the list of all {state} issues of the repository {one['path']} with the label “{label}”.",
        (base, f"{base}&milestone=&assignee=&q=&sort=newest"),
        (
            go(f"/{one['path']}/issues/"),
            f'modify_select("state", "{state}")',
            f'modify_select("label", "{label}")',
            click("button", "Show"),
        ),
    )


def forge_page_of_a_merge(draw: Random, contents: Contents, index: int) -> Task:
    """A merge request by its title."""
    del index
    one, state = drawn(draw, forge(contents)), draw.choice(("open", "merged", "closed"))
    row = draw.choice(merges(forge(contents), one["id"], state))
    return shown(
        f"Open the {state} merge request “{row['title']}” of the repository {one['path']}.",
        (f"/{one['path']}/merges/{row['number']}/",),
        (go(f"/{one['path']}/merges/?state={state}"), click("link", row["title"])),
    )


def forge_profile_of_an_author(draw: Random, contents: Contents, index: int) -> Task:
    """The page of whoever opened an issue."""
    del index
    one = drawn(draw, forge(contents))
    row = draw.choice(issues(forge(contents), one["id"]))
    return shown(
        f"Open the profile of the person who opened the issue #{row['number']} of the repository {one['path']}.",
        (f"/{row['author_name']}/",),
        (go(f"/{one['path']}/issues/{row['number']}/"), click("link", row["author_name"])),
    )


TEMPLATES: tuple[Template, ...] = (
    forge_issues_with_a_label,
    forge_top_contributor,
    forge_commits_of_a_person,
    forge_value_in_a_file,
    forge_most_discussed,
    forge_due_date,
    forge_list_of_issues,
    forge_page_of_a_merge,
    forge_profile_of_an_author,
)
