/** A table of entries. Where there is little room only the first and the last column stay. */

import type { ReactNode } from "react";
import { classes } from "./classes";

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** From which width on the column is shown. */
  from?: "phone" | "tablet" | "desktop";
  /** The column is for buttons: no heading is shown, only read out. */
  actions?: boolean;
  /** Figures stand under each other. */
  figures?: boolean;
  className?: string;
}

interface TableProps<Row extends { id: string }> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}

/** Of the page, not of the window: the dock may be beside it. */
const FROM: Record<"phone" | "tablet" | "desktop", string> = {
  phone: "",
  tablet: "@max-[40rem]:hidden",
  desktop: "@max-[44rem]:hidden",
};

export function Table<Row extends { id: string }>({ label, rows, columns }: TableProps<Row>) {
  return (
    <div className="rounded-xl border border-line bg-raised shadow-soft">
      <table aria-label={label} className="w-full table-auto border-collapse text-left">
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classes(
                  "h-9 px-4 text-xs font-medium whitespace-nowrap text-muted first:rounded-tl-xl last:rounded-tr-xl",
                  column.figures && "text-right",
                  FROM[column.from ?? "phone"],
                )}
              >
                {column.actions ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              className="relative border-b border-line transition-colors last:border-0 hover:bg-hover"
            >
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={classes(
                    "px-4 py-2.5",
                    column.actions && "w-0 py-1.5 pr-2.5 text-right whitespace-nowrap",
                    column.figures && "text-right tabular-nums",
                    FROM[column.from ?? "phone"],
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
