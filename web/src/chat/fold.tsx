/** Steps between two sentences, folded into one line. What went wrong or has a view is open. */

import { ChevronRight, CircleX, type LucideIcon, Search, Sparkles, Wrench } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { FallBack } from "../plugins/fall-back";
import { findToolView } from "../plugins/views";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { LongText } from "../values/long-text";
import { OutputView } from "../values/output-view";
import { ValueView } from "../values/value-view";
import { useProgress } from "./progress";
import { ProgressBar } from "./progress-bar";
import { RichText } from "./rich-text";
import { describeFold, describeStep, hasFailed, type Step, type ToolPart, titleOf } from "./steps";

const words = texts.chat;

interface FoldProps {
  steps: readonly Step[];
  /** The last step is still under way. */
  working: boolean;
}

export function Fold({ steps, working }: FoldProps) {
  const last = steps.at(-1);
  const label = working && last !== undefined ? describeStep(last) : describeFold(steps);
  return (
    <div className="min-w-0">
      <Disclosure
        open={steps.some(opens)}
        label={<span className={working ? "shimmer" : undefined}>{label}</span>}
      >
        <Steps steps={steps} />
      </Disclosure>
      {working &&
        steps.map(
          (step) =>
            step.type === "dynamic-tool" &&
            step.state === "input-available" && <Progress key={step.toolCallId} part={step} />,
        )}
    </div>
  );
}

function Progress({ part }: ToolDetailsProps) {
  const progress = useProgress(part.toolCallId);
  return progress && <ProgressBar title={titleOf(part)} progress={progress} />;
}

function hasView(step: Step): boolean {
  return (
    step.type === "dynamic-tool" &&
    step.state === "output-available" &&
    findToolView(step.toolName) !== null
  );
}

function opens(step: Step): boolean {
  return hasFailed(step) || hasView(step);
}

/** A single one needs no line of its own: the fold says already what it was. */
function Steps({ steps }: Pick<FoldProps, "steps">) {
  const [only] = steps;
  if (only !== undefined && steps.length === 1) return <Details step={only} />;
  return (
    <ol className="mt-1.5 ml-1.75 flex flex-col gap-1 border-l border-line pl-4.25">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
        <li key={index} className="min-w-0">
          <StepView step={step} />
        </li>
      ))}
    </ol>
  );
}

interface DisclosureProps {
  open: boolean;
  label: ReactNode;
  children: ReactNode;
}

/** Opened by itself when it turns out to have failed. What is folded is not even made. */
function Disclosure({ open, label, children }: DisclosureProps) {
  const [shown, setShown] = useState(open);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    setShown(open);
  }
  return (
    <details
      open={shown}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
      className="min-w-0"
    >
      <summary className="-ml-1 inline-flex max-w-full list-none items-center gap-1.5 rounded-md py-0.5 pr-2 pl-1 text-[0.8125rem] text-muted hover:text-ink pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 transition-transform duration-150 [[open]>summary>&]:rotate-90"
        />
        <span className="min-w-0 truncate">{label}</span>
      </summary>
      {shown && children}
    </details>
  );
}

interface StepProps {
  step: Step;
}

function iconOf(step: Step): LucideIcon {
  if (hasFailed(step)) return CircleX;
  if (step.type === "reasoning") return Sparkles;
  return step.toolName.includes(".list") || step.toolName.includes(".get") ? Search : Wrench;
}

function StepView({ step }: StepProps) {
  const Icon = iconOf(step);
  return (
    <Disclosure
      open={opens(step)}
      label={
        <span className="flex min-w-0 items-center gap-1.5">
          <Icon
            size={13}
            aria-hidden="true"
            className={classes("shrink-0", hasFailed(step) && "text-danger")}
          />
          <span className="truncate">{describeStep(step)}</span>
        </span>
      }
    >
      <Details step={step} />
    </Disclosure>
  );
}

function Details({ step }: StepProps) {
  return (
    <div className="mt-1 mb-2 ml-5.5 min-w-0 text-[0.8125rem]">
      {step.type === "reasoning" ? (
        <div className="text-muted">
          <RichText text={step.text} growing={step.state === "streaming"} />
        </div>
      ) : (
        <ToolDetails part={step} />
      )}
    </div>
  );
}

interface ToolDetailsProps {
  part: ToolPart;
}

function ToolDetails({ part }: ToolDetailsProps) {
  return (
    <section
      aria-label={part.toolName}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="@container flex max-h-96 flex-col gap-2.5 overflow-y-auto rounded-lg border border-line bg-raised px-3 py-2.5"
    >
      <Known part={part}>
        <p className="font-mono text-xs text-muted">{part.toolName}</p>
        {part.input !== undefined && (
          <Part title={words.input}>
            <ValueView value={part.input} />
          </Part>
        )}
        <Ending part={part} />
      </Known>
    </section>
  );
}

interface KnownProps extends ToolDetailsProps {
  children: ReactNode;
}

/** With the tool's own view, if it has one; a view that breaks gives way to what is always there. */
function Known({ part, children }: KnownProps) {
  const View = part.state === "output-available" ? findToolView(part.toolName) : null;
  if (View === null || part.state !== "output-available") return children;
  return (
    <FallBack to={children}>
      <Suspense fallback={<span className="skeleton h-5 w-40" />}>
        <View input={part.input} output={part.output} />
      </Suspense>
    </FallBack>
  );
}

function Ending({ part }: ToolDetailsProps) {
  if (part.state === "output-error") {
    return (
      <Part title={words.error}>
        <div className="text-danger">
          <LongText text={part.errorText} />
        </div>
      </Part>
    );
  }
  if (part.state !== "output-available") return null;
  return (
    <Part title={words.output}>
      <OutputView value={part.output} />
    </Part>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
}

function Part({ title, children }: PartProps) {
  return (
    <section className="min-w-0">
      <h4 className="mb-1 text-xs font-medium text-muted">{title}</h4>
      {children}
    </section>
  );
}
