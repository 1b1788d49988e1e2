import { describe, expect, it } from "vitest";
import * as agents from "../../src/assistant/agent-draft";
import { buildRows } from "../../src/assistant/agent-rows";
import * as integrations from "../../src/assistant/integration-draft";
import { checkWhole, parseWhole } from "../../src/assistant/whole-number";
import { CLOUD, makeAgent, makeIntegration } from "./make";

describe("whole numbers", () => {
  it.each([
    ["128000", 128_000],
    [" 128,000 ", 128_000],
    ["128 000", 128_000],
    ["", null],
    ["many", null],
    ["-1", null],
  ])("%j is %s", (text, number) => {
    expect(parseWhole(text)).toBe(number);
  });

  it("may be left empty, but not be something else", () => {
    expect(checkWhole(" ")).toBeUndefined();
    expect(checkWhole("12a")).toBeDefined();
  });
});

describe("an integration", () => {
  it("comes out of its form as it went in, without a key", () => {
    const integration = makeIntegration({
      contextWindow: 32_000,
      cap: { tokens: 5_000, seconds: 3_600 },
    });
    const { id: _, hasKey: __, version, ...rest } = integration;
    const values = integrations.valuesOf(integration);
    expect(values.key).toBe("");
    expect(integrations.changeOf(values, version)).toEqual({ ...rest, expectedVersion: 3 });
  });

  it("is tidied up", () => {
    const draft = integrations.draftOf({
      ...integrations.NEW_INTEGRATION,
      name: " Cloud ",
      baseUrl: " https://models.example.com/v1 ",
      key: " sk-1 ",
      defaultModel: " large ",
      allowedModels: " small \n\nsmall, tiny",
    });
    expect(draft).toMatchObject({
      name: "Cloud",
      baseUrl: "https://models.example.com/v1",
      key: "sk-1",
      defaultModel: "large",
      allowedModels: ["small", "tiny"],
      contextWindow: null,
      cap: null,
    });
  });

  it("needs a name, an address and a model", () => {
    const invalid = integrations.checkIntegration({
      ...integrations.NEW_INTEGRATION,
      cap: "a lot",
    });
    expect(Object.keys(invalid)).toEqual(["name", "baseUrl", "defaultModel", "cap"]);
  });

  it("offers the usual times, and the one that is stored", () => {
    expect(integrations.periodChoices("86400")).toHaveLength(4);
    expect(integrations.periodChoices("90").at(-1)).toEqual({
      value: "90",
      label: "in 90 seconds",
    });
  });
});

describe("an agent", () => {
  it("comes out of its form as it went in, without its slug", () => {
    const agent = makeAgent({ integrationId: "cloud", model: "small", tools: ["catalog.list"] });
    const { id: _, slug: __, version, ...rest } = agent;
    expect(agents.changeOf(agents.valuesOf(agent), version)).toEqual({
      ...rest,
      expectedVersion: 2,
    });
  });

  it("has no model without an integration, and a slug from its name", () => {
    const draft = agents.draftOf({ ...agents.NEW_AGENT, name: "Ship's cook", model: "small" });
    expect(draft).toMatchObject({ slug: "ship-s-cook", integrationId: null, model: null });
  });

  it("shows the built-in one until another takes its place", () => {
    const builtIn = {
      slug: "assistant",
      name: "Assent",
      isDefault: true,
      integrationId: null,
      model: null,
      suggestions: [],
    };
    const teller = makeAgent({ integrationId: "cloud", tools: ["a.b"] });
    const shown = buildRows([teller], [builtIn, { ...builtIn, slug: "teller" }], [CLOUD]);
    expect(shown).toMatchObject([
      { slug: "assistant", own: null, isDefault: true, tools: "All" },
      { slug: "teller", isDefault: false, model: "Cloud: large", tools: "1 tool" },
    ]);
    const replaced = buildRows([makeAgent({ slug: "assistant" })], [builtIn], []);
    expect(replaced).toHaveLength(1);
    expect(replaced[0]?.own).not.toBeNull();
  });
});
