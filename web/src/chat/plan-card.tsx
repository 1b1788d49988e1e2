/** A plan that is ticked off. Once something else was said it folds to how far it came. */

import {
  Ban,
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  ListChecks,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Visible } from "../values/visible";
import type { PlanData, PlanStepState } from "./message";

const words = texts.chat.plan;

const LOOKS: Record<PlanStepState, { icon: LucideIcon; mark: string; text: string }> = {
  pending: { icon: CircleDashed, mark: "text-muted", text: "" },
  active: { icon: CircleDot, mark: "text-accent", text: "font-medium" },
  done: { icon: CircleCheck, mark: "text-accent", text: "text-muted" },
  skipped: { icon: Ban, mark: "text-muted", text: "text-muted line-through" },
  failed: { icon: CircleX, mark: "text-danger", text: "" },
};

interface PlanCardProps {
  data: PlanData;
  /** A person has said something after it. */
  passed: boolean;
}

export function PlanCard({ data: { title, steps }, passed }: PlanCardProps) {
  const [open, setOpen] = useState<boolean | null>(null);
  const done = steps.filter(({ state }) => state === "done").length;
  return (
    <details
      open={open ?? !passed}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== (open ?? !passed)) setOpen(currentTarget.open);
      }}
      className="rounded-xl border border-line bg-raised px-4 shadow-soft"
    >
      <summary className="flex list-none items-center gap-2.5 py-3 [&::-webkit-details-marker]:hidden">
        <ListChecks size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate font-semibold tracking-tight">
          <Visible text={title === "" ? words.title : title} />
        </span>
        <span className="shrink-0 text-[0.8125rem] text-muted tabular-nums">
          {words.count(done, steps.length)}
        </span>
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 text-muted transition-transform duration-150 [[open]>summary>&]:rotate-90"
        />
      </summary>
      <ol className="flex flex-col gap-2 pb-3.5">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is what stands at its place.
          <PlanStep key={index} {...step} />
        ))}
      </ol>
    </details>
  );
}

interface PlanStepProps {
  text: string;
  state: PlanStepState;
}

function PlanStep({ text, state }: PlanStepProps) {
  const { icon: Icon, ...look } = LOOKS[state];
  return (
    <li className="flex items-start gap-2.5">
      <Icon size={16} aria-hidden="true" className={classes("mt-0.75 shrink-0", look.mark)} />
      <p className={classes("min-w-0 flex-1 wrap-anywhere", look.text)}>
        <Visible text={text} />
        <span className="sr-only"> ({words.states[state]})</span>
      </p>
    </li>
  );
}
