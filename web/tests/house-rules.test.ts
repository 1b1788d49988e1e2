/** Rules for the sources that no linter knows. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SAID_IN = new Set(["aria-label", "label", "title", "placeholder", "alt", "hint"]);

function sources(ending: string): string[] {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join("src", path));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function textOf(node: ts.Node): string {
  if (ts.isJsxText(node)) return node.text;
  const said = ts.isJsxAttribute(node) && SAID_IN.has(node.name.getText());
  const value = said ? node.initializer : undefined;
  return value !== undefined && ts.isStringLiteral(value) ? value.text : "";
}

/** A single letter, such as a key's name, needs no translation. */
function findSaid(path: string): string[] {
  const file = ts.createSourceFile(
    path,
    read(path),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node).trim();
    if (/\p{Letter}{2}/u.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe("house rules", () => {
  it.each(sources(".tsx"))("%s says nothing that is not in the catalogue", (path) => {
    expect(findSaid(path)).toEqual([]);
  });

  it.each(
    sources(".ts")
      .concat(sources(".tsx"))
      .filter((path) => !path.endsWith(".d.ts")),
  )("%s begins by saying what it is", (path) => {
    expect(read(path).startsWith("/**")).toBe(true);
  });

  it("index.html runs and styles nothing inline", () => {
    const html = read("index.html");
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/u);
    for (const [, attributes, body] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/gu)) {
      expect(attributes).toContain("src=");
      expect(body).toBe("");
    }
  });

  it("only the names of the contract know the generated schema", () => {
    const users = sources(".ts").filter((path) => /from "[./]*(api\/)?schema"/u.test(read(path)));
    expect(users).toEqual([join("src", "api", "types.ts")]);
  });
});
