import { describe, expect, it } from "vitest";
import type { Page } from "../../src/api/types";
import { allDestinations, assignLetters, buildNavigation } from "../../src/shell/navigation";
import { ADA } from "../render";

function page(plugin: string, slug: string, title: string): Page {
  return { plugin, slug, title, icon: "box", module: null };
}

const PAGES = [
  page("catalog", "systems", "Systems"),
  page("weather", "now", "Weather"),
  page("catalog", "groups", "Groups"),
];

describe("assignLetters", () => {
  it("gives each label its first free letter", () => {
    expect(assignLetters(["Systems", "Settings", "SSS", "9", "Größe"])).toEqual([
      "s",
      "e",
      null,
      null,
      "g",
    ]);
  });
});

describe("buildNavigation", () => {
  it("puts pages of one plugin under a heading and single ones together", () => {
    const { sections, complete } = buildNavigation(ADA, PAGES);
    expect(complete).toBe(true);
    expect(sections.map(({ heading, destinations }) => [heading, destinations.length])).toEqual([
      ["Catalog", 2],
      [null, 1],
    ]);
  });

  it("shows People only to those who may see some of it", () => {
    const to = (rules: string[]) =>
      buildNavigation({ ...ADA, rules }, PAGES).fixed.map((entry) => entry.to);
    expect(to([])).toEqual(["/settings"]);
    expect(to(["identity.team.manage"])).toEqual(["/people", "/settings"]);
  });

  it("shows Assistant to those who may see agents or integrations", () => {
    const to = (rules: string[]) =>
      buildNavigation({ ...ADA, rules }, PAGES).fixed.map((entry) => entry.to);
    expect(to(["ai.agent.read"])).toEqual(["/assistant", "/settings"]);
    expect(to(["ai.integration.manage"])).toEqual(["/assistant", "/settings"]);
  });

  it("shows Proposals to everybody and the audit log to those who may read it", () => {
    const to = (rules: string[]) =>
      allDestinations(buildNavigation({ ...ADA, rules }, [])).map((entry) => entry.to);
    expect(to([])).toEqual(["/proposals", "/settings"]);
    expect(to(["audit.entry.read"])).toEqual(["/proposals", "/audit", "/settings"]);
  });

  it("says at Proposals what waits", () => {
    expect(buildNavigation(ADA, PAGES, "3").top.map(({ waiting }) => waiting)).toEqual(["3"]);
  });

  it("gives every destination its own letter", () => {
    const destinations = allDestinations(buildNavigation({ ...ADA, rules: ["*"] }, PAGES));
    const letters = destinations.map(({ letter }) => letter);
    expect(new Set(letters).size).toBe(destinations.length);
  });

  it("knows that the pages are not known yet", () => {
    expect(buildNavigation(ADA, undefined).complete).toBe(false);
  });
});
