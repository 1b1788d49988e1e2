import { describe, expect, it } from "vitest";
import { wayTo } from "../../src/connect/redirect";
import {
  chooseAtFirst,
  describeScope,
  findPlaces,
  namePlace,
  sortScopes,
  toggle,
} from "../../src/connect/scopes";
import { texts } from "../../src/texts";
import { MANY, scope } from "./make";

const ORDINARY = [
  "catalog.system.read",
  "catalog.group.read",
  "incident.incident.read",
  "catalog.system.manage",
  "incident.incident.manage",
];

describe("sortScopes", () => {
  it("keeps apart what is seen, what is prepared and what concerns Assent itself", () => {
    const { groups, notHeld, isShort } = sortScopes([...MANY, scope("slo.objective.read", false)]);
    expect(groups.map(({ name, rules }) => [name, rules.length])).toEqual([
      ["see", 3],
      ["prepare", 2],
      ["assent", 3],
    ]);
    expect(groups[0]?.places.map(({ name }) => name)).toEqual(["catalog", "incident"]);
    expect(notHeld.map(({ rule }) => rule)).toEqual(["slo.objective.read"]);
    expect(isShort).toBe(false);
  });

  it("has no group without anything in it", () => {
    expect(sortScopes([scope("catalog.system.manage")]).groups.map(({ name }) => name)).toEqual([
      "prepare",
    ]);
  });
});

describe("chooseAtFirst", () => {
  it("chooses nothing of Assent itself in a long list, unless it was allowed before", () => {
    const asked = sortScopes(MANY);
    expect(chooseAtFirst(asked, [])).toEqual(ORDINARY);
    expect(chooseAtFirst(asked, ["audit.entry.read"])).toEqual([...ORDINARY, "audit.entry.read"]);
  });

  it("chooses all of a short list, which is seen at once", () => {
    const asked = sortScopes([scope("identity.user.read"), scope("catalog.system.read")]);
    expect(chooseAtFirst(asked, [])).toEqual(["catalog.system.read", "identity.user.read"]);
  });

  it("never chooses what the person does not have", () => {
    expect(chooseAtFirst(sortScopes([scope("catalog.system.read", false)]), [])).toEqual([]);
  });
});

describe("toggle", () => {
  const offered = ["a.b.read", "a.b.manage", "a.c.read"];

  it.each([
    [[], "a.b.manage", true, ["a.b.read", "a.b.manage"]],
    [offered, "a.b.read", false, ["a.c.read"]],
    [offered, "a.b.manage", false, ["a.b.read", "a.c.read"]],
    [[], "a.c.read", true, ["a.c.read"]],
  ])("from %j with %s set to %s comes to %j", (chosen, rule, on, after) => {
    expect(toggle(chosen, { rules: [rule], on, offered })).toEqual(after);
  });

  it("adds nothing that was not asked for", () => {
    expect(toggle([], { rules: ["a.d.manage"], on: true, offered: ["a.d.manage"] })).toEqual([
      "a.d.manage",
    ]);
  });
});

describe("words", () => {
  it.each([
    [scope("catalog.system.read"), "See systems"],
    [scope("catalog.system.manage"), "Prepare changes to systems"],
    [{ rule: "ai.url.read", title: "Look at addresses", held: true }, "Look at addresses"],
    [{ rule: "*", title: "*", held: true }, texts.connect.everything],
  ])("calls %j %s", (asked, said) => {
    expect(describeScope(asked)).toBe(said);
  });

  it.each([
    ["catalog", "Catalog"],
    ["identity", "People and access"],
    ["healthcheck", "Health checks"],
    ["weather", "Weather"],
    ["toString", "ToString"],
  ])("calls the place %s %s", (place, said) => {
    expect(namePlace(place)).toBe(said);
  });
});

describe("findPlaces", () => {
  it.each([
    [
      ["catalog.system.read", "catalog.system.manage", "incident.incident.read"],
      { isEverything: false, seen: ["Catalog", "Incidents"], prepared: ["Catalog"] },
    ],
    [["weather.map.manage"], { isEverything: false, seen: ["Weather"], prepared: ["Weather"] }],
    [["*"], { isEverything: true, seen: ["Everything"], prepared: [] }],
  ])("of %j", (rules, places) => {
    expect(findPlaces(rules.map((rule) => ({ rule })))).toEqual(places);
  });
});

describe("wayTo", () => {
  it.each([
    ["https://claude.ai/back?code=1", "web"],
    ["http://127.0.0.1:3118/back", "web"],
    ["cursor://anysphere.cursor/back", "program"],
    ["com.example.app:/back", "program"],
    ["javascript:alert(1)", "never"],
    ["JavaScript:alert(1)", "never"],
    ["data:text/html,x", "never"],
    ["blob:https://claude.ai/1", "never"],
    ["back", "never"],
  ])("%s is %s", (address, way) => {
    expect(wayTo(address)).toBe(way);
  });
});
