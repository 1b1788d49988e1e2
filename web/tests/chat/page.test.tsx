import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { ADA } from "../render";
import { CHAT, stored, text } from "./make";
import {
  ASSENT,
  CLOUD,
  composer,
  json,
  keptAnswer,
  open,
  said,
  setStage,
  stage,
  TELLER,
} from "./stage";
import { DONE, delta, START, textStart } from "./streams";

beforeEach(setStage);

describe("an empty chat", () => {
  it("greets by first name, and suggestions only fill the composer", async () => {
    open();
    expect(await screen.findByRole("heading", { name: /^Good \w+, Ada$/u })).toBeVisible();
    await userEvent.click(await screen.findByRole("button", { name: /Which systems do we have/u }));
    expect(await composer()).toHaveValue("Which systems do we have?");
    expect(await composer()).toHaveFocus();
    expect(stage.sent).toEqual([]);
  });

  it("suggests what the agent that answers has tools for", async () => {
    const own = [{ title: "Report", text: "How much is there?" }];
    stage.agents = [ASSENT, { ...TELLER, suggestions: own }];
    stage.view = { ...stage.view, agent: TELLER.slug };
    open();
    expect(await screen.findByRole("button", { name: /How much is there/u })).toBeVisible();
    expect(screen.queryByRole("button", { name: /Which systems/u })).toBeNull();
    expect(screen.getByRole("button", { name: /What can you do/u })).toBeVisible();
  });

  it("leads those who may to connecting a model", async () => {
    open({ ...ADA, rules: ["ai.integration.manage"] });
    await userEvent.click(await screen.findByRole("button", { name: "Demo model" }));
    expect(await screen.findByDisplayValue(/OPENAI_API_KEY/u)).toBeVisible();
    for (const link of screen.getAllByRole("link", { name: "Connect a model", hidden: true })) {
      expect(link).toHaveAttribute("href", "/assistant/integrations");
    }
  });

  it("tells the others whom to ask", async () => {
    open();
    expect(await screen.findByText(/The built-in demo model answers/u)).toBeVisible();
    await userEvent.click(await screen.findByRole("button", { name: "Demo model" }));
    expect(await screen.findByText(/An administrator can connect one/u)).toBeVisible();
    expect(screen.queryByRole("link", { name: "Connect a model", hidden: true })).toBeNull();
  });
});

describe("the header", () => {
  it("offers each model once, the default first, and stores the choice", async () => {
    stage.integrations = [CLOUD];
    open();
    const picker = await screen.findByRole("combobox", { name: "Model" });
    expect(picker).toHaveTextContent("large");
    await userEvent.click(picker);
    const offered = await screen.findAllByRole("option");
    expect(offered.map(({ textContent }) => textContent)).toEqual(["largeCloud", "smallCloud"]);
    await userEvent.click(screen.getByRole("option", { name: /small/u }));
    await waitFor(() => expect(picker).toHaveTextContent("small"));
    expect(stage.changes).toEqual([{ integrationId: "cloud", model: "small" }]);
  });

  it("shows agents when there is a choice, and switches", async () => {
    stage.agents = [ASSENT, { ...TELLER, integrationId: "cloud", model: "small" }];
    stage.integrations = [CLOUD];
    open();
    const picker = await screen.findByRole("combobox", { name: "Agent" });
    expect(picker).toHaveTextContent("Assent");
    await userEvent.click(picker);
    await userEvent.click(await screen.findByRole("option", { name: /Teller/u }));
    await waitFor(() => expect(picker).toHaveTextContent("Teller"));
    expect(stage.changes).toEqual([{ agent: "teller" }]);
    expect(screen.getByRole("combobox", { name: "Model" })).toHaveTextContent("small");
  });

  it("has no agent to choose where there is one", async () => {
    open();
    await screen.findByRole("button", { name: "Demo model" });
    expect(screen.queryByRole("combobox", { name: "Agent" })).toBeNull();
  });
});

describe("the composer", () => {
  it("sends with Enter, makes a line with Shift and Enter, and sends nothing empty", async () => {
    stage.stream = keptAnswer("one\ntwo", "Hi.");
    open();
    await userEvent.type(await composer(), "{Enter}  {Enter}");
    expect(stage.sent).toEqual([]);
    await userEvent.clear(await composer());
    await userEvent.type(await composer(), "one{Shift>}{Enter}{/Shift}two{Enter}");
    await waitFor(() => expect(stage.sent).toHaveLength(1));
    expect(stage.sent[0]).toMatchObject({ message: { text: "one\ntwo" } });
    expect(await screen.findByText("Hi.")).toBeVisible();
    expect(await composer()).toHaveValue("");
    expect(await composer()).toHaveFocus();
  });

  it("keeps a draft for each chat", async () => {
    const { unmount } = open();
    await userEvent.type(await composer(), "half a thought");
    unmount();
    open();
    expect(await composer()).toHaveValue("half a thought");
  });

  it("gives the text back when it was not sent", async () => {
    stage.stream = () => json({ code: "busy", detail: "Too much at once." }, 429);
    open();
    await userEvent.type(await composer(), "hello{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Too much at once.");
    await userEvent.click(within(alert).getByRole("button", { name: "Dismiss" }));
    expect(await composer()).toHaveValue("hello");
    expect(screen.queryByRole("article", { name: "You said" })).toBeNull();
  });

  it("stops with Escape, by the server's route, not by hanging up", async () => {
    let end = () => {};
    stage.stream = () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const write = (piece: string) => controller.enqueue(new TextEncoder().encode(piece));
          write(START + textStart(1) + delta(2, "Half an answer"));
          end = () => {
            write(`data: {"type":"abort"}\n\n${DONE}`);
            controller.close();
          };
        },
      });
      return new Response(body, { headers: { "x-assent-run-id": "run-1" } });
    };
    open();
    await userEvent.type(await composer(), "hello{Enter}");
    expect(await screen.findByText("Half an answer")).toBeVisible();
    await userEvent.type(await composer(), "{Escape}");
    expect(stage.asked).toContain(`POST /api/conversations/${CHAT}/cancel`);
    stage.messages = [said(1, "hello"), stored(2, "assistant", [text("Half an answer")])];
    end();
    await waitFor(() => expect(screen.queryByRole("button", { name: /Stop/u })).toBeNull());
    expect(screen.getByText("Half an answer")).toBeVisible();
  });
});
