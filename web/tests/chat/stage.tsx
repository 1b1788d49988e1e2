/** A chat page in front of a server that answers as a test wants. */

import { screen } from "@testing-library/react";
import { vi } from "vitest";
import type {
  AgentChoice,
  ConversationView,
  CreditsNow,
  IntegrationChoice,
  Me,
  MessageVersion,
  StoredMessage,
} from "../../src/api/types";
import type { Deed } from "../../src/chat/deed";
import { type AnswerValue, answerQuestion, fromStored } from "../../src/chat/message";
import { ChatPane } from "../../src/chat/pane";
import { type ChatPlace, PlaceContext } from "../../src/chat/place";
import { makeProposal } from "../proposals/make";
import { ADA, renderPage } from "../render";
import { CHAT, makeView, stored, text } from "./make";
import { DONE, delta, finish, START, streamOf, textEnd, textStart } from "./streams";

interface Stage {
  view: ConversationView;
  listed: ConversationView[];
  messages: StoredMessage[];
  stream: () => Response;
  sent: unknown[];
  asked: string[];
  changes: unknown[];
  integrations: IntegrationChoice[];
  agents: AgentChoice[];
  credits: CreditsNow;
  proposal: ReturnType<typeof makeProposal>;
  versions: MessageVersion[];
  branched: unknown[];
}

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

export const ASSENT: AgentChoice = {
  slug: "assistant",
  name: "Assent",
  isDefault: true,
  integrationId: null,
  model: null,
  suggestions: [{ title: "List systems", text: "Which systems do we have?" }],
};
export const TELLER: AgentChoice = { ...ASSENT, slug: "teller", name: "Teller", isDefault: false };
export const CLOUD: IntegrationChoice = {
  id: "cloud",
  name: "Cloud",
  defaultModel: "large",
  models: ["large", "small"],
  provided: true,
};

export const NO_CREDITS: CreditsNow = {
  chatEnabled: true,
  state: "none",
  percent: null,
  resetsAt: "2026-12-01T00:00:00Z",
  credits: null,
  used: null,
};

/** How the server stands; each test begins with a conversation in which nothing was said. */
export const stage = {} as Stage;

function keepAnswer(partId: string, value: AnswerValue): void {
  const given = { partId, value, said: "said-answer" };
  const answered = answerQuestion(stage.messages.map(fromStored), given);
  stage.messages = answered as unknown as StoredMessage[];
}

function answer(key: string, body: unknown): Response {
  if (key.endsWith("/versions")) return json({ items: stage.versions });
  const answers: Record<string, () => Response> = {
    "GET /api/conversations": () => json({ items: stage.listed, nextCursor: null }),
    "POST /api/conversations": () => json(stage.view, 201),
    "GET /api/conversations/gone": () => json({ code: "not_found", detail: "Gone." }, 404),
    [`GET /api/conversations/${CHAT}`]: () => json(stage.view),
    "GET /api/conversations/other": () => json(makeView({ id: "other", title: "Other" })),
    "GET /api/conversations/other/messages": () => json({ items: [], hasMore: false }),
    [`GET /api/conversations/${CHAT}/messages`]: () =>
      json({ items: stage.messages, hasMore: false }),
    [`GET /api/chat/${CHAT}/stream`]: () => stage.stream(),
    "GET /api/integrations": () => json({ items: stage.integrations }),
    "GET /api/agents": () => json({ items: stage.agents }),
    "GET /api/credits": () => json(stage.credits),
    [`PATCH /api/conversations/${CHAT}`]: () => {
      stage.changes.push(body);
      return json({ ...stage.view, ...(body as object) });
    },
    [`POST /api/conversations/${CHAT}/read`]: () => json({ ...stage.view, unread: false }),
    "GET /api/proposals/proposal-1": () => json(stage.proposal),
    "POST /api/proposals/proposal-1/token": () =>
      json({ token: "t", payloadHash: stage.proposal.payloadHash }),
    "POST /api/proposals/proposal-1/apply": () => {
      stage.proposal = { ...stage.proposal, state: "applied" };
      stage.view = makeView({ status: "running", activeRunId: "run-1" });
      return json(stage.proposal);
    },
    [`POST /api/conversations/${CHAT}/branch`]: () => {
      stage.branched.push(body);
      return json(makeView(), 201);
    },
    [`POST /api/conversations/${CHAT}/cancel`]: () => json(null, 202),
    "POST /api/chat": () => {
      stage.sent.push(body);
      const { answer } = body as Partial<Extract<Deed, { answer: unknown }>>;
      const stream = stage.stream();
      if (answer !== undefined && stream.ok) keepAnswer(answer.partId, answer.value);
      return stream;
    },
  };
  const found = answers[key];
  if (found === undefined) throw new Error(`Not expected: ${key}`);
  return found();
}

export function setStage(): void {
  sessionStorage.clear();
  Element.prototype.scrollTo = () => undefined;
  for (const observer of ["ResizeObserver", "IntersectionObserver"]) {
    vi.stubGlobal(
      observer,
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    );
  }
  Object.assign(stage, {
    view: makeView(),
    listed: [],
    messages: [],
    stream: () => new Response(null, { status: 204 }),
    sent: [],
    asked: [],
    changes: [],
    integrations: [],
    agents: [ASSENT],
    credits: NO_CREDITS,
    proposal: makeProposal(),
    versions: [],
    branched: [],
  } satisfies Stage);
  vi.stubGlobal("fetch", async (input: Request | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const key = `${request.method} ${new URL(request.url).pathname}`;
    stage.asked.push(key);
    const body = await request.text();
    return answer(key, body === "" ? undefined : JSON.parse(body));
  });
}

/** The chat on its own page, as the shell would show it. */
export const PLACE: ChatPlace = {
  docked: false,
  shownId: CHAT,
  focus: 1,
  open: () => undefined,
  startNew: () => undefined,
  move: () => undefined,
  close: () => undefined,
};

export function open(me: Me = ADA, place: ChatPlace = PLACE) {
  return renderPage(
    <PlaceContext value={place}>
      <ChatPane conversationId={CHAT} />
    </PlaceContext>,
    { at: `/chat/${CHAT}`, me },
  );
}

export const said = (seq: number, words: string) => stored(seq, "user", [text(words)]);
export const wholeAnswer = (words: string) => () =>
  streamOf([START, textStart(1), delta(2, words), textEnd(3), finish(4), DONE]);
/** Stored like the server does it, so that it stays when the page looks at what there is. */
export const keptAnswer = (question: string, words: string) => () => {
  const answer = { ...stored(2, "assistant", [text(words)]), id: "answer-1" };
  stage.messages = [said(1, question), answer];
  return wholeAnswer(words)();
};
export const composer = () => screen.findByRole("textbox", { name: "Message" });
