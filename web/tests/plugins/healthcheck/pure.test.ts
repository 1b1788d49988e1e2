import { describe, expect, it } from "vitest";
import type { CapabilitySchema } from "../../../src/api/types";
import {
  fieldsOf,
  labelOf,
  readConfig,
  showConfig,
} from "../../../src/plugins/healthcheck/config-schema";
import {
  buildBody,
  draftOf,
  emptyDraft,
  findIssue,
  layOut,
  readAsserted,
  rebaseDraft,
  resultFields,
  strayIssues,
} from "../../../src/plugins/healthcheck/draft";
import { isHourly, seriesOf, showMs, showPercent } from "../../../src/plugins/healthcheck/points";
import { contextOf, sourceField } from "../../../src/plugins/healthcheck/script";
import { HTTP, JSON_VALUE, makeCheck, makePoint } from "./make";

const SCHEMA = {
  type: "object",
  required: ["url", "port"],
  $defs: { Mode: { type: "string", enum: ["fast", "slow"] } },
  properties: {
    url: { type: "string", maxLength: 200, description: "Where it goes." },
    port: { type: "integer" },
    share: { type: "number", default: 0.5 },
    verify: { type: "boolean", default: true },
    mode: { $ref: "#/$defs/Mode", default: "fast" },
    body: { type: "string", maxLength: 20_000, default: "" },
    headers: { type: "object", default: {} },
    note: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    either: { anyOf: [{ type: "string" }, { type: "integer" }] },
    script: { type: "string", format: "code" },
  },
};

describe("fields of a schema", () => {
  const fields = fieldsOf(SCHEMA);
  const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));

  it("finds a control for everything, in order", () => {
    expect(Object.entries(kinds)).toEqual([
      ["url", "text"],
      ["port", "integer"],
      ["share", "number"],
      ["verify", "flag"],
      ["mode", "choice"],
      ["body", "area"],
      ["headers", "json"],
      ["note", "text"],
      ["either", "json"],
      ["script", "code"],
    ]);
    expect(fields[0]).toMatchObject({ label: "Url", hint: "Where it goes.", required: true });
    expect(fields[4]?.choices).toEqual(["fast", "slow"]);
  });

  it("shows defaults, and sends what was shown as it was meant", () => {
    const shown = showConfig(fields, { url: "http://a", port: 8080, headers: { a: "b" } });
    expect(shown).toMatchObject({ share: "0.5", verify: true, mode: "fast", note: "" });
    const { config, unreadable } = readConfig(fields, { ...shown, either: "", script: "" });
    expect(unreadable).toEqual([]);
    expect(config).toEqual({
      url: "http://a",
      port: 8080,
      share: 0.5,
      verify: true,
      mode: "fast",
      body: "",
      headers: { a: "b" },
    });
  });

  it("names what cannot be read", () => {
    const shown = showConfig(fields, { url: "x", port: 1 });
    const { unreadable } = readConfig(fields, { ...shown, port: "many", headers: "{" });
    expect(unreadable).toEqual(["port", "headers"]);
  });

  it.each([
    ["statusCode", "Status code"],
    ["body_bytes", "Body bytes"],
    ["url", "Url"],
  ])("reads %s as %s", (name, label) => {
    expect(labelOf(name)).toBe(label);
  });

  it("does not follow itself in circles", () => {
    const round = {
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { $ref: "#/$defs/A" } },
    };
    expect(fieldsOf(round)[0]?.kind).toBe("json");
  });
});

const SCHEMAS: Record<string, CapabilitySchema> = { http: HTTP, json: JSON_VALUE };

describe("a draft", () => {
  it("comes back as the check that it was made of", () => {
    const check = makeCheck({
      collectors: [{ id: "body", kind: "json", config: { path: "$.ok" } }],
      assertions: [
        { field: "statusCode", operator: "equals", value: 200, severity: "down" },
        { field: "body.value", operator: "exists", severity: "degraded" },
        { field: "contentType", operator: "contains", value: "200", severity: "down" },
      ],
      egress: ["https://a.example:443", "https://b.example:443"],
    });
    const draft = draftOf(check);
    const laid = {
      ...draft,
      shown: layOut(draft, SCHEMAS),
      collectors: draft.collectors.map((one) => ({ ...one, shown: layOut(one, SCHEMAS) })),
    };
    for (const given of [draft, laid]) {
      const { body, issues } = buildBody(given, SCHEMAS);
      expect(issues).toEqual([]);
      expect(body).toMatchObject({
        name: check.name,
        strategy: { kind: "http", config: check.strategy.config },
        collectors: check.collectors,
        assertions: check.assertions,
        egress: check.egress,
        intervalSeconds: 60,
      });
    }
  });

  it("offers fields of the strategy and of every collector", () => {
    const draft = draftOf(makeCheck({ collectors: [{ id: "answer", kind: "json", config: {} }] }));
    expect(resultFields(draft, SCHEMAS).map(({ name }) => name)).toEqual([
      "statusCode",
      "contentType",
      "truncated",
      "answer.value",
    ]);
    expect(resultFields(emptyDraft("here"), {})).toEqual([]);
  });

  it.each([
    ["200", "integer", 200],
    ["1.5", "number", 1.5],
    ["200", "string", "200"],
    ["true", "boolean", true],
    ["yes", "boolean", "yes"],
    ["12", "any", 12],
    ["true", "any", true],
    ["ok", "any", "ok"],
    ["", "integer", ""],
    ["7", undefined, 7],
  ])("reads %o for a field of type %s", (text, type, value) => {
    expect(readAsserted(text, type)).toEqual(value);
  });

  it("says at the field what cannot be read", () => {
    const draft = { ...emptyDraft("here"), shown: { url: "http://a", headers: "{" } };
    const { issues } = buildBody(draft, SCHEMAS);
    expect(findIssue(issues, "strategy.config.headers")).toBe("This cannot be read.");
  });

  it("puts messages where they belong and keeps the others", () => {
    const draft = draftOf(makeCheck());
    const issues = [
      { path: "strategy.config.url", message: "No address." },
      { path: "assertions.0.value", message: "Not there any more." },
      { path: "systemIds.2", message: "Gone." },
      { path: "", message: "No." },
      { path: "strategy.config.colour", message: "Unknown." },
    ];
    expect(findIssue(issues, "strategy.config.url")).toBe("No address.");
    expect(findIssue(issues, "systemIds")).toBe("Gone.");
    expect(findIssue(issues, "name")).toBeUndefined();
    expect(strayIssues(issues, draft, SCHEMAS).map(({ message }) => message)).toEqual([
      "Not there any more.",
      "No.",
      "Unknown.",
    ]);
  });

  it("keeps what was typed when somebody else was faster", () => {
    const base = draftOf(makeCheck());
    const mine = { ...base, name: "mine", shown: { url: "http://mine" } };
    const newest = draftOf(makeCheck({ name: "theirs", description: "theirs" }));
    expect(rebaseDraft(base, mine, newest)).toMatchObject({
      name: "mine",
      description: "theirs",
      shown: { url: "http://mine" },
    });
    expect(rebaseDraft(base, base, newest)).toMatchObject({ name: "theirs", shown: null });
  });
});

describe("figures", () => {
  it("stacks how runs ended", () => {
    const points = [makePoint(0, { up: 5 }), makePoint(1, { down: 2, degraded: 1 })];
    const names = { up: "Up", degraded: "Degraded", down: "Down", unknown: "Unknown" };
    const series = seriesOf({ points }, names);
    expect(series.map(({ id, values, total }) => [id, values, total])).toEqual([
      ["up", [5, 0], 5],
      ["unknown", [0, 0], 0],
      ["degraded", [0, 1], 1],
      ["down", [0, 2], 2],
    ]);
    expect(isHourly({ points })).toBe(true);
    expect(isHourly({ points: [makePoint(0), makePoint(24)] })).toBe(false);
    expect(isHourly({ points: [] })).toBe(true);
  });

  it("says shares and durations as people do", () => {
    expect(showPercent(0.99951)).toMatch(/^99[.,]951\s?%$/u);
    expect(showPercent(null)).toBeNull();
    expect(showMs(3.24)).toMatch(/^3[.,]2 ms$/u);
    expect(showMs(240.4)).toBe("240 ms");
    expect(showMs(12_300)).toMatch(/^12[.,]3 s$/u);
    expect(showMs(null)).toBeNull();
  });
});

describe("scripts", () => {
  it("knows which strategies run one, and where it stands", () => {
    expect(contextOf("script")).toBe("healthcheck-script");
    expect(contextOf("shell")).toBe("healthcheck-shell");
    expect(contextOf("http")).toBeNull();
    expect(sourceField(fieldsOf(SCHEMA))?.name).toBe("script");
    expect(sourceField(fieldsOf({ properties: { source: { type: "string" } } }))?.name).toBe(
      "source",
    );
    expect(sourceField([])).toBeUndefined();
  });
});
