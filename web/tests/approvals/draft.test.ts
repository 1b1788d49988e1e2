import { describe, expect, it } from "vitest";
import type { ApprovalRule, Tool } from "../../src/api/types";
import {
  type ApprovalValues,
  checkApproval,
  draftOf,
  NEW_APPROVAL,
  valuesOf,
} from "../../src/approvals/draft";
import { toolChoices } from "../../src/approvals/fields";
import { texts } from "../../src/texts";

const words = texts.approvals;
const FINE: ApprovalValues = { ...NEW_APPROVAL, title: "t", tool: "*", roleIds: ["role"] };

const RULE: ApprovalRule = {
  id: "rule",
  version: 3,
  people: 2,
  title: "Four eyes",
  note: "Why",
  tool: "catalog.*",
  effect: "destructive",
  condition: { path: "ids", test: "oneOf", values: [5, "5", "prod", true, "true", '"x"'] },
  needed: 2,
  anyone: false,
  roleIds: ["role"],
  userIds: ["user"],
  notProposer: true,
};

describe("a rule as it is typed", () => {
  it("is sent as it came, also values that look like others", () => {
    const { id, version, people, ...draft } = RULE;
    expect(draftOf(valuesOf(RULE))).toEqual(draft);
  });

  it("names nobody when anyone may decide", () => {
    const draft = draftOf({ ...FINE, whom: "anyone", userIds: ["user"] });
    expect([draft.anyone, draft.roleIds, draft.userIds]).toEqual([true, [], []]);
  });

  it("needs no values for what is given at all", () => {
    const values: ApprovalValues = {
      ...FINE,
      conditional: true,
      path: " at ",
      test: "present",
      values: "5",
    };
    expect(draftOf(values).condition).toEqual({ path: "at", test: "present", values: [] });
    expect(checkApproval(values)).toEqual({});
  });

  it.each<[Partial<ApprovalValues>, Record<string, string>]>([
    [{}, {}],
    [{ title: " " }, { title: texts.forms.required }],
    [{ tool: "" }, { tool: texts.forms.required }],
    [{ roleIds: [] }, { roleIds: words.nameSomebody }],
    [{ roleIds: [], whom: "anyone" }, {}],
    [{ needed: "0" }, { needed: words.outOfRange }],
    [{ needed: "2.5" }, { needed: words.outOfRange }],
    [{ needed: "many" }, { needed: words.outOfRange }],
    [{ conditional: true, path: "a", values: "" }, { values: words.giveValues }],
    [{ conditional: true, path: "a", values: "1\n2" }, { values: words.oneValue }],
    [{ conditional: true, path: "", values: "1" }, { path: texts.forms.required }],
  ])("is checked: %j", (fields, errors) => {
    expect(checkApproval({ ...FINE, ...fields })).toEqual(errors);
  });
});

describe("toolChoices", () => {
  it("offers everything, namespaces and what changes something, and keeps what is gone", () => {
    const tool: Tool = {
      name: "catalog.createSystem",
      title: "Create",
      description: "",
      effect: "mutate",
      egress: false,
      inputSchema: {},
      rules: [],
      phase: "build",
    };
    const tools = [tool, { ...tool, name: "catalog.listSystems", effect: "read" }];
    expect(toolChoices(tools, "bank.deposit").map(({ value }) => value)).toEqual([
      "*",
      "catalog.*",
      "catalog.createSystem",
      "bank.deposit",
    ]);
  });
});
