/** The changes of a proposal, field by field: before and after. */

import { ArrowRight, type LucideIcon, Minus, MoveVertical, Pencil, Plus } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import type { FieldChange } from "../api/types";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { DiffText } from "./diff-text";
import { Reordered } from "./reordered";
import { compareTexts } from "./text-diff";
import { isScalar, ValueView } from "./value-view";
import { Visible } from "./visible";

type Kind = FieldChange["kind"];

interface ChangeProps {
  change: FieldChange;
}

const KINDS: Record<Kind, { icon: LucideIcon; look: string; view: ComponentType<ChangeProps> }> = {
  added: { icon: Plus, look: "text-accent", view: Added },
  removed: { icon: Minus, look: "text-danger", view: Removed },
  changed: { icon: Pencil, look: "text-muted", view: Changed },
  reordered: {
    icon: MoveVertical,
    look: "text-muted",
    view: ({ change }) => <Reordered before={change.before} after={change.after} />,
  },
};

interface DiffViewProps {
  changes: readonly FieldChange[];
}

export function DiffView({ changes }: DiffViewProps) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {changes.map((change) => (
        <ChangeRow key={`${change.kind} ${change.path}`} change={change} />
      ))}
    </ul>
  );
}

function ChangeRow({ change }: ChangeProps) {
  const { icon: Icon, look, view: View } = KINDS[change.kind];
  return (
    <li className="flex flex-col gap-1.5 py-3 first:pt-0 last:pb-0">
      <div className="flex min-w-0 items-baseline gap-2">
        <Icon size={13} aria-hidden="true" className={classes("shrink-0 translate-y-0.5", look)} />
        <span className="min-w-0 font-mono text-[0.8125rem] font-medium wrap-anywhere">
          {change.path === "" ? texts.diff.whole : <Visible text={change.path} />}
        </span>
        <span className="shrink-0 text-xs text-muted">{texts.diff.kinds[change.kind]}</span>
      </div>
      <View change={change} />
    </li>
  );
}

type Tone = "before" | "after";

const SIDES: Record<Tone, string> = {
  before: "border-l-2 border-danger/50 bg-hover text-muted",
  after: "border-l-2 border-accent/60 bg-hover",
};

interface SideProps {
  tone: Tone;
  children: ReactNode;
}

function Side({ tone, children }: SideProps) {
  return (
    <div className={classes("min-w-0 flex-1 rounded-r-md px-3 py-1.5", SIDES[tone])}>
      <span className="sr-only">{texts.diff[tone]}: </span>
      {children}
    </div>
  );
}

function Added({ change }: ChangeProps) {
  return (
    <Side tone="after">
      <ValueView value={change.after} depth={1} />
    </Side>
  );
}

function Removed({ change }: ChangeProps) {
  return (
    <Side tone="before">
      <ValueView value={change.before} depth={1} />
    </Side>
  );
}

function Changed({ change: { before, after } }: ChangeProps) {
  const [old, fresh] = sidesOf(before, after);
  return (
    <div className="flex flex-col gap-1 @lg:flex-row @lg:items-stretch @lg:gap-2">
      <Side tone="before">{old}</Side>
      <span className="hidden shrink-0 items-center text-faint @lg:flex">
        <ArrowRight size={14} aria-hidden="true" />
        <span className="sr-only">{texts.diff.becomes}</span>
      </span>
      <Side tone="after">{fresh}</Side>
    </div>
  );
}

function sidesOf(before: unknown, after: unknown): [ReactNode, ReactNode] {
  if (typeof before === "string" && typeof after === "string") {
    const diff = compareTexts(before, after);
    return [
      <DiffText key="before" side="before" pieces={diff.before} />,
      <DiffText key="after" side="after" pieces={diff.after} />,
    ];
  }
  const view = looksAlike(before, after) ? asJson : asValue;
  return [view(before), view(after)];
}

/** The number 5 and the text "5" look the same unless they are written as JSON. */
function looksAlike(before: unknown, after: unknown): boolean {
  return isScalar(before) && isScalar(after) && String(before) === String(after);
}

function asJson(value: unknown): ReactNode {
  return <code className="font-mono text-[0.8125rem]">{JSON.stringify(value)}</code>;
}

function asValue(value: unknown): ReactNode {
  return <ValueView value={value} depth={1} />;
}
