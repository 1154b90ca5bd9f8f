"""Letters over SMTP: invitations, requests for access and their decisions, runs that are over."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from api.accounts.models import MemberRole
from api.core.settings import Settings
from api.worker.app import run as run_jobs
from tests.integration.test_corrections import answered
from tests.support.mail import Mailbox, mail_server
from tests.support.service import OPEN, Service, choice_pack
from tests.support.sql import sql
from tests.support.visitor import Visitor, enter


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mail_server() as found:
        yield found


def mailing(settings: Settings, box: Mailbox, **more: Any) -> Settings:
    mail = {
        "smtp_host": "127.0.0.1",
        "smtp_port": box.port,
        "smtp_security": "none",
        "mail_from": "Heldout <no-reply@heldout.example>",
        "public_url": "http://127.0.0.1:8080",
    }
    return settings.model_copy(update=mail | more)


@pytest.fixture
async def posting(settings: Settings, box: Mailbox) -> AsyncIterator[Service]:
    async with Service.running(mailing(settings, box)) as service:
        yield service


async def waiting(service: Service) -> list[Any]:
    async with service.admin.session() as session:
        query = "select status::text, args::text from queue.procrastinate_jobs where task_name = 'send_letter'"
        return list((await sql(session, query)).all())


async def invite(owner: Visitor, email: str) -> None:
    await owner.fill("/o/owners", "/o/owners/invitations", {"role": "member", "email": email})


async def test_an_invitation_is_sent_to_its_address_and_its_link_works(posting: Service, box: Mailbox) -> None:
    owner = await enter(posting, "olga@example.org", "owners")
    await invite(owner, "ida@example.org")
    [(_, arguments)] = await waiting(posting)
    assert "example.org" not in arguments, "neither link nor address lies open in the queue"
    assert box.letters == []
    await posting.work()
    [letter] = box.letters
    assert (letter["To"], letter["From"]) == ("ida@example.org", "Heldout <no-reply@heldout.example>")
    assert letter["Subject"] == "Invitation to owners"
    assert letter["Auto-Submitted"] == "auto-generated"
    found = re.search(r"http://127.0.0.1:8080(/invite\?token=[\w-]+)", letter.get_content())
    assert found
    ida = await enter(posting, "ida@example.org")
    assert "owners" in (await ida.get(found[1])).text
    assert await waiting(posting) == []
    await invite(owner, "")
    await posting.work()
    assert len(box.letters) == 1, "an invitation for nobody in particular is sent to nobody"


async def test_owners_hear_of_a_request_and_the_applicant_of_the_decision(posting: Service, box: Mailbox) -> None:
    await posting.publish(choice_pack(agreement=True, approval=True))
    owner = await enter(posting, "olga@example.org", "owners")
    await enter(posting, "mo@example.org", "owners", role=MemberRole.MEMBER)
    ada = await posting.reader()
    for _ in range(2):
        assert (await ada.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada"})).status_code == 201
    await posting.work()
    [asked] = box.letters
    assert (asked["To"], asked["Subject"]) == ("olga@example.org", "lab asks for access to Quiz")
    assert "http://127.0.0.1:8080/b/quiz/access" in asked.get_content()
    await owner.get("/b/quiz/access")
    action = re.search(r'action="(/b/quiz/access/agr_\w+)"', owner.page)
    assert action
    await owner.post(action[1], {"decision": "declined", "reason": "We know of no such lab."})
    await posting.work()
    assert (box.letters[1]["To"], box.letters[1]["Subject"]) == ("ada@example.org", "Access to Quiz: declined")
    assert "We know of no such lab." in box.letters[1].get_content()


async def letters_wanted(service: Service) -> Visitor:
    ada = await enter(service, "ada@example.org", "lab")
    assert (await ada.fill("/account", "/account/letters", {"run_letters": "true"})).status_code == 303
    assert "checked" in (await ada.get("/account")).text
    return ada


async def test_a_run_that_is_over_is_told_to_who_wants_it_and_without_a_score(posting: Service, box: Mailbox) -> None:
    await posting.publish(choice_pack(hidden=OPEN))
    reader = await posting.reader()
    await answered(reader, "quiet")
    await posting.work()
    assert box.letters == [], "nobody is written to unasked"
    ada = await letters_wanted(posting)
    done = await answered(reader, "loud", test_0="D")
    await posting.work()
    [letter] = box.letters
    assert letter["Subject"] == "loud on Quiz: the run is over"
    submission = done.headers["location"].rpartition("/")[2]
    assert f"http://127.0.0.1:8080/s/{submission}" in letter.get_content()
    assert not re.search(r"0\.\d{2}|correct|rank", letter.get_content())
    await ada.fill("/account", "/account/letters", {})
    await answered(reader, "off")
    await posting.work()
    assert len(box.letters) == 1


async def test_a_hidden_split_is_told_of_at_its_decision_and_not_when_graded(posting: Service, box: Mailbox) -> None:
    await posting.publish(choice_pack(hidden={"feedback": "scores"}))
    await letters_wanted(posting)
    await answered(await posting.reader(), "secret", test_0="D")
    for _ in range(3):
        await run_jobs(posting.worker, wait=False)
    assert box.letters == [], "graded, and not decided on the clock"
    for _ in range(2):  # decided, then sent
        await posting.work()
    assert [letter["Subject"] for letter in box.letters] == ["secret on Quiz: the run is over"]


async def test_a_server_that_is_busy_is_tried_again_and_one_that_refuses_is_not(posting: Service, box: Mailbox) -> None:
    owner = await enter(posting, "olga@example.org", "owners")
    box.answers = ["451 try later"]
    await invite(owner, "ida@example.org")
    await posting.work(may_fail=True)
    assert box.letters == []
    [(status, _)] = await waiting(posting)
    assert status == "todo"
    async with posting.admin.session() as session:
        await sql(session, "update queue.procrastinate_jobs set scheduled_at = now()")
    await posting.work(may_fail=True)
    assert [letter["To"] for letter in box.letters] == ["ida@example.org"]
    box.answers = ["554 no such thing here"]
    await invite(owner, "ivo@example.org")
    await posting.work()
    assert (len(box.letters), await waiting(posting)) == (1, [])


async def test_the_password_is_read_from_its_file(settings: Settings, box: Mailbox) -> None:
    secret = settings.data_dir / "smtp-password"
    secret.write_text("right\n")
    async with Service.running(mailing(settings, box, smtp_user="heldout", smtp_password_file=secret)) as service:
        await invite(await enter(service, "olga@example.org", "owners"), "ida@example.org")
        await service.work()
    assert (len(box.letters), box.users) == (1, [(b"heldout", b"right")])


async def test_without_a_mail_server_nothing_is_queued_and_half_a_setting_is_refused(service: Service) -> None:
    owner = await enter(service, "olga@example.org", "owners")
    await invite(owner, "ida@example.org")
    assert await waiting(service) == []
    assert "E-mail</h2>" not in (await owner.get("/account")).text
    with pytest.raises(ValidationError, match="HELDOUT_MAIL_FROM"):
        Settings(smtp_host="mail.example.org")
    with pytest.raises(ValidationError, match="HELDOUT_SMTP_PASSWORD_FILE"):
        Settings(smtp_host="mail.example.org", mail_from="a@example.org", smtp_user="a")


async def asked_for_link(service: Service, email: str) -> tuple[Visitor, str]:
    """A new browser that asks for a link, and what its page says."""
    browser = Visitor.of(service)
    reply = await browser.fill("/login", "/login/email", {"email": email})
    assert reply.status_code == 200
    return browser, browser.text().replace(email, "THEM")


async def test_a_stranger_signs_in_by_a_letter_and_makes_an_organisation(posting: Service, box: Mailbox) -> None:
    browser, told = await asked_for_link(posting, "Sue@Example.org")
    await posting.work()
    [letter] = box.letters
    assert (letter["To"], letter["Subject"]) == ("sue@example.org", "Sign in on Heldout")
    found = re.search(r"http://127.0.0.1:8080(/login/link\?token=([\w-]+))", letter.get_content())
    assert found
    assert found[2] not in browser.page
    done = await browser.fill(found[1], "/login/link", {"token": found[2]})
    assert (done.status_code, done.headers["location"]) == (303, "/account")
    made = await browser.fill("/account", "/account/organisations", {"name": "Sue's Lab", "slug": "sues-lab"})
    assert made.headers["location"] == "/o/sues-lab"
    again = Visitor.of(posting)
    assert (await again.fill(found[1], "/login/link", {"token": found[2]})).status_code >= 400, "it works once"
    assert (await asked_for_link(posting, "nobody@example.org"))[1] == told, "the page says the same whoever that is"


async def test_three_links_of_an_address_wait_at_most(posting: Service, box: Mailbox) -> None:
    for _ in range(5):
        await asked_for_link(posting, "sue@example.org")
    await posting.work()
    assert len(box.letters) == 3
    browser = Visitor.of(posting)
    assert (await browser.fill("/login", "/login/email", {"email": "no address"})).status_code == 422


async def test_where_accounts_are_closed_only_the_invited_are_written_to(settings: Settings, box: Mailbox) -> None:
    async with Service.running(mailing(settings, box, login_open=False)) as service:
        _, told = await asked_for_link(service, "eve@example.org")
        owner = await enter(service, "olga@example.org", "owners")
        await invite(owner, "ida@example.org")
        assert (await asked_for_link(service, "ida@example.org"))[1] == told
        await service.work()
    assert sorted((letter["To"], letter["Subject"]) for letter in box.letters) == [
        ("ida@example.org", "Invitation to owners"),
        ("ida@example.org", "Sign in on Heldout"),
    ]


async def test_without_a_mail_server_there_is_no_such_way_in(service: Service) -> None:
    browser = Visitor.of(service)
    assert "/login/email" not in (await browser.get("/login")).text
    await browser.get("/login/link?token=none")
    assert (await browser.post("/login/email", {"email": "sue@example.org"})).status_code == 404
