"""Accounts in the database, and what really happened to them."""

from uuid import UUID

from assent.db.database import Database
from assent.ids import new_id

INSERT = "INSERT INTO bank.accounts (id, tenant_id, name, balance) VALUES ($1, $2, $3, $4)"
TOUCH = "UPDATE bank.accounts SET version = version + 1 WHERE id = $1"
COUNT = "SELECT count(*) FROM bank.effects WHERE account_id = $1"
BALANCE = "SELECT balance FROM bank.accounts WHERE id = $1"


async def open_account(database: Database, tenant_id: UUID, *, balance: int = 0) -> UUID:
    account_id = new_id()
    async with database.transaction() as db:
        await db.execute(INSERT, account_id, tenant_id, f"account {account_id}", balance)
    return account_id


async def touch_account(database: Database, account_id: UUID) -> None:
    """Somebody else changes it."""
    async with database.transaction() as db:
        await db.execute(TOUCH, account_id)


async def count_effects(database: Database, account_id: UUID) -> int:
    async with database.transaction() as db:
        return await db.fetchval(COUNT, account_id)


async def find_balance(database: Database, account_id: UUID) -> int | None:
    async with database.transaction() as db:
        return await db.fetchval(BALANCE, account_id)
