"""Tasks in Harbor's format, played: the solution passes, doing nothing does not, and what is left out is said."""

import json
import shutil
from pathlib import Path

import pytest

from api.admission import soundness
from envs import registry
from envs.operating_system.importers import dockerfile, harbor
from packs.pack import Pack
from packs.read import read_pack
from packs.report import Report

CONFIG = """schema_version = "1.4"

[task]
name = "examples/word-count"
description = "Count words."
keywords = ["text"]

[metadata]
author_name = "Ann"
difficulty = "easy"
category = "text"

[verifier]
timeout_sec = 900.0

[agent]
timeout_sec = 300.0

[environment]
build_timeout_sec = 600.0
cpus = 1
memory_mb = 2048
env = { SEPARATOR = "," }
"""
DOCKERFILE = """# a machine with a text
FROM debian:bookworm-slim
ARG NAME=poem
WORKDIR /app
ENV LINES=3 \\
    TITLE="a short one"
COPY data/ ./texts/
COPY --chmod=600 secret.txt /app/
RUN for n in $(seq $LINES); do \\
      echo "line $n of $NAME" >> poem.txt; \\
    done && printf '%s' "$TITLE" > title.txt
EXPOSE 80
CMD ["sleep", "infinity"]
"""
TEST = """#!/bin/bash
apt-get update
curl -LsSf https://astral.sh/uv/0.9.7/install.sh | sh
source $HOME/.local/bin/env
uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
"""
OUTPUTS = """from pathlib import Path


def test_the_count_is_right():
    words = sum(len(path.read_text().split()) for path in Path("/app").rglob("*.txt") if path.name != "count.txt")
    assert int(Path("/app/count.txt").read_text()) == words


def test_nothing_else_was_touched():
    assert Path("/app/title.txt").read_text() == "a short one"
"""
SOLVE = """#!/bin/bash
find /app -name '*.txt' -exec cat {} \\; -exec echo \\; | wc -w > /tmp/n && mv /tmp/n /app/count.txt
test "$SEPARATOR" = ,
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return written(tmp_path / "tasks")


def written(tasks: Path) -> Path:
    """A folder with one task as the framework's own template lays it out."""
    folder = tasks / "word-count"
    files = {
        "task.toml": CONFIG,
        "instruction.md": "How many words do the texts below /app have? Write the number into /app/count.txt.\n",
        "environment/Dockerfile": DOCKERFILE,
        "environment/data/one.txt": "to be or not\n",
        "environment/secret.txt": "three more words",
        "tests/test.sh": TEST,
        "tests/test_outputs.py": OUTPUTS,
        "solution/solve.sh": SOLVE,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder.parent


def converted(source: Path, check: bool | None = False, **options: object) -> tuple[Pack, Report]:
    out = source.parent / "pack"
    shutil.rmtree(out, ignore_errors=True)
    report = soundness.convert("harbor", source, out, options, check)
    return read_pack(out, registry, grade_gold=False), report


def test_a_task_becomes_an_episode_whose_solution_passes(source: Path) -> None:
    broken = source / "wrong"
    shutil.copytree(source / "word-count", broken)
    (broken / "solution/solve.sh").write_text("echo 1 > /app/count.txt\n")
    pack, report = converted(source, check=None)
    if any("cannot play" in note for note in report.notes):
        pytest.skip("; ".join(report.notes))
    assert [problem.id for problem in pack.problems] == ["word-count"], report.lines()
    assert [(one.id, one.kind) for one in report.excluded] == [("wrong", "gold fails")]
    assert pack.problems[0].statement.startswith("How many words")
    assert pack.problems[0].subject == "text"
    said = next(one.cause for one in report.marked if one.kind == "not carried over")
    for name in ("task", "environment.cpus", "metadata.author_name", "the image debian", "verifier.timeout_sec"):
        assert name in said
    assert any(one.kind == "downloads" for one in report.marked)


def test_the_tests_and_the_solution_are_no_part_of_what_the_participant_can_read(source: Path) -> None:
    pack, _ = converted(source)
    line = pack.references[0]
    assert line.episode is not None
    built = json.dumps(line.episode.spec)
    assert "solve.sh" not in built
    assert "/tests" not in built
    assert json.loads(line.model_dump_json())["reference"] == {"kind": "commands", "succeeds": ["verifier"]}
    assert "export SEPARATOR=," in str(line.episode.spec["start"])


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("environment/Dockerfile", "FROM a\nFROM b\n", "stages"),
        ("environment/Dockerfile", "FROM a\nRUN apt-get update && apt-get install -y jq\n", "network"),
        ("environment/Dockerfile", "FROM a\nCOPY --from=x /a /b\n", "copy"),
        ("environment/Dockerfile", "FROM a\nCOPY ../../../etc/passwd /b\n", "copy"),
        ("environment/Dockerfile", "FROM a\nnonsense\n", "format"),
        ("environment/docker-compose.yaml", "services: {}\n", "compose"),
        ("task.toml", 'schema_version = "1.4"\n[[steps]]\nname = "one"\n', "steps"),
        ("tests/test.sh", None, "files"),
        ("solution/solve.sh", None, "solution"),
        ("instruction.md", "", "instruction"),
    ],
)
def test_what_cannot_be_carried_over_is_left_out_with_its_cause(
    source: Path, name: str, text: str | None, kind: str
) -> None:
    path = source / "word-count" / name
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_text(text)
    report = harbor.read(source).report
    assert [one.kind for one in report.excluded] == [kind], report.lines()


def test_a_dockerfile_is_read_as_docker_reads_it() -> None:
    text = "FROM a\nRUN one \\\n  # a comment\n  two\nRUN <<EOF\nthree\nfour\nEOF\nenv A=1\n"
    assert list(dockerfile.instructions(text)) == [
        (1, "FROM", "a"),
        (2, "RUN", "one \n  two"),
        (5, "RUN", "<<EOF\nthree\nfour\nEOF"),
        (9, "ENV", "A=1"),
    ]
