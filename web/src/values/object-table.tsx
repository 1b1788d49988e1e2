/** A list of objects as a table. What does not fit on the screen is scrolled to. */

import { useState } from "react";
import { texts } from "../texts";
import { FoldButton } from "./long-text";
import type { Row, Tabular } from "./output";
import { isScalar } from "./value-view";
import { Visible } from "./visible";

const MOST_AT_FIRST = 10;
const LONGEST_CELL = 160;

export function ObjectTable({ rows, columns }: Pick<Tabular, "rows" | "columns">) {
  const [open, setOpen] = useState(false);
  const shown = open ? rows : rows.slice(0, MOST_AT_FIRST);
  return (
    <div className="min-w-0">
      <section
        aria-label={texts.output.table(rows.length)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="overflow-x-auto"
      >
        <table className="w-full border-collapse text-left text-[0.8125rem]">
          <thead>
            <tr className="border-b border-line">
              {columns.map((name) => (
                <th key={name} scope="col" className="py-1.5 pr-4 font-medium text-muted last:pr-0">
                  <Visible text={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows that are shown as they are.
              <tr key={index} className="align-top">
                {columns.map((name) => (
                  <td key={name} className="max-w-64 py-1.5 pr-4 wrap-break-word last:pr-0">
                    <Cell value={row[name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > MOST_AT_FIRST && (
        <FoldButton
          open={open}
          size={texts.diff.entriesInAll(rows.length)}
          onToggle={() => setOpen(!open)}
        />
      )}
    </div>
  );
}

function writeCell(value: Row[string]): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every(isScalar)) return value.map(String).join(", ");
  return JSON.stringify(value);
}

interface CellProps {
  value: unknown;
}

function Cell({ value }: CellProps) {
  const text = writeCell(value);
  const cut = text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
  return <Visible text={cut} />;
}
