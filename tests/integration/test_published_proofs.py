"""A few published proofs through rubric, queue and calibration, as `make check-proofs` does with all of them."""

from pathlib import Path

from api.core.settings import Settings
from tests.support import proofs
from tests.support.service import Service
from tests.unit.api.judge_server import judge_server
from tools.check_proofs import JUDGE_SLIP, people_alone, true_score, with_judge


async def test_people_grade_published_proofs(service: Service, data: Path) -> None:
    found = proofs.published(data / "math" / "problems", 4)
    told = await people_alone(service, found)
    assert (told["items"], told["third"]) == (8, told["differ"])
    # A proof on which both slip alike keeps the slip; everywhere else the third, who never slips, decides or agrees.
    assert 0.0 <= told["score"] <= 1.0
    assert told["votes"] == 16 + told["differ"]


async def test_a_judge_of_published_proofs_is_measured(settings: Settings, data: Path) -> None:
    found = proofs.published(data / "math" / "problems", 5)
    with judge_server(proofs.judge_script(found, JUDGE_SLIP)) as server:
        judged = settings.model_copy(update={"judge_url": server.url, "judge_model": "scripted-1"})
        async with Service.running(judged) as service:
            told = await with_judge(service, found)
    assert told["method"] == "difference"
    assert told["reviewed"] == 10, "of so few answers people look at all"
    assert told["interval"]["low"] <= true_score(found) <= told["interval"]["high"]
