/** Rules for the sources that no linter knows. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
/** What people read or hear: attributes of elements, and fields of what is given to components. */
const SAID_IN = new Set([
  "action",
  "alt",
  "aria-description",
  "aria-label",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
  "body",
  "description",
  "emptyBody",
  "emptyTitle",
  "hint",
  "label",
  "placeholder",
  "title",
]);

/** What has one of its sides as its value, and does not compare them. */
const JOINING = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

function sources(ending: string): string[] {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join("src", path));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The literal texts of an expression, whichever way it chooses between them. */
function literalsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) {
    return literalsOf(node.expression);
  }
  if (ts.isConditionalExpression(node)) {
    return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  }
  if (ts.isBinaryExpression(node) && JOINING.has(node.operatorToken.kind)) {
    return [...literalsOf(node.left), ...literalsOf(node.right)];
  }
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  }
  return [];
}

function isSaidIn(name: ts.Node): boolean {
  return SAID_IN.has(name.getText().replaceAll(/["']/gu, ""));
}

function textsOf(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return [node.text];
  if (ts.isJsxAttribute(node)) return isSaidIn(node.name) ? literalsOf(node.initializer) : [];
  if (ts.isPropertyAssignment(node)) return isSaidIn(node.name) ? literalsOf(node.initializer) : [];
  const isChild = ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent);
  return isChild ? literalsOf(node) : [];
}

/** A single letter, such as a key's name, needs no translation. */
function findSaid(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...textsOf(node).filter((text) => /\p{Letter}{2}/u.test(text)));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe("house rules", () => {
  it.each(sources(".tsx"))("%s says nothing that is not in the catalogue", (path) => {
    expect(findSaid(path, read(path))).toEqual([]);
  });

  it.each([
    "<p>Some words</p>",
    '<p>{"Some words"}</p>',
    '<p>{is ? "Some words" : null}</p>',
    ["<p>{count > 0 && `Some words $", "{count}`}</p>"].join(""),
    '<a aria-label="Some words" />',
    '<a title={is ? words.a : "Some words"} />',
    '<input placeholder={"Some words"} />',
    '<img alt="Some words" />',
    'const columns = [{ key: "when", label: "Some words" }];',
  ])("finds what is said in %s", (source) => {
    expect(findSaid("sample.tsx", source).join(" ")).toContain("Some words");
  });

  it("leaves alone what nobody reads", () => {
    const source = 'const a = <p className="some words" key="words">{words.title} · {a}</p>;';
    expect(findSaid("sample.tsx", source)).toEqual([]);
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
