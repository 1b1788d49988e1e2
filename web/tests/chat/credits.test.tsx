import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { CLOUD, composer, NO_CREDITS, open, setStage, stage } from "./stage";

const words = { low: "Credits are running low", out: "This month's credits are used up" };

beforeEach(() => {
  setStage();
  localStorage.clear();
});

describe("credits in the chat", () => {
  it("warns from 70 % on, until it is put away for this month", async () => {
    stage.credits = { ...NO_CREDITS, state: "low", percent: 82 };
    const { unmount } = open();
    expect(await screen.findByText(words.low)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Put away" }));
    expect(screen.queryByText(words.low)).toBeNull();
    unmount();
    open();
    await composer();
    await waitFor(() => expect(stage.asked).toContain("GET /api/credits"));
    expect(screen.queryByText(words.low)).toBeNull();
  });

  it("lets nothing be said when they are used up, and cannot be put away", async () => {
    stage.integrations = [CLOUD];
    stage.credits = { ...NO_CREDITS, state: "exhausted", percent: 100 };
    open();
    expect(await screen.findByText(words.out)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Put away" })).toBeNull();
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Message" })).toBeDisabled());
  });

  it("goes on with a model that is not provided", async () => {
    stage.integrations = [{ ...CLOUD, provided: false }];
    stage.credits = { ...NO_CREDITS, state: "exhausted", percent: 100 };
    open();
    expect(await screen.findByText(words.out)).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Message" })).toBeEnabled();
  });

  it("says that the chat is switched off", async () => {
    stage.credits = { ...NO_CREDITS, chatEnabled: false };
    open();
    expect(await screen.findAllByText("The chat is switched off")).not.toHaveLength(0);
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Message" })).toBeDisabled());
  });
});
