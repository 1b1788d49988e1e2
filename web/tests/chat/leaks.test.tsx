/** Every known way to reach out of a rendered text, whole and cut after each of its characters. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { render } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { Markdown } from "../../src/chat/markdown";

type Row = [id: string, tries: string, text: string];

const TABLE = join(import.meta.dirname, "../../../tests/browser/vectors.json");
const ROWS = JSON.parse(readFileSync(TABLE, "utf8")) as Row[];
const ELEMENTS = new Set(
  (
    "div p ul ol li strong em del blockquote h3 h4 hr br table thead tbody tr th td sup sub section " +
    "pre code span bdi a button input svg path"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  "class type tabindex aria-label aria-hidden start disabled checked id data-base-ui-tooltip-trigger".split(
    " ",
  ),
);
const OF_BLOCKS = /^data-|^aria-/u;

function listFaults(box: Element): string[] {
  return [...box.querySelectorAll("*")].flatMap((element) => {
    const tag = element.tagName.toLowerCase();
    if (element.closest("svg")) return [];
    const faults = [...element.attributes]
      .filter(({ name }) => !ATTRIBUTES.has(name) && !OF_BLOCKS.test(name))
      .filter(({ name, value }) => !(tag === "a" && name === "href" && value.startsWith("/audit")))
      .map(({ name, value }) => `${tag} ${name}=${value}`);
    return ELEMENTS.has(tag) ? faults : [tag, ...faults];
  });
}

function page(text: string, growing: boolean) {
  return (
    <MemoryRouter>
      <Markdown text={text} growing={growing} />
    </MemoryRouter>
  );
}

describe.each(ROWS)("%s: %s", (id, _tries, template) => {
  const text = template.replaceAll("{host}", `${id}.leak.example`).replaceAll("{id}", id);

  it("makes nothing that reaches out", () => {
    const shown = new Set<string | null>();
    const { container, rerender } = render(page("", true));
    for (let length = 1; length <= text.length; length += 1) {
      rerender(page(text.slice(0, length), true));
      shown.add(container.textContent);
      expect(listFaults(container), text.slice(0, length)).toEqual([]);
    }
    rerender(page(text, false));
    expect(listFaults(container)).toEqual([]);
    expect(shown.size).toBeGreaterThan(1);
  });
});
