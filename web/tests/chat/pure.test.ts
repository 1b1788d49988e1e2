import { describe, expect, it } from "vitest";
import { composeAnswer, isAnswered } from "../../src/chat/answers";
import { dayOf, groupByDay } from "../../src/chat/days";
import { isEmpty } from "../../src/chat/empty-draft";
import { decideLink } from "../../src/chat/link-target";
import { fromStored, mergeHistory, type Question } from "../../src/chat/message";
import { buildModelChoices, chosenModel } from "../../src/chat/models";
import { makeView, stored, text } from "./make";

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

describe("isEmpty", () => {
  const untitled = makeView({ titleSource: "none", createdAt: "2026-11-15T10:00:00.001Z" });
  const at = (activeAt: string) => ({ ...untitled, activeAt });

  it.each([
    ["just made", at("2026-11-15T10:00:00.002Z"), null, true],
    ["opened again", at("2026-11-15T11:00:00Z"), "chat-1 2026-11-15T11:00:00Z", true],
    ["something was said since", at("2026-11-15T11:05:00Z"), "chat-1 2026-11-15T11:00:00Z", false],
    ["opened elsewhere", at("2026-11-15T11:00:00Z"), null, false],
    ["has a title", makeView({ activeAt: "2026-11-15T10:00:00Z" }), null, false],
  ])("%s", (_, conversation, opened, empty) => {
    expect(isEmpty(conversation, opened)).toBe(empty);
  });
});

describe("decideLink", () => {
  const origin = "https://assent.example.com";

  it.each([
    ["/p/catalog/systems?q=a#b", { kind: "inside", to: "/p/catalog/systems?q=a#b" }],
    [`${origin}/audit`, { kind: "inside", to: "/audit" }],
    ["https://example.com/x", { kind: "outside", url: "https://example.com/x" }],
    ["//example.com", { kind: "outside", url: "https://example.com/" }],
    ["\\\\example.com", { kind: "outside", url: "https://example.com/" }],
    ["javascript:alert(1)", { kind: "nowhere" }],
    ["java\nscript:alert(1)", { kind: "nowhere" }],
    ["data:text/html,x", { kind: "nowhere" }],
    ["streamdown:incomplete-link", { kind: "nowhere" }],
    ["http://[", { kind: "nowhere" }],
    ["", { kind: "nowhere" }],
    [undefined, { kind: "nowhere" }],
  ])("%s", (href, target) => {
    expect(decideLink(href, origin)).toEqual(target);
  });
});

describe("answers", () => {
  const where: Question = { key: "where", text: "Where?", kind: "choice", options: ["a", "b"] };
  const when: Question = { key: "when", text: "When?", kind: "date" };

  it("sends one answer as it is", () => {
    expect(composeAnswer([where], { where: ["a"] })).toBe("a");
  });

  it("says what several answers belong to", () => {
    expect(composeAnswer([where, when], { where: ["a", "b"] })).toBe(
      "Where? a, b\nWhen? No answer",
    );
  });

  it("needs at least one", () => {
    expect(isAnswered([where], { where: [" "] })).toBe(false);
    expect(isAnswered([where, when], { when: ["2026-11-15"] })).toBe(true);
  });
});

describe("models", () => {
  const one = { id: "i1", name: "OpenAI", defaultModel: "large", models: ["small", "large"] };
  const two = { id: "i2", name: "Local", defaultModel: "tiny", models: [] };

  it("offers each once, the default first", () => {
    expect(buildModelChoices([one, two]).map(({ label, hint }) => [label, hint])).toEqual([
      ["large", "OpenAI"],
      ["small", "OpenAI"],
      ["tiny", "Local"],
    ]);
  });

  it("takes the first default when nothing, or something gone, was chosen", () => {
    expect(chosenModel({ integrationId: null, model: null }, [one, two])).toBe("i1 large");
    expect(chosenModel({ integrationId: "gone", model: "x" }, [one, two])).toBe("i1 large");
    expect(chosenModel({ integrationId: "i2", model: null }, [one, two])).toBe("i2 tiny");
    expect(chosenModel({ integrationId: "i1", model: "small" }, [one, two])).toBe("i1 small");
    expect(chosenModel({ integrationId: null, model: null }, [])).toBeNull();
  });
});
