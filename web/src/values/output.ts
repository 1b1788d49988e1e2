/** In which form a value that no view knows is shown. Pure. */

import { isObject, isScalar } from "./value-view";

export type Row = Record<string, unknown>;

/** A list of objects, and what stood beside it. */
export interface Tabular {
  rows: Row[];
  columns: string[];
  rest: Row;
}

const MOST_COLUMNS = 8;

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Those that most rows have come first, in the order in which they are met. */
export function columnsOf(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  for (const name of rows.flatMap(Object.keys)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.keys()].filter((name) => (counts.get(name) ?? 0) * 2 > rows.length);
}

/** Rows whose values are mostly plain: more than that is easier to read as a tree. */
function tableOf(rows: Row[], rest: Row): Tabular | null {
  const columns = columnsOf(rows);
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return null;
  const cells = rows.flatMap((row) => columns.map((name) => row[name]));
  const plain = cells.filter((cell) => isScalar(cell) || isFlat(cell)).length;
  return plain * 4 >= cells.length * 3 ? { rows, columns, rest } : null;
}

/** A list of plain values fits into a cell. */
function isFlat(value: unknown): boolean {
  return Array.isArray(value) && value.every(isScalar);
}

export function findTable(value: unknown): Tabular | null {
  if (isRows(value)) return tableOf(value, {});
  if (!isObject(value)) return null;
  const lists = Object.entries(value).filter(([, item]) => isRows(item));
  const [only] = lists;
  if (only === undefined || lists.length > 1) return null;
  const { [only[0]]: _, ...rest } = value;
  return tableOf(only[1] as Row[], rest);
}

export type Form = "nothing" | "text" | "table" | "fields" | "tree";

export function formOf(value: unknown): Form {
  if (value === null || value === undefined || value === "") return "nothing";
  if (isScalar(value)) return "text";
  if (findTable(value) !== null) return "table";
  const flat = isObject(value) && Object.values(value).every((item) => isScalar(item));
  return flat ? "fields" : "tree";
}
