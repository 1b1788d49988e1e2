import { describe, expect, it } from "vitest";
import { buildBlocks } from "../../src/chat/blocks";
import type { ChatPart } from "../../src/chat/message";
import { describeFold, describeStep, thoughtSeconds } from "../../src/chat/steps";
import { proposalPart, text, toolPart } from "./make";

const STEP: ChatPart = { type: "step-start" };
const thought = (fields: object = {}): ChatPart => ({ type: "reasoning", text: "Hm.", ...fields });

describe("buildBlocks", () => {
  it("folds what lies between two texts, over the borders of steps", () => {
    const blocks = buildBlocks([
      text("First."),
      STEP,
      thought(),
      toolPart(),
      STEP,
      toolPart({ toolCallId: "call-2" }),
      text("Then."),
    ]);
    expect(blocks.map(({ kind }) => kind)).toEqual(["text", "steps", "text"]);
    expect(blocks[1]).toMatchObject({
      steps: [{ type: "reasoning" }, {}, { toolCallId: "call-2" }],
    });
  });

  it("ends a fold at a card", () => {
    const blocks = buildBlocks([toolPart(), proposalPart("p1", "data-proposal"), toolPart()]);
    expect(blocks.map(({ kind }) => kind)).toEqual(["steps", "proposal", "steps"]);
  });

  it("shows a card once, though its part comes again", () => {
    const card = proposalPart("p1", "data-proposal");
    expect(buildBlocks([card, proposalPart("p1", "data-applied")])).toHaveLength(1);
    expect(buildBlocks([card, proposalPart("p2", "data-applied")])).toHaveLength(2);
  });

  it("leaves out what is empty or unknown", () => {
    expect(buildBlocks([text(" "), thought({ text: "" }), STEP])).toEqual([]);
    expect(buildBlocks([{ type: "data-later", data: {} } as unknown as ChatPart])).toEqual([]);
  });

  it("gathers sources", () => {
    const source = (id: string): ChatPart => ({
      type: "source-url",
      sourceId: id,
      url: "https://example.com",
    });
    expect(buildBlocks([source("1"), source("2")])).toMatchObject([
      { kind: "sources", sources: [{ sourceId: "1" }, { sourceId: "2" }] },
    ]);
  });
});

describe("describing steps", () => {
  it.each([
    [toolPart(), "Looked at systems"],
    [toolPart({ toolName: "dependency.list", title: "List" }), "Looked at dependency"],
    [toolPart({ title: "Rename system", output: {} }), "Rename system"],
    [toolPart({ output: { status: "awaiting_operator" } }), "Prepared a change"],
    [toolPart({ output: { status: "applied" } }), "Made a change"],
    [toolPart({ state: "input-streaming", output: undefined }), "List systems"],
    [toolPart({ state: "output-error", errorText: "No." }), "List systems did not work"],
    [toolPart({ title: undefined, output: null }), "catalog.listSystems"],
  ])("%#: says %s", (part, said) => {
    expect(describeStep(part)).toBe(said);
  });

  it("knows how long it thought, live and stored", () => {
    const live = thought({ providerMetadata: { assent: { durationMs: 3_100 } } });
    const kept = thought({ durationMs: 3_100 });
    for (const part of [live, kept]) {
      if (part.type !== "reasoning") throw new Error("not a thought");
      expect(thoughtSeconds(part)).toBe(3);
      expect(describeStep(part)).toBe("Thought for 3 s");
    }
  });

  it("says everything once", () => {
    const steps = [toolPart(), toolPart(), toolPart({ output: { status: "awaiting_operator" } })];
    expect(describeFold(steps)).toBe("Looked at systems, prepared a change");
  });

  it("says in one breath what was looked at", () => {
    const other = toolPart({ toolName: "dependency.list", title: "List dependencies" });
    const failed = toolPart({ state: "output-error", errorText: "No." });
    expect(describeFold([toolPart(), failed, other, toolPart()])).toBe(
      "Looked at systems and dependencies, list systems did not work",
    );
  });
});
