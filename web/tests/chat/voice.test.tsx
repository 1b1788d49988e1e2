import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { deafnessOf, type HeardEvent, withHeard } from "../../src/chat/dictation";
import { stored, text } from "./make";
import { composer, open, said, setStage, stage, wholeAnswer } from "./stage";

const heard = (...words: string[]): HeardEvent => ({
  results: words.map((transcript) => ({ isFinal: true, 0: { transcript } })),
});

class FakeRecognition {
  static last: FakeRecognition;
  continuous = false;
  interimResults = false;
  lang = "";
  onresult: ((event: HeardEvent) => void) | null = null;
  onerror: ((event: { error: string }) => void) | null = null;
  onend: (() => void) | null = null;
  start = vi.fn();
  stop = vi.fn();
  abort = vi.fn();
  constructor() {
    FakeRecognition.last = this;
  }
}

beforeEach(setStage);

describe("what was heard", () => {
  it.each([
    ["", heard("add", "a system"), "add a system"],
    ["Please", heard("add it"), "Please add it"],
    ["Please ", heard("add it"), "Please add it"],
    ["Please", heard(" "), "Please"],
  ])("after %j", (before, event, expected) => {
    expect(withHeard(before, event)).toBe(expected);
  });

  it.each([
    ["not-allowed", "denied"],
    ["network", "network"],
    ["aborted", null],
    ["language-not-supported", "failed"],
  ])("%s means %s", (error, expected) => {
    expect(deafnessOf(error)).toBe(expected);
  });
});

describe("dictating", () => {
  const start = async () => {
    vi.stubGlobal("SpeechRecognition", FakeRecognition);
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Dictate" }));
    return FakeRecognition.last;
  };

  it("is not offered where the browser cannot listen", async () => {
    open();
    await composer();
    expect(screen.queryByRole("button", { name: "Dictate" })).toBeNull();
  });

  it("shows words as they come, and the last ones after it was stopped", async () => {
    const recognition = await start();
    expect(recognition.interimResults).toBe(true);
    expect(screen.getByText(/Listening/u)).toBeVisible();
    act(() => recognition.onresult?.(heard("add a")));
    expect(await composer()).toHaveValue("add a");
    await userEvent.click(screen.getByRole("button", { name: "Stop listening" }));
    expect(recognition.stop).toHaveBeenCalledOnce();
    act(() => {
      recognition.onresult?.(heard("add a system"));
      recognition.onend?.();
    });
    expect(await composer()).toHaveValue("add a system");
    expect(screen.getByRole("button", { name: "Dictate" })).toBeVisible();
  });

  it("lets go as soon as somebody types", async () => {
    const recognition = await start();
    const hear = recognition.onresult;
    act(() => hear?.(heard("add")));
    await userEvent.type(await composer(), "ed");
    expect(recognition.abort).toHaveBeenCalled();
    expect(recognition.onresult).toBeNull();
    expect(await composer()).toHaveValue("added");
  });

  it("ends when the message is sent, and stays ended", async () => {
    stage.stream = wholeAnswer("Hi.");
    const recognition = await start();
    act(() => recognition.onresult?.(heard("hello")));
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(stage.sent).toHaveLength(1));
    expect(recognition.onresult).toBeNull();
    expect(await composer()).toHaveValue("");
  });

  it.each([
    ["not-allowed", /Allow it for this site/u],
    ["network", /needs a connection/u],
    ["audio-capture", /Connect one/u],
  ])("on %s it says a way forward", async (error, expected) => {
    const recognition = await start();
    act(() => {
      recognition.onerror?.({ error });
      recognition.onend?.();
    });
    expect(screen.getByText(expected)).toBeVisible();
    expect(screen.getByRole("button", { name: "Dictate" })).toBeVisible();
  });
});

describe("reading aloud", () => {
  class Utterance {
    onend: (() => void) | null = null;
    onerror: ((event: { error: string }) => void) | null = null;
    text: string;
    constructor(text: string) {
      this.text = text;
    }
  }
  const spoken: Utterance[] = [];
  const cancel = vi.fn();

  beforeEach(() => {
    spoken.length = 0;
    cancel.mockClear();
    vi.stubGlobal("SpeechSynthesisUtterance", Utterance);
    vi.stubGlobal("speechSynthesis", { speak: (one: Utterance) => spoken.push(one), cancel });
    stage.messages = [
      said(1, "hello"),
      stored(2, "assistant", [text("One. Two.\n```\ncode\n```")]),
      said(3, "more"),
      stored(4, "assistant", [text("Three.")]),
    ];
  });

  it("speaks the sentences without code, and is over after the last", async () => {
    open();
    const [first] = await screen.findAllByRole("button", { name: "Read aloud" });
    await userEvent.click(first as HTMLElement);
    expect(spoken.map((one) => one.text)).toEqual(["One.", "Two."]);
    expect(screen.getByRole("button", { name: "Stop reading" })).toBeVisible();
    act(() => spoken[1]?.onend?.());
    expect(screen.queryByRole("button", { name: "Stop reading" })).toBeNull();
  });

  it("reads one at a time, and stops", async () => {
    open();
    const [first, second] = await screen.findAllByRole("button", { name: "Read aloud" });
    await userEvent.click(first as HTMLElement);
    await userEvent.click(second as HTMLElement);
    expect(spoken.at(-1)?.text).toBe("Three.");
    expect(screen.getAllByRole("button", { name: "Stop reading" })).toHaveLength(1);
    act(() => spoken[1]?.onend?.());
    expect(screen.getByRole("button", { name: "Stop reading" })).toBeVisible();
    cancel.mockClear();
    await userEvent.click(screen.getByRole("button", { name: "Stop reading" }));
    expect(cancel).toHaveBeenCalled();
    expect(screen.queryByRole("button", { name: "Stop reading" })).toBeNull();
  });

  it("says when the browser has no voice that works", async () => {
    open();
    const [first] = await screen.findAllByRole("button", { name: "Read aloud" });
    await userEvent.click(first as HTMLElement);
    act(() => spoken[0]?.onerror?.({ error: "synthesis-failed" }));
    expect(await screen.findByText(/could not read it aloud/u)).toBeVisible();
  });
});

describe("keys in the composer", () => {
  it("Up writes the last message anew, unless something is typed", async () => {
    stage.messages = [said(1, "hello"), stored(2, "assistant", [text("Hi.")])];
    open();
    await userEvent.type(await composer(), "x{ArrowUp}");
    expect(screen.queryByRole("textbox", { name: "Message, written anew" })).toBeNull();
    await userEvent.type(await composer(), "{Backspace}{ArrowUp}");
    expect(await screen.findByRole("textbox", { name: "Message, written anew" })).toHaveValue(
      "hello",
    );
  });
});
