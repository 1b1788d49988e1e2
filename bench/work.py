"""How close background work comes to what Postgres itself needs, in one run on a durable server.

Latency: from `enqueue` to the handler's start, beside a bare NOTIFY round trip. Throughput: rows
from queued to done, beside bare single-row updates that commit one by one.
"""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import asyncpg

from assent.db.database import Database, open_database
from assent.db.embedded import EmbeddedPostgres
from assent.db.migrate import migrate
from assent.main import list_components, load_all_plugins
from assent.settings import Settings
from assent.work.lease import Job
from assent.work.queue import enqueue
from assent.work.worker import Worker

LATENCIES = 200
ROWS = 2000
CONCURRENCY = 8


async def measure_latency(database: Database, started: asyncio.Queue[float]) -> float:
    taken = []
    for _ in range(LATENCIES):
        async with database.transaction() as db:
            await enqueue(db, kind="bench", payload={})
            asked = time.perf_counter()
        taken.append(await started.get() - asked)
    return statistics.median(taken)


async def measure_throughput(database: Database, started: asyncio.Queue[float]) -> float:
    async with database.transaction() as db:
        for _ in range(ROWS):
            await enqueue(db, kind="bench", payload={})
    begin = time.perf_counter()
    for _ in range(ROWS):
        await started.get()
    return ROWS / (time.perf_counter() - begin)


async def measure_notify(url: str) -> float:
    connection, other = await asyncpg.connect(url), await asyncpg.connect(url)
    heard: asyncio.Queue[float] = asyncio.Queue()
    await connection.add_listener("bench", lambda *_: heard.put_nowait(time.perf_counter()))
    taken = []
    for _ in range(LATENCIES):
        asked = time.perf_counter()
        await other.execute("NOTIFY bench")
        taken.append(await heard.get() - asked)
    await connection.close()
    await other.close()
    return statistics.median(taken)


async def measure_updates(database: Database) -> float:
    async with database.connection() as db:
        await db.execute("CREATE TABLE bench (id int PRIMARY KEY, n int)")
        await db.execute("INSERT INTO bench SELECT i, 0 FROM generate_series(1, 100) i")

    async def update(offset: int) -> None:
        async with database.connection() as db:
            for number in range(ROWS // CONCURRENCY):
                await db.execute("UPDATE bench SET n = n + 1 WHERE id = $1", offset + number % 12)

    begin = time.perf_counter()
    await asyncio.gather(*(update(1 + 12 * lane) for lane in range(CONCURRENCY)))
    return ROWS / (time.perf_counter() - begin)


async def run(url: str) -> None:
    database = await open_database(url, pool_size=CONCURRENCY + 4)
    await migrate(database, list_components(load_all_plugins(Settings())))
    started: asyncio.Queue[float] = asyncio.Queue()

    async def handle(_: Job) -> None:
        started.put_nowait(time.perf_counter())

    stop = asyncio.Event()
    worker = Worker(database, handlers={"bench": handle}, concurrency=CONCURRENCY)
    working = asyncio.create_task(worker.run(stop))
    await asyncio.sleep(1)
    latency, notify = await measure_latency(database, started), await measure_notify(url)
    rate, limit = await measure_throughput(database, started), await measure_updates(database)
    stop.set()
    await working
    await database.close()
    print(
        f"enqueue to start: {latency * 1000:6.2f} ms   NOTIFY round trip: {notify * 1000:6.2f} ms"
        f"   ratio {latency / notify:5.1f}"
    )
    print(
        f"work done:        {rate:6.0f} /s   committed updates: {limit:6.0f} /s"
        f"   ratio {rate / limit:5.2f}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as folder:
        postgres = EmbeddedPostgres(Path(folder))
        url = postgres.start().url
        try:
            asyncio.run(run(url))
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
