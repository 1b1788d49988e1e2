"""What authorization, scope, audit-ready transactions and schemas cost per request.

Side by side in one run, one server process each: our `GET /api/p/catalog/systems` with a session,
and a bare FastAPI route that runs the same SQL on the same database without asking who calls.
"""

import asyncio
import multiprocessing
import statistics
import time
from collections.abc import Callable
from contextlib import asynccontextmanager

import asyncpg
import uvicorn
from fastapi import FastAPI

from assent.bundled.catalog.store.systems import LIST
from assent.bundled.catalog.values import System
from assent.main import load_all_plugins
from assent.serve import open_listener
from assent.settings import Settings
from assent.testing import Databases, run_server
from assent.value import Page

CONNECTIONS = 8
REQUESTS = 2000
ROUNDS = 3


async def serve_ours(url: str, ready: Callable[[int, str], None]) -> None:
    async with run_server(url, demo=True, background_work=False, log_level="warning") as server:
        admin = await server.open_admin()
        cookie = "; ".join(f"{name}={value}" for name, value in admin.cookies.items())
        ready(server.settings.port, cookie)
        await asyncio.Event().wait()


async def serve_bare(url: str, ready: Callable[[int, str], None]) -> None:
    @asynccontextmanager
    async def lifespan(app: FastAPI):
        async with asyncpg.create_pool(url, min_size=2, max_size=10) as pool:
            app.state.pool = pool
            app.state.tenant = await pool.fetchval("SELECT id FROM tenants")
            yield

    app = FastAPI(lifespan=lifespan)

    @app.get("/api/p/catalog/systems")
    async def list_systems() -> Page[System]:
        arguments = [app.state.tenant, True, [], [], None, "", None, None, 51, None, None]
        rows = await app.state.pool.fetch(LIST, *arguments)
        return Page[System](items=[System(**row) for row in rows])

    listener = open_listener(Settings(port=0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    ready(listener.getsockname()[1], "")
    await serving


def start(target: Callable[..., object], url: str) -> tuple[multiprocessing.Process, int, str]:
    ours, theirs = multiprocessing.Pipe()

    def run() -> None:
        asyncio.run(target(url, lambda port, cookie: theirs.send((port, cookie))))

    process = multiprocessing.get_context("fork").Process(target=run, daemon=True)
    process.start()
    port, cookie = ours.recv()
    return process, port, cookie


async def load(port: int, cookie: str) -> float:
    """Requests per second over kept-alive connections."""
    head = f"GET /api/p/catalog/systems HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
    request = (head + (f"cookie: {cookie}\r\n" if cookie else "") + "\r\n").encode()

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(REQUESTS // CONNECTIONS):
            writer.write(request)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200"), answer
            length = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return REQUESTS / (time.perf_counter() - started)


def main() -> None:
    databases = Databases()
    databases.start()
    asyncio.run(databases.make_template(load_all_plugins(Settings())))
    url = databases.url("assent_template")
    processes = []
    try:
        ours, our_port, cookie = start(serve_ours, url)
        processes.append(ours)
        bare, bare_port, _ = start(serve_bare, url)
        processes.append(bare)
        rates: dict[str, list[float]] = {"bare FastAPI": [], "assent": []}
        for _ in range(ROUNDS):
            rates["bare FastAPI"].append(asyncio.run(load(bare_port, "")))
            rates["assent"].append(asyncio.run(load(our_port, cookie)))
        middle = {name: statistics.median(values) for name, values in rates.items()}
        for name, rate in middle.items():
            print(f"{name:>14}: {rate:7.0f} requests/s")
        print(f"{'ratio':>14}: {middle['assent'] / middle['bare FastAPI']:7.2f}")
    finally:
        for process in processes:
            process.kill()
            process.join()
        databases.stop()


if __name__ == "__main__":
    main()
