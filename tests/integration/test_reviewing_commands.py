"""The commands of people who grade: naming reviewers, drafting rubrics and approving them before anything counts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from api.accounts.models import Scope
from api.cli.main import built
from envs import registry
from packs.read import read_pack
from packs.write import write_pack
from tests.integration.test_reviews import claim, proofs, submitted
from tests.support.service import Service
from tests.unit.api.judge_server import Reply, judge_server

SOUND = [
    {
        "id": "key",
        "text": "Finds the key step.",
        "points": 7,
        "full": "",
        "half": "named only",
        "none": "",
        "requires": [],
        "alternative": None,
    },
    {
        "id": "end",
        "text": "Concludes.",
        "points": 3,
        "full": "",
        "half": "",
        "none": "",
        "requires": ["key"],
        "alternative": None,
    },
]


@pytest.fixture
def here(service: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(service.settings.data_dir))
    monkeypatch.setenv("HELDOUT_DATABASE_NAME", service.settings.database_name)
    return service


async def command(*arguments: str) -> Result:
    return await asyncio.to_thread(lambda: CliRunner().invoke(built(), list(arguments)))


async def test_a_named_reviewer_gets_the_queue(here: Service) -> None:
    await submitted(here)
    rita = await here.reader("rita@example.org", "elsewhere", scopes=[Scope.REVIEWS_WRITE])
    assert (await rita.post("/v1/reviews/claim", json={"benchmark": "proofs"})).status_code == 403
    added = ("reviewers", "add", "--benchmark", "proofs", "--email", "rita@example.org")
    for _ in range(2):
        done = await command(*added)
        assert (done.exit_code, "rita@example.org may grade proofs" in done.output) == (0, True), done.output
    assert (await claim(rita))["sheet"]["answer"] == "My proof."
    other = await command("reviewers", "add", "--benchmark", "nothing", "--email", "rita@example.org")
    assert other.exit_code == 1


def _pack(folder: Path, **reference: Any) -> Path:
    """A pack of two proofs; the first one's rubric is missing."""
    whole = proofs(2)
    write_pack(folder, whole.benchmark, whole.problems, whole.references)
    lines = [json.loads(line) for line in (folder / "references.jsonl").read_text().splitlines()]
    lines[0]["reference"] = {"kind": "rubric", "solution": "First the key, then the end.", **reference}
    (folder / "references.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


async def test_a_drafted_rubric_is_not_used_before_a_person_approved_it(
    here: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = _pack(tmp_path / "pack")
    missing = await command("rubrics", "draft", str(pack))
    assert (missing.exit_code, "HELDOUT_JUDGE_URL" in missing.output) == (1, True)

    def model(body: dict[str, Any], number: int) -> Reply:
        criteria = [SOUND[0]] if number == 1 else SOUND
        return Reply(json.dumps({"criteria": criteria}))

    with judge_server(model) as server:
        monkeypatch.setenv("HELDOUT_JUDGE_URL", server.url)
        monkeypatch.setenv("HELDOUT_JUDGE_MODEL", "drafter-1")
        drafted = await command("rubrics", "draft", str(pack))
        assert (drafted.exit_code, "p0: 2 criteria by drafter-1" in drafted.output) == (0, True), drafted.output
        assert "First the key, then the end." in server.requests[0]["messages"][1]["content"]
        assert "sum to 7" in server.requests[1]["messages"][1]["content"], "an unsound draft goes back with the reason"
        again = await command("rubrics", "draft", str(pack))
        assert ("0 rubrics drafted" in again.output, len(server.requests)) == (True, 2)
    refused = await command("import", str(pack))
    assert refused.exit_code == 1
    assert "p0: have them drafted, read and approve them" in " ".join(refused.output.split())
    shown = " ".join((await command("rubrics", "show", str(pack))).output.split())
    for words in ("## p0", "Prove p0.", "key (7 points): Finds the key step.", "end (3 points, after key)", "1 drafts"):
        assert words in shown
    assert (await command("rubrics", "approve", str(pack), "p1")).exit_code == 1
    assert "1 approved, 0 drafts left" in (await command("rubrics", "approve", str(pack), "p0")).output
    done = await command("import", str(pack))
    assert done.exit_code == 0, done.output
    rubric = read_pack(pack, registry).reference_by_id["p0"].reference["rubric"]
    assert [(one["id"], one["points"]) for one in rubric["criteria"]] == [("key", 7), ("end", 3)]
