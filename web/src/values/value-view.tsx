/** A JSON value for people: texts as texts, lists as lists, objects as their fields. */

import { type ReactNode, useState } from "react";
import { texts } from "../texts";
import { FoldButton, LongText } from "./long-text";
import type { Path } from "./path";
import { Visible } from "./visible";

/** Deeper than this, indentation reads worse than JSON. */
const DEEPEST = 4;
const MOST_AT_FIRST = 20;

type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Says something about the value at a path. */
export type Annotate = (path: Path) => ReactNode;

interface ValueViewProps {
  value: unknown;
  depth?: number;
  path?: Path;
  annotate?: Annotate | undefined;
}

export function ValueView({ value, depth = 0, path = [], annotate }: ValueViewProps) {
  if (isScalar(value)) {
    return (
      <>
        {typeof value === "string" ? <LongText text={value} /> : <Scalar value={value} />}
        {annotate?.(path)}
      </>
    );
  }
  if (depth >= DEEPEST) return <LongText text={JSON.stringify(value, null, 2)} mono />;
  const below = { depth, path, annotate };
  if (Array.isArray(value)) return <List items={value} {...below} />;
  return <Fields object={value as JsonObject} {...below} />;
}

interface ScalarProps {
  value: unknown;
}

function Scalar({ value }: ScalarProps) {
  if (value === null || value === undefined) {
    return <span className="text-muted italic">{texts.diff.nothing}</span>;
  }
  return <code className="font-mono text-[0.8125rem] wrap-anywhere">{String(value)}</code>;
}

interface ListProps {
  items: readonly unknown[];
  depth: number;
  path: Path;
  annotate: Annotate | undefined;
}

function List({ items, depth, path, annotate }: ListProps) {
  const [open, setOpen] = useState(false);
  if (items.length === 0) {
    return <span className="text-muted italic">{texts.diff.emptyList}</span>;
  }
  const shown = open ? items : items.slice(0, MOST_AT_FIRST);
  return (
    <div className="min-w-0">
      <ol className="flex flex-col gap-1">
        {shown.map((item, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a list of values that is shown as it is.
            key={index}
            className="flex min-w-0 gap-2.5"
          >
            <span aria-hidden="true" className="shrink-0 text-muted tabular-nums select-none">
              {index + 1}.
            </span>
            <div className="min-w-0 flex-1">
              <ValueView
                value={item}
                depth={depth + 1}
                path={[...path, index]}
                annotate={annotate}
              />
            </div>
          </li>
        ))}
      </ol>
      {items.length > MOST_AT_FIRST && (
        <FoldButton
          open={open}
          size={texts.diff.entriesInAll(items.length)}
          onToggle={() => setOpen(!open)}
        />
      )}
    </div>
  );
}

/** Fields of the outermost object stand apart by lines; those of inner ones share two columns. */
const OUTER = {
  list: "flex flex-col divide-y divide-line",
  field:
    "grid min-w-0 gap-x-4 gap-y-0.5 py-2 first:pt-0 last:pb-0 @md:grid-cols-[minmax(6rem,11rem)_minmax(0,1fr)]",
  value: "min-w-0",
};
const INNER = {
  list: "grid gap-x-4 gap-y-0.5 @max-md:border-l @max-md:border-line @max-md:pl-3 @md:grid-cols-[fit-content(11rem)_minmax(0,1fr)] @md:gap-y-1.5",
  field: "contents",
  value: "min-w-0 @max-md:mb-1.5 @max-md:last:mb-0",
};

interface FieldsProps {
  object: JsonObject;
  depth?: number;
  path?: Path;
  annotate?: Annotate | undefined;
}

export function Fields({ object, depth = 0, path = [], annotate }: FieldsProps) {
  const entries = Object.entries(object);
  if (entries.length === 0) {
    return <span className="text-muted italic">{texts.diff.emptyObject}</span>;
  }
  const look = depth === 0 ? OUTER : INNER;
  return (
    <dl className={look.list}>
      {entries.map(([name, value]) => (
        <div key={name} className={look.field}>
          <dt className="min-w-0 font-mono text-[0.8125rem] leading-5.25 wrap-anywhere text-muted">
            <Visible text={name} />
          </dt>
          <dd className={look.value}>
            <ValueView value={value} depth={depth + 1} path={[...path, name]} annotate={annotate} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
