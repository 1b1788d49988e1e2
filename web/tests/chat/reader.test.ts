import { afterEach, describe, expect, it, vi } from "vitest";
import { followReader } from "../../src/chat/reader";

const box = document.createElement("div");
const child = box.appendChild(document.createElement("button"));
document.body.append(box);

let time = 0;
let leave = () => {};

function follow() {
  time = 10_000;
  const reader = followReader(box, () => time);
  leave = reader.leave;
  return reader;
}

afterEach(() => leave());

describe("who scrolls", () => {
  it("is the reader while nothing changes its size", () => {
    expect(follow().scrolls()).toBe(true);
  });

  it("is the browser right after something has changed its size", () => {
    const reader = follow();
    reader.seeChange();
    expect(reader.scrolls()).toBe(false);
    time += 301;
    expect(reader.scrolls()).toBe(true);
  });

  it("is the browser when it is shorter than before, whoever is told first", () => {
    const height = vi.spyOn(box, "scrollHeight", "get").mockReturnValue(1792);
    const reader = follow();
    height.mockReturnValue(1457);
    expect(reader.scrolls()).toBe(false);
    time += 301;
    expect(reader.scrolls()).toBe(true);
    height.mockRestore();
  });

  it.each([
    ["the wheel", () => new Event("wheel")],
    ["a finger", () => new Event("touchmove")],
    ["a key that scrolls", () => new KeyboardEvent("keydown", { key: "PageUp" })],
  ])("is the reader who has just used %s", (_, gesture) => {
    const reader = follow();
    box.dispatchEvent(gesture());
    reader.seeChange();
    expect(reader.scrolls()).toBe(true);
    time += 801;
    reader.seeChange();
    expect(reader.scrolls()).toBe(false);
  });

  it("is the reader who holds the scrollbar, and not one who presses a button", () => {
    const reader = follow();
    reader.seeChange();
    child.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(reader.scrolls()).toBe(false);
    window.dispatchEvent(new Event("pointerup"));
    box.dispatchEvent(new Event("pointerdown"));
    time += 60_000;
    reader.seeChange();
    expect(reader.scrolls()).toBe(true);
    window.dispatchEvent(new Event("pointerup"));
    time += 801;
    reader.seeChange();
    expect(reader.scrolls()).toBe(false);
  });

  it("is not asked any more once the chat is gone", () => {
    const reader = follow();
    reader.seeChange();
    reader.leave();
    box.dispatchEvent(new Event("wheel"));
    expect(reader.scrolls()).toBe(false);
  });
});
