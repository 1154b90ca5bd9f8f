"""What an owner may see of a hidden split's board by groups of items, and that an owner who takes part sees nothing."""

import pytest

from api.feedback.errors import OwnerTakesPartError
from api.worker.grouping import groups_of
from tests.integration.test_feedback_releases import SEALED, _submit, _tick, _verified
from tests.support.service import Service, choice_pack


async def test_an_owner_sees_bands_of_large_groups_until_a_member_takes_part(service: Service) -> None:
    await service.publish(choice_pack(count=160, hidden=SEALED))
    ada = await _verified(service, "ada")
    one = await _submit(service, ada, 0, "m")
    (await ada.post(f"/v1/submissions/{one['id']}/select")).raise_for_status()
    await _tick(service)
    async with service.admin.session() as session:
        (entry,) = await groups_of(session, service.settings, "quiz", "test")
    assert (entry.organisation, entry.model) == ("ada", "m")
    assert [(band.group, band.items) for band in entry.types] == [("multiple_choice", 112)]
    assert {band.group for band in entry.subjects} <= {"s0", "s1"}
    assert all(band.items >= 50 and band.to_score == 1.0 for band in (*entry.subjects, *entry.types))
    # A member of the owning organisation is a member of one that takes part, too.
    await service.reader("ada@example.org", "owners")
    async with service.admin.session() as session:
        with pytest.raises(OwnerTakesPartError, match="ada"):
            await groups_of(session, service.settings, "quiz", "test")
