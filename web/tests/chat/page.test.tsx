import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ConversationView, StoredMessage } from "../../src/api/types";
import { ChatPage } from "../../src/chat/page";
import { makeProposal } from "../proposals/make";
import { renderPage } from "../render";
import { CHAT, makeView, proposalPart, stored, text, toolPart } from "./make";
import { DONE, delta, finish, START, streamOf, textEnd, textStart } from "./streams";

interface Stage {
  view: ConversationView;
  messages: StoredMessage[];
  stream: () => Response;
  sent: unknown[];
  asked: string[];
  proposal: ReturnType<typeof makeProposal>;
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

let stage: Stage;

function answer(key: string, body: unknown): Response {
  const answers: Record<string, () => Response> = {
    [`GET /api/conversations/${CHAT}`]: () => json(stage.view),
    [`GET /api/conversations/${CHAT}/messages`]: () =>
      json({ items: stage.messages, hasMore: false }),
    [`GET /api/chat/${CHAT}/stream`]: () => stage.stream(),
    "GET /api/integrations": () => json({ items: [] }),
    "GET /api/proposals/proposal-1": () => json(stage.proposal),
    "POST /api/proposals/proposal-1/token": () =>
      json({ token: "t", payloadHash: stage.proposal.payloadHash }),
    "POST /api/proposals/proposal-1/apply": () => {
      stage.proposal = { ...stage.proposal, state: "applied" };
      stage.view = makeView({ status: "running", activeRunId: "run-1" });
      return json(stage.proposal);
    },
    [`POST /api/conversations/${CHAT}/cancel`]: () => json(null, 202),
    "POST /api/chat": () => {
      stage.sent.push(body);
      return stage.stream();
    },
  };
  const found = answers[key];
  if (found === undefined) throw new Error(`Not expected: ${key}`);
  return found();
}

beforeEach(() => {
  sessionStorage.clear();
  Element.prototype.scrollTo = () => undefined;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  stage = {
    view: makeView(),
    messages: [],
    stream: () => new Response(null, { status: 204 }),
    sent: [],
    asked: [],
    proposal: makeProposal(),
  };
  vi.stubGlobal("fetch", async (input: Request | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const key = `${request.method} ${new URL(request.url).pathname}`;
    stage.asked.push(key);
    const body = await request.text();
    return answer(key, body === "" ? undefined : JSON.parse(body));
  });
});

function open() {
  return renderPage(
    <Routes>
      <Route path="/chat/:conversationId" element={<ChatPage />} />
    </Routes>,
    { at: `/chat/${CHAT}` },
  );
}

const said = (seq: number, words: string) => stored(seq, "user", [text(words)]);
const wholeAnswer = (words: string) => () =>
  streamOf([START, textStart(1), delta(2, words), textEnd(3), finish(4), DONE]);
const composer = () => screen.findByRole("textbox", { name: "Message" });

describe("an empty chat", () => {
  it("greets by first name, and suggestions only fill the composer", async () => {
    open();
    expect(await screen.findByRole("heading", { name: /^Good \w+, Ada$/u })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /What depends on postgres/u }));
    expect(await composer()).toHaveValue("What depends on postgres?");
    expect(await composer()).toHaveFocus();
    expect(stage.sent).toEqual([]);
  });

  it("says how to connect a model", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Demo model" }));
    expect(await screen.findByDisplayValue(/OPENAI_API_KEY/u)).toBeVisible();
  });
});

describe("the composer", () => {
  it("sends with Enter, makes a line with Shift and Enter, and sends nothing empty", async () => {
    stage.stream = wholeAnswer("Hi.");
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

  it("stops by the server's route, not by hanging up", async () => {
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
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(stage.asked).toContain(`POST /api/conversations/${CHAT}/cancel`);
    stage.messages = [said(1, "hello"), stored(2, "assistant", [text("Half an answer")])];
    end();
    await waitFor(() => expect(screen.queryByRole("button", { name: /Stop/u })).toBeNull());
    expect(screen.getByText("Half an answer")).toBeVisible();
  });
});

describe("the transcript", () => {
  it("folds steps, and shows what went in and came out on unfolding", async () => {
    stage.messages = [said(1, "hello"), stored(2, "assistant", [toolPart(), text("Five.")])];
    open();
    expect(await screen.findByText("Five.")).toBeVisible();
    expect(screen.queryByText("checkout")).toBeNull();
    await userEvent.click(screen.getByText("Looked at systems"));
    expect(await screen.findByText("checkout")).toBeVisible();
    expect(screen.getByText("catalog.listSystems")).toBeVisible();
  });

  it("opens what went wrong", async () => {
    const failed = toolPart({ state: "output-error", errorText: "No such group." });
    stage.messages = [said(1, "hello"), stored(2, "assistant", [failed])];
    open();
    expect(await screen.findByText("No such group.")).toBeVisible();
  });

  it("follows what runs already, from its beginning", async () => {
    stage.view = makeView({ status: "running", activeRunId: "run-1" });
    stage.messages = [said(1, "hello")];
    stage.stream = () => {
      stage.view = makeView();
      stage.messages = [
        said(1, "hello"),
        { ...stored(2, "assistant", [text("All of it.")]), id: "answer-1" },
      ];
      return wholeAnswer("All of it.")();
    };
    open();
    expect(await screen.findByText("All of it.")).toBeVisible();
    expect(screen.getAllByRole("article", { name: "Assent said" })).toHaveLength(1);
  });

  it("shows what another tab said", async () => {
    stage.messages = [said(1, "hello"), stored(2, "assistant", [text("Hi.")])];
    open();
    expect(await screen.findByText("Hi.")).toBeVisible();
    stage.messages = [...stage.messages, said(3, "from elsewhere")];
    expect(await screen.findByText("from elsewhere", {}, { timeout: 3_000 })).toBeVisible();
  });
});

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
    expect(await screen.findByText("Done.", {}, { timeout: 4_000 })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
    expect(screen.getAllByRole("article", { name: "Assent said" })).toHaveLength(2);
  });

  it("shows what was applied at once, without anything to decide", async () => {
    stage.proposal = makeProposal({ state: "applied", mayDecide: false });
    stage.messages = withCard("data-applied");
    open();
    const card = await screen.findByRole("article", { name: "Create the system billing" });
    expect(within(card).getAllByText("Applied")[0]).toBeVisible();
    expect(within(card).getByText("Why nobody was asked:")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
  });

  it("answers questions as a message, once", async () => {
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
    expect(within(card).getByRole("button", { name: "Answer" })).toBeDisabled();
    await userEvent.click(within(card).getByRole("radio", { name: "Demo" }));
    await userEvent.type(within(card).getByRole("textbox", { name: "What for?" }), "Invoices");
    await userEvent.click(within(card).getByRole("button", { name: "Answer" }));
    await waitFor(() => expect(stage.sent).toHaveLength(1));
    expect(stage.sent[0]).toMatchObject({
      message: { text: "Which workspace? Demo\nWhat for? Invoices" },
    });
    expect(await within(card).findByText("Answered")).toBeVisible();
    expect(within(card).queryByRole("button", { name: "Answer" })).toBeNull();
    expect(within(card).queryByRole("textbox")).toBeNull();
  });
});
