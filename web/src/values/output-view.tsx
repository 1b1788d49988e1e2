/** What came back from a tool that has no view of its own: a table, fields, a tree or a text. */

import type { ReactNode } from "react";
import { texts } from "../texts";
import { JsonTree } from "./json-tree";
import { LongText } from "./long-text";
import { ObjectTable } from "./object-table";
import { type Form, findTable, formOf } from "./output";
import { Fields } from "./value-view";

interface OutputViewProps {
  value: unknown;
}

const VIEWS: Record<Form, (value: unknown) => ReactNode> = {
  nothing: () => <p className="text-muted">{texts.chat.noOutput}</p>,
  text: (value) => <LongText text={String(value)} />,
  fields: (value) => <Fields object={value as Record<string, unknown>} />,
  tree: (value) => <JsonTree value={value} />,
  table: (value) => <WithRest value={value} />,
};

export function OutputView({ value }: OutputViewProps) {
  return VIEWS[formOf(value)](value);
}

function WithRest({ value }: OutputViewProps) {
  const table = findTable(value);
  if (table === null) return null;
  const rest = Object.fromEntries(
    Object.entries(table.rest).filter(([, item]) => item !== null && item !== undefined),
  );
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ObjectTable rows={table.rows} columns={table.columns} />
      {Object.keys(rest).length > 0 && <Fields object={rest} />}
    </div>
  );
}
