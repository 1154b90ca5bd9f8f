"""Sealing the exposure ledger into its hash chain, and checking the chain."""

from api.core.db import AsyncSession
from api.ledger.repository import LedgerRepository
from api.ledger.schemas import LedgerCheck
from protection.chain import GENESIS, Link, extend, first_broken

BATCH = 5_000


async def seal(session: AsyncSession) -> int:
    """Take rows of the ledger into the chain, one sealer at a time. Returns how many."""
    repository = LedgerRepository(session)
    rows = await repository.unsealed(BATCH)
    if not rows:
        return 0
    await repository.lock_chain()
    rows = await repository.unsealed(BATCH)
    head = await repository.head()
    hashes = extend(head.hash if head else GENESIS, [row.content() for row in rows])
    if rows:
        await repository.seal(head.number + 1 if head else 1, [row.id for row in rows if row.id is not None], hashes)
    return len(rows)


async def check(session: AsyncSession) -> LedgerCheck:
    """Walk the whole chain and name the first row of the ledger that was changed, removed or put in later."""
    repository = LedgerRepository(session)
    head, number = GENESIS, 0
    while rows := await repository.chain(number, BATCH):
        # A removed seal shows as a gap in the numbers, a removed row as empty columns.
        gaps = [index for index, row in enumerate(rows) if row.number != number + 1 + index]
        broken = first_broken([Link(row.content(), row.hash) for row in rows], head)
        if gaps or broken:
            at = rows[min([*gaps, *([broken.index] if broken else [])])]
            return LedgerCheck(holds=False, rows=at.number - 1, head=head, broken=at.exposure_id)
        head, number = rows[-1].hash, rows[-1].number
    return LedgerCheck(holds=True, rows=number, head=head, unsealed=len(await repository.unsealed(BATCH)))
