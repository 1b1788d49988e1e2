import { describe, expect, it } from "vitest";
import { describeAsker, nameAsker, nameProgram } from "../../src/proposals/asker";

const CLAUDE = { name: "Claude", host: "claude.ai", verified: true };
const person = (name: string) => ({ kind: "user" as const, id: "u", name });
const PIPELINE = { kind: "application" as const, id: "a", name: "pipeline" };

describe("who asks", () => {
  it.each([
    [{ proposer: person("Ada"), client: null }, "Ada", "Ada", null],
    [{ proposer: person("Ada"), client: CLAUDE }, "Ada", "Ada via Claude", "Claude"],
    [{ proposer: person("Ada via Claude"), client: CLAUDE }, "Ada", "Ada via Claude", "Claude"],
    [
      { proposer: person("Ada via Claude"), client: null },
      "Ada via Claude",
      "Ada via Claude",
      null,
    ],
    [{ proposer: PIPELINE, client: null }, "pipeline", "pipeline", "pipeline"],
    [{ proposer: PIPELINE, client: CLAUDE }, "pipeline", "pipeline via Claude", "Claude"],
  ])("of %j is named", (asking, name, whole, program) => {
    expect(nameAsker(asking)).toBe(name);
    expect(describeAsker(asking)).toBe(whole);
    expect(nameProgram(asking)).toBe(program);
  });
});
