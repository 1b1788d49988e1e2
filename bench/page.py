"""The chat page in a real Chromium: how much it loads, how soon it paints, how smoothly it scrolls.

`warm` is a second visit, with the browser's cache filled. A long task is one that keeps the page
from reacting for more than 50 ms; what it takes over that is the time that is lost. All of it runs
beside the server and its Postgres on the same cores.
"""

import asyncio
import gzip
import re
import shutil
import statistics
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from assent.api.pages import FOLDER
from assent.main import load_all_plugins
from assent.settings import Settings
from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.long_chat import write_long_chat

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
ROUNDS = 5
LENGTHS = (50, 500, 3000)
MOST_SCRIPT_KB = 350
MOST_WARM_PAINT_MS = 1000
SCROLLER = "document.querySelector('[role=log]').parentElement.parentElement"
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SCROLL_TO_TOP = f"""async () => {{
  const box = {SCROLLER};
  const frame = () => new Promise(requestAnimationFrame);
  const gaps = [];
  let idle = 0, last = performance.now();
  while (idle < 120) {{
    box.dispatchEvent(new Event("wheel"));
    box.scrollBy({{ top: -300, behavior: "instant" }});
    await frame();
    gaps.push(performance.now() - last);
    last = performance.now();
    idle = box.scrollTop > 0 ? 0 : idle + 1;
  }}
  return gaps.sort((one, other) => one - other);
}}"""


async def open_context(browser: Browser, server: RunningServer, client: Client) -> BrowserContext:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    await context.add_init_script(WATCH)
    await context.add_cookies(
        [
            {"name": one.name, "value": one.value or "", "url": server.url}
            for one in client.cookies.jar
        ]
    )
    return context


async def visit(context: BrowserContext, url: str) -> tuple[Page, float]:
    """The page, and when what was said last was there to be read."""
    page = await context.new_page()
    await page.goto(url)
    await page.wait_for_selector("[role=log] > :last-child .markdown, [role=log] > p")
    shown = await page.evaluate("performance.now()")
    return page, shown


def weigh(names: set[str]) -> float:
    """Kilobytes, compressed as a server sends them."""
    files = [FOLDER / "assets" / name for name in names]
    return sum(len(gzip.compress(file.read_bytes(), 6)) for file in files) / 1000


async def weigh_scripts(
    browser: Browser, server: RunningServer, client: Client, path: str
) -> float:
    context = await open_context(browser, server, client)
    page, asked = await context.new_page(), set[str]()
    page.on("request", lambda one: asked.update(re.findall(r"/assets/([^/]+\.js)$", one.url)))
    await page.goto(server.url + path)
    await page.wait_for_selector("textarea")
    await context.close()
    return weigh(asked)


async def paint(browser: Browser, server: RunningServer, client: Client, path: str) -> list[float]:
    """First contentful paint and the last message: cold, then the median of warm visits."""
    context = await open_context(browser, server, client)
    rounds: list[tuple[float, float]] = []
    for _ in range(ROUNDS + 1):
        page, shown = await visit(context, server.url + path)
        rounds.append((await page.evaluate(PAINT), shown))
        await page.close()
    await context.close()
    warm = [statistics.median(values) for values in zip(*rounds[1:], strict=True)]
    return [*rounds[0], *warm]


async def scroll(
    browser: Browser, server: RunningServer, client: Client, path: str
) -> dict[str, Any]:
    """From the newest message to the first, as fast as frames come."""
    context = await open_context(browser, server, client)
    page, _ = await visit(context, server.url + path)
    await page.evaluate("longTasks.length = 0")
    gaps = await page.evaluate(SCROLL_TO_TOP)
    tasks = await page.evaluate("longTasks")
    found = {
        "frames": len(gaps),
        "gap p50": gaps[len(gaps) // 2],
        "gap p99": gaps[int(len(gaps) * 0.99)],
        "gap max": gaps[-1],
        "long tasks": len(tasks),
        "lost ms": sum(one - 50 for one in tasks),
        "messages": await page.locator("[role=log] > article").count(),
    }
    await context.close()
    return found


async def measure(browser: Browser, server: RunningServer) -> None:
    client = await server.open_admin()
    chats = {count: (await write_long_chat(server, client, count))[0] for count in LENGTHS}
    async with server.database.transaction() as db:
        await db.execute("ANALYZE")
    fresh = (await client.post("/api/conversations", json={})).json()["id"]
    for name, chat in (("an empty chat", fresh), ("a chat with answers", chats[LENGTHS[0]])):
        weight = await weigh_scripts(browser, server, client, f"/chat/{chat}")
        note = f" (limit {MOST_SCRIPT_KB}, ratio {weight / MOST_SCRIPT_KB:.2f})"
        print(f"JavaScript of {name}: {weight:.0f} kB gzip{note if chat == fresh else ''}")
    for count, chat in chats.items():
        cold, cold_last, warm, last = await paint(browser, server, client, f"/chat/{chat}")
        print(
            f"{count:>5} messages: first paint cold {cold:.0f} ms, warm {warm:.0f} ms"
            f" (limit {MOST_WARM_PAINT_MS}, ratio {warm / MOST_WARM_PAINT_MS:.2f});"
            f" last message cold {cold_last:.0f} ms, warm {last:.0f} ms"
        )
    for count, chat in chats.items():
        figures = await scroll(browser, server, client, f"/chat/{chat}")
        shown = ", ".join(f"{name} {value:.0f}" for name, value in figures.items())
        print(f"{count:>5} messages, scrolled to the first: {shown}")


async def run(databases: Databases) -> None:
    await databases.make_template(load_all_plugins(Settings()))
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
        async_playwright() as playwright,
    ):
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        await measure(browser, server)
        await browser.close()


def main() -> None:
    assert Path(FOLDER / "index.html").is_file(), "the pages are not built: make setup"
    databases = Databases()
    databases.start()
    try:
        asyncio.run(run(databases))
    finally:
        databases.stop()


if __name__ == "__main__":
    main()
