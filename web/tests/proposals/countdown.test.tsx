import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clock } from "../../src/api/client";
import { Countdown } from "../../src/proposals/countdown";
import { texts } from "../../src/texts";

const NOON = Date.parse("2026-03-10T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
});

afterEach(() => {
  clock.observe(new Date().toUTCString());
  vi.useRealTimers();
});

function pass(seconds: number) {
  act(() => vi.advanceTimersByTime(seconds * 1_000));
}

function showUntil(minutes: number) {
  render(<Countdown expiresAt={new Date(NOON + minutes * 60_000).toISOString()} />);
}

describe("Countdown", () => {
  it("counts each second", () => {
    showUntil(10);
    expect(screen.getByRole("timer")).toHaveTextContent(texts.card.left("10:00"));
    pass(1);
    expect(screen.getByRole("timer")).toHaveTextContent(texts.card.left("9:59"));
    pass(59);
    expect(screen.getByRole("timer")).toHaveTextContent(texts.card.left("9:00"));
  });

  it("is read out at a minute and at ten seconds, and not otherwise", () => {
    showUntil(2);
    const said = screen.getByRole("status");
    expect(said).toBeEmptyDOMElement();
    pass(59);
    expect(said).toBeEmptyDOMElement();
    pass(1);
    expect(said).toHaveTextContent(texts.card.aboutToEnd(60));
    pass(30);
    expect(said).toHaveTextContent(texts.card.aboutToEnd(60));
    pass(20);
    expect(said).toHaveTextContent(texts.card.aboutToEnd(10));
    pass(10);
    expect(said).toBeEmptyDOMElement();
  });

  it("goes by the server's clock when this device's is wrong", () => {
    clock.observe(new Date(NOON + 300_000).toUTCString());
    showUntil(10);
    expect(screen.getByRole("timer")).toHaveTextContent(texts.card.left("5:00"));
  });
});
