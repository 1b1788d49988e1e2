"""Ways to say something besides typing, and to hear the answer; chats of one workspace."""

import pytest
from playwright.async_api import Page, expect

from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_answers, find_composer, say

EARS = """
window.SpeechRecognition = window.webkitSpeechRecognition = class {
  start() { window.ears = this; }
  stop() { this.onend?.(); }
  abort() {}
};
"""
HEAR = """(words) => ears.onresult?.({
  results: words.map((transcript) => Object.assign([{ transcript }], { isFinal: false })),
})"""
FAIL = "(error) => { ears.onerror({ error }); ears.onend(); }"
VOICE = """
window.spoken = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  speak: (utterance) => spoken.push(utterance),
  cancel: () => { window.cancelled = true; },
} });
"""
GIVE_FILE = """(kind) => {
  const data = new DataTransfer();
  data.items.add(new File(["a note"], "note.txt", { type: "text/plain" }));
  const input = document.querySelector("[data-composer]");
  const event = kind === "paste"
    ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
    : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
  input.dispatchEvent(event);
}"""


async def start(server: RunningServer, page: Page) -> Page:
    await sign_in_by_link(server, page)
    await expect(find_composer(page)).to_be_visible()
    return page


async def test_a_message_is_dictated(quick: RunningServer, open_page: OpenPage) -> None:
    page = await open_page()
    await page.add_init_script(EARS)
    await start(quick, page)
    await page.get_by_role("button", name="Dictate").click()
    await expect(page.get_by_text("Listening. Speak now.")).to_be_visible()
    await page.evaluate(HEAR, ["which"])
    await expect(find_composer(page)).to_have_value("which")
    await page.evaluate(HEAR, ["which systems", "do we have"])
    await page.get_by_role("button", name="Stop listening").click()
    await expect(page.get_by_role("button", name="Dictate")).to_be_visible()
    await expect(find_composer(page)).to_have_value("which systems do we have")
    await find_composer(page).press("Enter")
    await expect(find_answers(page)).to_contain_text("postgres")

    await page.get_by_role("button", name="Dictate").click()
    await page.evaluate(FAIL, "not-allowed")
    await expect(page.get_by_text("Allow it for this site")).to_be_visible()
    await page.get_by_role("button", name="Dictate").click()
    await page.evaluate(FAIL, "network")
    await expect(page.get_by_text("needs a connection to understand")).to_be_visible()


async def test_an_answer_is_read_aloud(quick: RunningServer, open_page: OpenPage) -> None:
    page = await open_page()
    await page.add_init_script(VOICE)
    await start(quick, page)
    await say(page, "which systems do we have?")
    await page.get_by_role("button", name="Read aloud").click()
    await expect(page.get_by_role("button", name="Stop reading")).to_be_visible()
    said = await page.evaluate("spoken.map(({ text }) => text)")
    assert said == ["There are 5 systems:"], "the table is not read"
    await page.get_by_role("button", name="Stop reading").click()
    await expect(page.get_by_role("button", name="Read aloud")).to_be_visible()
    assert await page.evaluate("window.cancelled")


@pytest.mark.parametrize("way", ["button", "paste", "drop"])
async def test_a_file_is_attached(quick: RunningServer, open_page: OpenPage, way: str) -> None:
    page = await start(quick, await open_page())
    if way == "button":
        async with page.expect_file_chooser() as chosen:
            await page.get_by_role("button", name="Attach files").click()
        chooser = await chosen.value
        await chooser.set_files({"name": "note.txt", "mimeType": "text/plain", "buffer": b"a note"})
    elif way == "paste":
        await page.evaluate(GIVE_FILE, "paste")
    else:
        await page.evaluate(GIVE_FILE, "dragover")
        await expect(page.get_by_text("Drop files to attach them")).to_be_visible()
        await page.evaluate(GIVE_FILE, "drop")
        await expect(page.get_by_text("Drop files to attach them")).to_have_count(0)
    files = page.locator("form").get_by_role("list", name="Attached files")
    await expect(files).to_contain_text("note.txt")
    await expect(files.get_by_role("progressbar")).to_have_count(0)
    await say(page, "which systems do we have?")
    await expect(page.get_by_role("article", name="You said")).to_contain_text("note.txt")
    await expect(files).to_have_count(0)


async def test_chats_of_one_workspace_or_of_all(quick: RunningServer, open_page: OpenPage) -> None:
    page = await start(quick, await open_page())
    chats = page.get_by_role("region", name="Your chats")
    await say(page, "which systems do we have?")
    await expect(chats.get_by_role("link")).to_have_count(1)
    await page.get_by_role("button", name="Workspace: All workspaces").click()
    await page.get_by_role("menuitemradio", name="Demo").click()
    await expect(chats.get_by_text("No chats here yet.")).to_be_visible()

    await page.get_by_role("link", name="New chat", exact=True).click()
    await expect(page.get_by_role("button", name="What can you do?")).to_be_visible()
    await say(page, "which environments do we have?")
    await expect(chats.get_by_role("link")).to_have_count(1)
    await expect(chats.get_by_role("link")).to_contain_text("environments")
    await chats.get_by_role("button", name="All", exact=True).click()
    await expect(chats.get_by_role("link")).to_have_count(2)
    await page.reload()
    await expect(chats.get_by_role("link")).to_have_count(2)
    await chats.get_by_role("button", name="This workspace").click()
    await expect(chats.get_by_role("link")).to_have_count(1)
