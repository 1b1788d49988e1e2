import { describe, expect, it } from "vitest";
import {
  may,
  mayAnywhere,
  mayGive,
  mayGrant,
  mayManage,
  ownRules,
  workspacesWhere,
} from "../../src/access/rules";
import type { Grant, Me } from "../../src/api/types";
import { ADA } from "../render";

const RULE = "catalog.system.manage";

function person(rules: string[], workspaceRules: Record<string, string[]> = {}): Me {
  return { ...ADA, rules, workspaceRules };
}

function grant(level: Grant["level"], kind: "team" | "user", id: string): Grant {
  return {
    id: `${level}-${id}`,
    resourceKind: "catalog.system",
    resourceId: "system-1",
    subject: { kind, id, name: id },
    level,
  };
}

describe("may", () => {
  it.each([
    ["everything", person(["*"]), "identity.user.manage", undefined, true],
    ["the rule itself", person([RULE]), RULE, undefined, true],
    ["reading by managing", person([RULE]), "catalog.system.read", undefined, true],
    ["managing by reading", person(["catalog.system.read"]), RULE, undefined, false],
    ["another resource", person([RULE]), "catalog.group.read", undefined, false],
    ["nothing", person([]), RULE, undefined, false],
    ["in the workspace", person([], { payments: [RULE] }), RULE, "payments", true],
    ["in another workspace", person([], { payments: [RULE] }), RULE, "platform", false],
    ["in a workspace, asked everywhere", person([], { payments: [RULE] }), RULE, undefined, false],
    ["everywhere, asked in a workspace", person([RULE]), RULE, "platform", true],
  ])("%s", (_, me, rule, workspaceId, expected) => {
    expect(may(me, rule, workspaceId)).toBe(expected);
  });

  it("finds a rule that holds in any workspace", () => {
    expect(mayAnywhere(person([], { platform: [RULE] }), "catalog.system.read")).toBe(true);
    expect(mayAnywhere(person([], { platform: [RULE] }), "catalog.group.read")).toBe(false);
  });

  it("names the workspaces where a rule holds", () => {
    const found = workspacesWhere(person([], { platform: [RULE] }), RULE);
    expect(found.map(({ id }) => id)).toEqual(["platform"]);
  });
});

describe("mayManage", () => {
  const owned = [grant("own", "team", "team-other")];

  it.each([
    ["by role, without owners", person([RULE]), [], true],
    ["by role, owned by others", person([RULE]), owned, false],
    ["admin, owned by others", person(["*"]), owned, true],
    ["as member of the owning team", person([]), [grant("own", "team", "team-core")], true],
    ["let by the owners", person([]), [...owned, grant("manage", "user", "user-ada")], true],
    ["granted reading only", person([]), [grant("read", "user", "user-ada")], false],
    ["granted to somebody else", person([]), [grant("manage", "user", "user-bob")], false],
  ])("%s", (_, me, grants, expected) => {
    expect(mayManage(me, { rule: RULE, workspaceId: "payments", grants })).toBe(expected);
  });
});

describe("mayGrant", () => {
  const teams = "identity.team.manage";

  it.each([
    ["with both rules everywhere", person([RULE, teams]), [], true],
    ["without the rule for teams", person([RULE]), [], false],
    ["with the rule in one workspace", person([teams], { payments: [RULE] }), [], false],
    ["with a grant", person([teams]), [grant("manage", "user", "user-ada")], true],
    ["owned by others", person([RULE, teams]), [grant("own", "user", "user-bob")], false],
  ])("%s", (_, me, grants, expected) => {
    expect(mayGrant(me, { rule: RULE, grants })).toBe(expected);
  });
});

describe("handing on rules", () => {
  it("takes all of them", () => {
    expect(mayGive(person([RULE]), ["catalog.system.read", RULE], null)).toBe(true);
    expect(mayGive(person([RULE]), ["*"], null)).toBe(false);
    expect(mayGive(person([], { payments: [RULE] }), [RULE], "payments")).toBe(true);
    expect(mayGive(person([], { payments: [RULE] }), [RULE], null)).toBe(false);
  });

  it("offers an application only what holds everywhere", () => {
    const me = person([RULE], { payments: ["catalog.group.manage"] });
    expect(ownRules(me, ["catalog.system.read", RULE, "catalog.group.read"])).toEqual([
      "catalog.system.read",
      RULE,
    ]);
  });
});
