import { describe, expect, it } from "vitest";
import { unreachable } from "../../src/api/problem";
import { buildAnswer, describeAnswer, isAnswered, writeAnswer } from "../../src/chat/answers";
import { decideAttention } from "../../src/chat/attention";
import { dayOf, groupByDay } from "../../src/chat/days";
import {
  answerQuestion,
  fromStored,
  keepShown,
  mergeHistory,
  type Question,
  repeatsAnswer,
  withdrawAnswer,
} from "../../src/chat/message";
import { buildModelChoices, chosenModel, isProvided } from "../../src/chat/models";
import { findNotice } from "../../src/chat/notice";
import { NotSent } from "../../src/chat/transport";
import { makeView, stored, text } from "./make";

describe("keepShown", () => {
  const asked = fromStored(stored(1, "user", [text("Count")]));
  const told = (words: string) => fromStored(stored(2, "assistant", [text(words)]));
  const shown = told("One, two");

  it.each([
    ["as it was while it is told anew", [asked, told("One")], [asked, shown]],
    ["when it is not there yet", [asked], [asked, shown]],
  ])("shows an answer %s", (_, messages, wanted) => {
    expect(keepShown(messages, [asked, shown])).toEqual(wanted);
  });

  it("goes over to what is told once that has come as far, or is another answer", () => {
    const further = [asked, told("One, two, three")];
    expect(keepShown(further, [asked, shown])).toBe(further);
    const other = [asked, { ...told("Hm"), id: "other" }];
    expect(keepShown(other, [asked, shown])).toBe(other);
    const later = [asked, shown, { ...asked, id: "later" }];
    expect(keepShown(later, [asked, shown])).toBe(later);
    expect(keepShown([asked], [])).toEqual([asked]);
  });
});

describe("mergeHistory", () => {
  const asked = stored(1, "user", [text("Hello")]);
  const answer = stored(2, "assistant", [text("Hi.")], "run-1");
  const shown = [asked, answer].map(fromStored);

  it("changes nothing when nothing is new", () => {
    const again = structuredClone([asked, answer]);
    expect(mergeHistory(shown, again, null)).toBe(shown);
  });

  it("keeps known messages as they are and adds new ones", () => {
    const merged = mergeHistory(shown, [asked, answer, stored(3, "user", [text("More")])], null);
    expect(merged.map(({ id }) => id)).toEqual(["user-1", "assistant-2", "user-3"]);
    expect(merged[1]).toBe(shown[1]);
  });

  it("replaces what was sent here by what is stored of it", () => {
    const sent = { ...fromStored(asked), id: "own-id", metadata: {} };
    const merged = mergeHistory([sent], [asked, answer], null);
    expect(merged.map(({ id }) => id)).toEqual(["user-1", "assistant-2"]);
  });

  it("keeps earlier pages", () => {
    const merged = mergeHistory(shown, [answer], null);
    expect(merged.map(({ id }) => id)).toEqual(["user-1", "assistant-2"]);
  });

  it("keeps the answer of a run that has not ended, and only that", () => {
    expect(mergeHistory(shown, [asked], "run-1")).toHaveLength(2);
    expect(mergeHistory(shown, [asked], "run-2")).toHaveLength(1);
    expect(mergeHistory(shown, [asked], null)).toHaveLength(1);
  });
});

describe("days", () => {
  const now = new Date(2026, 10, 15, 0, 30);
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

  it.each([
    [at(15, 0), "today"],
    [at(14, 23), "yesterday"],
    [at(14, 0), "yesterday"],
    [at(13, 23), "week"],
    [at(7, 1), "older"],
  ])("%s is %s", (iso, day) => {
    expect(dayOf(iso, now)).toBe(day);
  });

  it("groups in the order of the list", () => {
    const list = [at(15, 0), at(14, 3), at(14, 2)].map((activeAt) => makeView({ activeAt }));
    expect(
      groupByDay(list, now).map(({ day, conversations }) => [day, conversations.length]),
    ).toEqual([
      ["today", 1],
      ["yesterday", 2],
    ]);
  });
});

describe("decideAttention", () => {
  it.each([
    ["running", true, false, "running"],
    ["waiting", true, false, "waiting"],
    ["idle", true, false, "unread"],
    ["idle", false, false, null],
    ["idle", true, true, null],
    ["waiting", true, true, "waiting"],
  ] as const)("%s, unread %s, open %s: %s", (status, unread, isOpen, attention) => {
    expect(decideAttention({ status, unread }, isOpen)).toBe(attention);
  });
});

describe("answering a question", () => {
  const questions = [{ key: "where", text: "Where?", kind: "text" }];
  const question = { type: "data-question", id: "q1", data: { questions } };
  const messages = [
    fromStored(stored(1, "user", [text("Hello")])),
    fromStored(stored(2, "assistant", [question, { ...question, id: "q2" }])),
  ];
  const given = { partId: "q2", value: { where: "a" }, said: "own" };

  it("puts the answer on its card, and says it", () => {
    const answered = answerQuestion(messages, given);
    expect(answered[0]).toBe(messages[0]);
    expect(answered[1]?.parts[0]).toBe(messages[1]?.parts[0]);
    expect(answered[1]?.parts[1]).toMatchObject({ data: { answer: { where: "a" } } });
    expect(answered[2]).toMatchObject({ id: "own", role: "user", parts: [text("Where? a")] });
  });

  it("knows the message that only repeats what the card shows", () => {
    const [, card, own] = answerQuestion(messages, given);
    if (card === undefined || own === undefined) throw new Error("nothing was answered");
    expect(repeatsAnswer(card, own)).toBe(true);
    expect(repeatsAnswer(card, { ...own, parts: [text("Something else") as never] })).toBe(false);
    expect(repeatsAnswer(messages[1], own)).toBe(false);
    expect(repeatsAnswer(undefined, own)).toBe(false);
  });

  it("takes it back", () => {
    const back = withdrawAnswer(answerQuestion(messages, given), given);
    expect(back).toHaveLength(2);
    expect(back[1]?.parts[1]).toMatchObject({ data: { answer: null } });
  });
});

describe("findNotice", () => {
  const said = fromStored(stored(1, "user", [text("Hello")]));
  const ended = (metadata: object) => {
    const answer = fromStored(stored(2, "assistant", [text("Half")]));
    return { ...answer, metadata: { ...answer.metadata, ...metadata } };
  };
  const failed = ended({ status: "failed", error: { code: "quota", message: "No credit." } });

  it("has nothing to say of what came to its end", () => {
    expect(findNotice([said, ended({ status: "completed" })], undefined)).toBeNull();
    expect(findNotice([said, failed, said], undefined)).toBeNull();
    expect(findNotice([], undefined)).toBeNull();
  });

  it("says the same of a failure live and stored", () => {
    const live = findNotice([said, failed], new Error("No credit."));
    expect(live).toEqual({ kind: "failed", detail: "No credit.", retryable: true });
    expect(findNotice([said, failed], undefined)).toEqual(live);
  });

  it("says that it was stopped", () => {
    const stopped = ended({ status: "cancelled" });
    expect(findNotice([said, stopped], undefined)).toMatchObject({ kind: "stopped" });
  });

  it("offers to try again only what somebody said", () => {
    const reaction = [said, ended({ status: "completed" }), failed];
    expect(findNotice(reaction, undefined)).toMatchObject({ kind: "failed", retryable: false });
    expect(findNotice(reaction, new Error("No credit."))).toMatchObject({ retryable: false });
  });

  it("tells what was not sent from what was lost", () => {
    const away = unreachable();
    expect(findNotice([said], new NotSent(away))).toMatchObject({
      kind: "unsent",
      retryable: true,
    });
    expect(findNotice([said, failed], away)).toMatchObject({ kind: "lost", retryable: true });
  });
});

describe("answers", () => {
  const where: Question = { key: "where", text: "Where?", kind: "choice", options: ["a", "b"] };
  const when: Question = { key: "when", text: "When?", kind: "date" };

  const which: Question = { key: "which", text: "Which?", kind: "choices", options: ["a", "b"] };

  const many: Question = { key: "many", text: "How many", kind: "number" };
  const given = { where: ["a"], which: ["a", "b"], when: ["2026-11-15"], many: [" 12 "] };
  const all = [where, which, when, many];

  it("sends each in the form of its kind", () => {
    expect(buildAnswer(all, given)).toEqual({
      where: "a",
      which: ["a", "b"],
      when: "2026-11-15",
      many: 12,
    });
  });

  it("shows what was answered", () => {
    const answer = buildAnswer(all, given);
    expect(all.map((question) => describeAnswer(question, answer))).toEqual([
      "a",
      "a, b",
      "2026-11-15",
      "12",
    ]);
    expect(describeAnswer(where, {})).toBe("");
  });

  it("says each behind its question", () => {
    expect(writeAnswer([which, many], buildAnswer(all, given))).toBe("Which? a, b\nHow many: 12");
  });

  it("needs all of them", () => {
    expect(isAnswered([where], { where: [" "] })).toBe(false);
    expect(isAnswered([where, when], { when: ["2026-11-15"] })).toBe(false);
    expect(isAnswered(all, given)).toBe(true);
  });
});

describe("models", () => {
  const one = {
    id: "i1",
    name: "OpenAI",
    defaultModel: "large",
    models: ["small", "large"],
    provided: true,
  };
  const two = { id: "i2", name: "Local", defaultModel: "tiny", models: [], provided: false };

  it.each([
    [[{ integrationId: "i1", model: "small" }], true],
    [[{ integrationId: "i2", model: null }], false],
    [[], true],
  ])("%j takes of the credits: %s", (wishes, provided) => {
    expect(isProvided(wishes, [one, two])).toBe(provided);
    expect(isProvided(wishes, [])).toBe(false);
  });

  it("offers each once, the default first", () => {
    expect(buildModelChoices([one, two]).map(({ label, hint }) => [label, hint])).toEqual([
      ["large", "OpenAI"],
      ["small", "OpenAI"],
      ["tiny", "Local"],
    ]);
  });

  it.each([
    ["nothing was chosen", [{ integrationId: null, model: null }], "i1 large"],
    ["something gone was chosen", [{ integrationId: "gone", model: "x" }], "i1 large"],
    ["another integration was chosen", [{ integrationId: "i2", model: null }], "i2 tiny"],
    ["another model was chosen", [{ integrationId: "i1", model: "small" }], "i1 small"],
    ["a model is not allowed any more", [{ integrationId: "i1", model: "gone" }], "i1 large"],
    [
      "the agent has its own",
      [
        { integrationId: null, model: null },
        { integrationId: "i2", model: "tiny" },
      ],
      "i2 tiny",
    ],
    [
      "the conversation wins over the agent",
      [
        { integrationId: "i1", model: "small" },
        { integrationId: "i2", model: "tiny" },
      ],
      "i1 small",
    ],
    ["only a model was chosen", [{ integrationId: null, model: "small" }], "i1 small"],
  ])("%s", (_, wishes, chosen) => {
    expect(chosenModel(wishes, [one, two])).toBe(chosen);
  });

  it("is the demo model without any integration", () => {
    expect(chosenModel([{ integrationId: null, model: null }], [])).toBeNull();
  });
});
