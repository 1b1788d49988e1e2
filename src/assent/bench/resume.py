"""Coming back to a run under way: how long until all that was said is there again."""

import time

from assent.bench.client import open_stream
from assent.bench.figure import Figure, at_most
from assent.bench.meter import list_percentiles
from assent.bench.script import Script
from assent.bench.site import Site, wait_for_words
from assent.bench.size import Size

PACE = 0.001
TARGET = at_most(100)


async def measure_resume(site: Site, size: Size) -> list[Figure]:
    """Without `Last-Event-ID`, which is the most that there is to send again."""
    script = Script(words=size.events, pace=PACE, holds=True)
    run_id, stream = await site.start_run(script)
    await wait_for_words([stream], size.events)
    request = site.encode_follow(run_id)
    figures: list[Figure] = []
    for name, server in zip(("owner", "other"), site.stage.servers, strict=True):
        seconds: list[float] = []
        for _ in range(size.resumes):
            begun = time.monotonic()
            again = await open_stream(server.port, request)
            await wait_for_words([again], size.events)
            seconds.append(time.monotonic() - begun)
            again.close()
        where = "from the owning process" if name == "owner" else "from another process"
        at = {"process": name, "events": size.events}
        figures += list_percentiles("resume", where, seconds, at, TARGET)
    stream.close()
    return figures
