import { onlineManager } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OfflineBar } from "../../src/shell/offline-bar";

const OFFLINE = /You are offline/u;

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  onlineManager.setOnline(true);
});

it("says that the connection is gone when it stays away", () => {
  render(<OfflineBar />);
  act(() => onlineManager.setOnline(false));
  expect(screen.queryByText(OFFLINE)).toBeNull();
  act(() => void vi.advanceTimersByTime(1_000));
  expect(screen.getByText(OFFLINE)).toBeVisible();
  act(() => onlineManager.setOnline(true));
  expect(screen.queryByText(OFFLINE)).toBeNull();
});

it("says nothing about a moment", () => {
  render(<OfflineBar />);
  act(() => onlineManager.setOnline(false));
  act(() => void vi.advanceTimersByTime(900));
  act(() => onlineManager.setOnline(true));
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.queryByText(OFFLINE)).toBeNull();
});
