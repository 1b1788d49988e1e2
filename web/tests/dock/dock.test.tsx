import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link, Route, Routes, useLocation } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PlaceContext } from "../../src/chat/place";
import { ChatFrame } from "../../src/dock/chat-frame";
import { DockButton } from "../../src/dock/dock-button";
import { useDock } from "../../src/dock/use-dock";
import { CHAT, makeView } from "../chat/make";
import { composer, said, setStage, stage } from "../chat/stage";
import { renderPage } from "../render";

beforeEach(() => {
  setStage();
  stage.messages = [said(1, "hello")];
});

function Harness() {
  const dock = useDock();
  return (
    <PlaceContext value={dock.place}>
      <p>at {useLocation().pathname}</p>
      <Link to="/one">One</Link>
      <Link to="/two">Two</Link>
      <Routes>
        <Route path="*" element={null} />
      </Routes>
      {dock.offered && <DockButton dock={dock} />}
      <ChatFrame dock={dock} />
    </PlaceContext>
  );
}

const openAt = (at: string) => renderPage(<Harness />, { at });
const isWide = (wide: boolean) =>
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("min-width") ? wide : true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

describe("the dock", () => {
  it("is closed at first, opens a new chat and takes the focus", async () => {
    openAt("/one");
    expect(screen.queryByRole("complementary")).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Ask Assent" }));
    expect(await screen.findByRole("complementary", { name: "Assistant" })).toBeVisible();
    expect(stage.asked).toContain("POST /api/conversations");
    await waitFor(async () => expect(await composer()).toHaveFocus());
  });

  it("keeps the same chat, and what is typed, from page to page and on its own page", async () => {
    openAt("/one");
    await userEvent.click(await screen.findByRole("button", { name: "Ask Assent" }));
    const input = await composer();
    await userEvent.type(input, "half a thought");
    await userEvent.click(screen.getByRole("link", { name: "Two" }));
    expect(screen.getByText("at /two")).toBeVisible();
    expect(await composer()).toBe(input);
    await userEvent.click(screen.getByRole("button", { name: "Open on its own page" }));
    expect(screen.getByText(`at /chat/${CHAT}`)).toBeVisible();
    expect(screen.getByRole("main")).toContainElement(input);
    await userEvent.click(screen.getByRole("button", { name: "Show beside the last page" }));
    expect(screen.getByText("at /two")).toBeVisible();
    expect(screen.getByRole("complementary")).toContainElement(input);
    expect(input).toHaveValue("half a thought");
  });

  it("is remembered open, and does not take the focus then", async () => {
    localStorage.setItem("assent.dock", "open");
    sessionStorage.setItem("assent.dock.chat", CHAT);
    openAt("/one");
    const input = await composer();
    expect(input).not.toHaveFocus();
    expect(stage.asked).not.toContain("POST /api/conversations");
    await userEvent.click(screen.getByRole("button", { name: "Close the assistant" }));
    expect(screen.queryByRole("complementary")).toBeNull();
    expect(localStorage.getItem("assent.dock")).toBeNull();
  });

  it("closes with Escape, and the keyboard goes on at its button", async () => {
    openAt("/one");
    await userEvent.click(await screen.findByRole("button", { name: "Ask Assent" }));
    await waitFor(async () => expect(await composer()).toHaveFocus());
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("complementary")).toBeNull();
    await waitFor(() => expect(screen.getByRole("button", { name: "Ask Assent" })).toHaveFocus());
  });

  it("goes on with a new chat when the remembered one is gone", async () => {
    localStorage.setItem("assent.dock", "open");
    sessionStorage.setItem("assent.dock.chat", "gone");
    openAt("/one");
    expect(await composer()).toBeVisible();
    expect(stage.asked).toContain("POST /api/conversations");
    expect(sessionStorage.getItem("assent.dock.chat")).toBe(CHAT);
  });

  it("goes on with another chat without leaving the page", async () => {
    stage.listed = [stage.view, makeView({ id: "other", title: "Other" })];
    openAt("/one");
    await userEvent.click(await screen.findByRole("button", { name: "Ask Assent" }));
    await userEvent.click(await screen.findByRole("button", { name: "Recent chats" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Other" }));
    expect(await screen.findByRole("heading", { name: "Other" })).toBeVisible();
    expect(screen.getByText("at /one")).toBeVisible();
  });

  it("says what a chat asks for that was put away", async () => {
    stage.view = makeView({ status: "waiting" });
    openAt("/one");
    await userEvent.click(await screen.findByRole("button", { name: "Ask Assent" }));
    await composer();
    await userEvent.click(screen.getByRole("button", { name: "Close the assistant" }));
    expect(await screen.findByText("Waits for you")).toBeInTheDocument();
  });

  it("is no dock on the chat page", async () => {
    localStorage.setItem("assent.dock", "open");
    openAt(`/chat/${CHAT}`);
    expect(await composer()).toBeVisible();
    expect(screen.queryByRole("complementary")).toBeNull();
    expect(screen.queryByRole("button", { name: "Ask Assent" })).toBeNull();
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
  });

  it("is a sheet where there is no room, never open by itself, and gone after going somewhere", async () => {
    isWide(false);
    localStorage.setItem("assent.dock", "open");
    openAt("/one");
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Ask Assent" }));
    expect(await screen.findByRole("dialog", { name: "Assistant" })).toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "Two" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("its edge", () => {
  it("is moved with the arrow keys, and the width is kept", async () => {
    localStorage.setItem("assent.dock", "open");
    vi.stubGlobal("innerWidth", 1400);
    openAt("/one");
    const edge = await screen.findByRole("separator", { name: "Width of the assistant" });
    expect(edge).toHaveAttribute("aria-valuenow", "420");
    edge.focus();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(edge).toHaveAttribute("aria-valuenow", "468");
    expect(localStorage.getItem("assent.dock.width")).toBe("468");
  });
});
