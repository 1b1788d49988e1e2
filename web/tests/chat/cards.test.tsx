import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { texts } from "../../src/texts";
import { makeProposal } from "../proposals/make";
import { CHAT, makeView, proposalPart, stored, text } from "./make";
import { json, open, said, setStage, stage, wholeAnswer } from "./stage";

beforeEach(setStage);

describe("cards", () => {
  const withCard = (type: "data-proposal" | "data-applied") => [
    said(1, "add billing"),
    stored(2, "assistant", [proposalPart("proposal-1", type), text("Please confirm.")]),
  ];

  it("decides in the chat, and the reaction is a message of its own", async () => {
    stage.messages = withCard("data-proposal");
    stage.stream = () => {
      stage.view = makeView();
      stage.messages = [
        ...withCard("data-proposal"),
        { ...stored(3, "assistant", [text("Done.")]), id: "answer-1" },
      ];
      return wholeAnswer("Done.")();
    };
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Apply" }));
    expect(await screen.findByText("Done.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
    expect(screen.getAllByRole("article", { name: "Assent said" })).toHaveLength(2);
  });

  it("shows what was applied at once, without anything to decide", async () => {
    stage.proposal = makeProposal({
      state: "applied",
      mayDecide: false,
      creates: { name: "billing" },
    });
    stage.messages = withCard("data-applied");
    open();
    const card = await screen.findByRole("article", { name: "Create the system billing" });
    expect(within(card).getAllByText("Applied")[0]).toBeVisible();
    expect(within(card).getByText("Applied at once", { exact: false })).toBeVisible();
    expect(within(card).getByText("What is created")).toBeVisible();
    expect(within(card).queryByText(texts.card.whyNot)).toBeNull();
    await userEvent.click(within(card).getByText("Details"));
    expect(await within(card).findByText(texts.card.whyNot)).toBeVisible();
    expect(within(card).getAllByText("What is created")).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
  });

  it("answers questions with one value, once", async () => {
    const data = {
      questions: [
        { key: "where", text: "Which workspace?", kind: "choice", options: ["Demo", "Other"] },
        { key: "why", text: "What for?", kind: "text" },
      ],
    };
    stage.messages = [
      said(1, "add billing"),
      stored(2, "assistant", [{ type: "data-question", id: "q1", data }]),
    ];
    stage.stream = wholeAnswer("Thanks.");
    open();
    const card = await screen.findByRole("form", { name: "Assent asks you" });
    expect(within(card).getByRole("button", { name: "Next" })).toBeDisabled();
    await userEvent.click(within(card).getByRole("radio", { name: "Demo" }));
    await userEvent.click(within(card).getByRole("button", { name: "Next" }));
    expect(within(card).getByRole("button", { name: "Answer" })).toBeDisabled();
    await userEvent.type(within(card).getByRole("textbox", { name: "What for?" }), "Invoices");
    await userEvent.click(within(card).getByRole("button", { name: "Answer" }));
    await waitFor(() => expect(stage.sent).toHaveLength(1));
    expect(stage.sent[0]).toMatchObject({
      conversationId: CHAT,
      answer: { partId: "q1", value: { where: "Demo", why: "Invoices" } },
    });
    expect(await within(card).findByText("Answered")).toBeVisible();
    expect(within(card).getByText("Invoices")).toBeVisible();
    expect(within(card).queryByRole("button", { name: "Answer" })).toBeNull();
    expect(within(card).queryByRole("textbox")).toBeNull();
  });

  it("gives an answer back that did not arrive, and sends it again", async () => {
    const data = { questions: [{ key: "why", text: "What for?", kind: "text" }] };
    stage.messages = [
      said(1, "add billing"),
      stored(2, "assistant", [{ type: "data-question", id: "q1", data }]),
    ];
    stage.stream = () => json({ code: "busy", detail: "Too much at once." }, 429);
    open();
    const card = await screen.findByRole("form", { name: "Assent asks you" });
    await userEvent.type(within(card).getByRole("textbox"), "Invoices{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("This was not sent");
    expect(await within(card).findByRole("textbox")).toHaveValue("Invoices");
    expect(screen.getAllByRole("article", { name: "You said" })).toHaveLength(1);
    stage.stream = wholeAnswer("Thanks.");
    await userEvent.click(within(alert).getByRole("button", { name: "Try again" }));
    expect(await within(card).findByText("Answered")).toBeVisible();
    expect(stage.sent).toHaveLength(2);
    expect(stage.sent[1]).toEqual(stage.sent[0]);
  });

  it("shows an answer that was given elsewhere", async () => {
    const questions = [{ key: "why", text: "What for?", kind: "text" }];
    const data = { questions, answer: { why: "Invoices" } };
    stage.messages = [
      said(1, "add billing"),
      stored(2, "assistant", [{ type: "data-question", id: "q1", data }]),
    ];
    open();
    const card = await screen.findByRole("form", { name: "Assent asks you" });
    expect(within(card).getByText("Answered")).toBeVisible();
    expect(within(card).getByText("Invoices")).toBeVisible();
    expect(within(card).queryByRole("textbox")).toBeNull();
  });
});
