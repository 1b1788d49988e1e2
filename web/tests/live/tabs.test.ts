import { afterEach, describe, expect, it, vi } from "vitest";
import type { LiveEvent } from "../../src/live/event";
import type { Listener } from "../../src/live/follow-events";
import { joinTabs } from "../../src/live/tabs";
import { FakeLocks } from "./locks";

const HELLO: LiveEvent = { type: "hello" };
const leaving: (() => void)[] = [];

/** Each tab has its own connection to follow; which of them does is what is tested. */
function openTab(name: string, locks: FakeLocks | undefined) {
  const heard: LiveEvent[] = [];
  const states: boolean[] = [];
  const connections: Listener[] = [];
  const follow = (listener: Listener, signal: AbortSignal) => {
    connections.push(listener);
    return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const leave = joinTabs(
    name,
    { onEvent: (event) => heard.push(event), onConnected: (now) => states.push(now) },
    { locks, follow },
  );
  leaving.push(leave);
  return { heard, states, connections, leave };
}

afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
});

describe("tabs with one connection", () => {
  it("lets one tab hold it, and all of them hear", async () => {
    const locks = new FakeLocks();
    const tabs = [1, 2, 3].map(() => openTab("one", locks));
    expect(tabs.map(({ connections }) => connections.length)).toEqual([1, 0, 0]);
    const [leader] = tabs;
    leader?.connections[0]?.onConnected(true);
    leader?.connections[0]?.onEvent(HELLO);
    await vi.waitFor(() => {
      for (const { heard, states } of tabs) {
        expect(heard).toEqual([HELLO]);
        expect(states.at(-1)).toBe(true);
      }
    });
  });

  it("goes on in another tab when the leader goes", async () => {
    const locks = new FakeLocks();
    const [first, second, third] = [1, 2, 3].map(() => openTab("two", locks));
    first?.connections[0]?.onConnected(true);
    await vi.waitFor(() => expect(third?.states.at(-1)).toBe(true));
    first?.leave();
    await vi.waitFor(() => expect(second?.connections).toHaveLength(1));
    await vi.waitFor(() => expect(third?.states.at(-1)).toBe(false));
    second?.connections[0]?.onEvent(HELLO);
    await vi.waitFor(() => expect(third?.heard).toEqual([HELLO]));
    expect(first?.heard).toEqual([]);
    expect(third?.connections).toEqual([]);
  });

  it("never gives the lead to a tab that has left", async () => {
    const locks = new FakeLocks();
    const [first, second, third] = [1, 2, 3].map(() => openTab("three", locks));
    second?.leave();
    first?.leave();
    await vi.waitFor(() => expect(third?.connections).toHaveLength(1));
    expect(second?.connections).toEqual([]);
  });

  it("tells a tab that comes later how things stand", async () => {
    const locks = new FakeLocks();
    const first = openTab("four", locks);
    first.connections[0]?.onConnected(true);
    const late = openTab("four", locks);
    await vi.waitFor(() => expect(late.states).toEqual([true]));
    expect(late.heard).toEqual([]);
  });

  it("keeps people apart", async () => {
    const locks = new FakeLocks();
    const [ada, ben, again] = ["ada", "ben", "ada"].map((name) => openTab(name, locks));
    ada?.connections[0]?.onEvent(HELLO);
    await vi.waitFor(() => expect(again?.heard).toEqual([HELLO]));
    expect(ben?.heard).toEqual([]);
    expect(ben?.connections).toHaveLength(1);
  });
});

describe("without locks", () => {
  function show(hidden: boolean) {
    vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
    document.dispatchEvent(new Event("visibilitychange"));
  }

  it("follows only while it is seen", async () => {
    show(true);
    const tab = openTab("five", undefined);
    expect(tab.connections).toEqual([]);
    show(false);
    await vi.waitFor(() => expect(tab.connections).toHaveLength(1));
    show(true);
    show(false);
    await vi.waitFor(() => expect(tab.connections).toHaveLength(2));
  });
});
