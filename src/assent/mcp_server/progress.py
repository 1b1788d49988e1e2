"""Telling the client how far a call has come, where it asked for that."""

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from mcp.shared.jsonrpc_dispatcher import progress_token_from_params

from assent.mcp_server.exchange import Exchange
from assent.plugins.procedure import Tell, tell_nobody
from assent.tools.part import Progress


class Progressing:
    """Tools tell without waiting. What they told is written in order, all of it before the answer.

    The protocol has progress grow: what does not is left out.
    """

    def __init__(self, exchange: Exchange, params: Mapping[str, Any] | None) -> None:
        self._exchange = exchange
        self._wanted = progress_token_from_params(params) is not None
        self._told: asyncio.Queue[Progress | None] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Tell:
        return self._tell if self._wanted else tell_nobody

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._writing is None:
            return
        if isinstance(error, asyncio.CancelledError):
            self._writing.cancel()
            return
        self._told.put_nowait(None)
        await self._writing

    def _tell(self, progress: Progress) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        self._told.put_nowait(progress)

    async def _write(self) -> None:
        furthest = -1
        while (progress := await self._told.get()) is not None:
            known = progress.encode()
            if known["done"] > furthest:
                furthest = known["done"]
                await self._exchange.progress(furthest, known.get("total"), known.get("text"))
