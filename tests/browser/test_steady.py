"""While an answer is written, nothing that is shown already moves within the conversation."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest_asyncio
from playwright.async_api import Page, expect

from assent.testing import Databases
from assent.testing.provider import call, end, stream, text
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.office import Office, open_office
from tests.browser.test_chat import find_answers, say

ANSWER = """## What there is

Some words about it, **strong** ones and `code`, long enough to need more than one line of a page \
that is not very wide, and then some.

- one that is short
- one more, with a [link](https://example.com/somewhere)
  1. first
  2. second

| system | state |
|---|---|
| checkout | fine |
| search | slow |

```sh
assent doctor
assent audit verify
```

> Quoted.

### The end

That was all."""

# What is shown may not move up or down against the beginning of the conversation, nor anywhere by
# the browser's own account; a table may still find its widths. The sign that something is coming
# stays at the end.
WATCH = """() => {
  window.moved = [];
  window.shifts = [];
  const places = new Map();
  const look = () => {
    const log = document.querySelector("[role=log]");
    if (!log) return;
    const origin = log.getBoundingClientRect().top;
    const blocks = log.querySelectorAll(
      "article > :not(.sr-only, [role=status]), .markdown > *, .markdown li, .markdown tr");
    for (const block of blocks) {
      const top = Math.round(block.getBoundingClientRect().top - origin);
      const was = places.get(block);
      if (was !== undefined && was !== top) moved.push([block.outerHTML.slice(0, 80), was, top]);
      places.set(block, top);
    }
  };
  const again = () => { look(); requestAnimationFrame(again); };
  again();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const { node, previousRect: was, currentRect: now } of entry.sources) {
        const within = node?.parentElement?.closest("[role=log]");
        const isSign = node?.parentElement?.querySelector(":scope > [role=status]") === node;
        if (!within || isSign || was.y === now.y) continue;
        shifts.push([node.outerHTML?.slice(0, 80) ?? node.data, was.y, now.y]);
      }
    }
  }).observe({ type: "layout-shift" });
}"""


@pytest_asyncio.fixture
async def office(databases: Databases) -> AsyncGenerator[Office]:
    async with open_office(databases) as opened:
        yield opened


def split(whole: str, size: int = 7) -> list[str]:
    return [whole[at : at + size] for at in range(0, len(whole), size)]


async def read_movements(page: Page) -> dict[str, Any]:
    return await page.evaluate("({ moved, shifts })")


async def test_nothing_moves_while_an_answer_is_written(
    office: Office, open_page: OpenPage
) -> None:
    client = office.client
    systems = (await client.get("/api/p/catalog/systems")).json()["items"]
    arguments = json.dumps({"systemId": systems[0]["id"]})
    office.provider.script(
        stream(text("Hello."), end()),
        stream(
            text(*split(ANSWER)),
            call("catalog_deleteSystem", arguments),
            end("tool_calls"),
            pause=0.02,
        ),
        stream(text(*split("There is a card above. " * 12)), end(), pause=0.02),
    )
    chat = await office.open_chat()
    page = await sign_in_by_link(office.server, await open_page(), f"/chat/{chat}")
    await say(page, "Hello")
    await expect(find_answers(page).get_by_role("button", name="Copy", exact=True)).to_be_visible()
    await page.evaluate(WATCH)
    await say(page, "Tell me everything, and delete one")
    await expect(page.get_by_role("button", name="Apply", exact=True)).to_be_visible()
    await expect(find_answers(page).last).to_contain_text("That was all.")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    seen = await read_movements(page)
    assert seen == {"moved": [], "shifts": []}
