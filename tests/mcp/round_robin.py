"""A proxy that hands each new connection to the next server: who comes again comes elsewhere."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

CHUNK = 65_536


@dataclass(slots=True)
class RoundRobin:
    """`answered` counts the connections that each server got; one that is gone gets none."""

    ports: Sequence[int]
    answered: Counter[int] = field(default_factory=Counter[int])
    taken: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for port in self._take_turn():
            try:
                there, back = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionError:
                continue
            self.answered[port] += 1
            await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))
            return
        writer.close()

    def _take_turn(self) -> list[int]:
        first = self.taken % len(self.ports)
        self.taken += 1
        return [*self.ports[first:], *self.ports[:first]]


@asynccontextmanager
async def run_round_robin(port: int, ports: Sequence[int]) -> AsyncGenerator[RoundRobin]:
    proxy = RoundRobin(ports)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", port):
        yield proxy


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    with suppress(ConnectionError, RuntimeError):
        writer.close()
