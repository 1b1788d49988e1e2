import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { columnsOf, type Form, findTable, formOf } from "../../src/values/output";
import { OutputView } from "../../src/values/output-view";

const ROWS = [
  { name: "a", tags: ["x", "y"] },
  { name: "b", tags: [] },
];
const DEEP = [{ name: "a", inside: { b: { c: 1 } } }];

const FORMS: [unknown, Form][] = [
  [null, "nothing"],
  ["", "nothing"],
  [undefined, "nothing"],
  [0, "text"],
  [false, "text"],
  ["words", "text"],
  [{ a: 1, b: "c" }, "fields"],
  [{}, "fields"],
  [ROWS, "table"],
  [{ items: ROWS, nextCursor: null }, "table"],
  [{ one: ROWS, other: ROWS }, "tree"],
  [DEEP, "tree"],
  [[1, 2], "tree"],
  [[], "tree"],
  [{ a: { b: 1 } }, "tree"],
  [[Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`c${n}`, n]))], "tree"],
];

describe("the form of a result", () => {
  it.each(FORMS)("%j is a %s", (value, form) => expect(formOf(value)).toBe(form));

  it("keeps what stood beside a list, and columns that most rows have", () => {
    expect(findTable({ items: ROWS, total: 2 })).toMatchObject({ rest: { total: 2 } });
    expect(columnsOf([{ a: 1 }, { a: 1, b: 2 }, { a: 3 }])).toEqual(["a"]);
  });
});

describe("a result", () => {
  it("is a table of its rows", () => {
    render(<OutputView value={{ items: ROWS, total: 2 }} />);
    expect(screen.getAllByRole("row")).toHaveLength(3);
    expect(screen.getByRole("cell", { name: "x, y" })).toBeVisible();
    expect(screen.getByText("total")).toBeVisible();
  });

  it("shows ten rows of many at first", async () => {
    render(<OutputView value={Array.from({ length: 30 }, (_, n) => ({ n }))} />);
    expect(screen.getAllByRole("row")).toHaveLength(11);
    await userEvent.click(screen.getByRole("button", { expanded: false }));
    expect(screen.getAllByRole("row")).toHaveLength(31);
  });

  it("is a tree that makes what is deep when it is opened", async () => {
    render(<OutputView value={{ a: { b: { c: "deep" } } }} />);
    expect(screen.queryByText("deep")).toBeNull();
    await userEvent.click(screen.getByText("b"));
    expect(await screen.findByText("deep")).toBeVisible();
  });

  it("is a tree with so much at once", async () => {
    render(<OutputView value={{ list: Array.from({ length: 250 }, (_, n) => n) }} />);
    await userEvent.click(screen.getByText("list"));
    await userEvent.click(await screen.findByText("Show more (150 left)"));
    expect(screen.getByText("Show more (50 left)")).toBeVisible();
  });
});
