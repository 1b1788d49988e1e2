/** Every card in every state, for developers and for the tests that look at them. */

import type { ReactNode } from "react";
import { RequireRule } from "../access/require-rule";
import { Fold } from "../chat/fold";
import { Receipt, Sources } from "../chat/message-view";
import { PlanCard } from "../chat/plan-card";
import { ProgressBar } from "../chat/progress-bar";
import { QuestionCard } from "../chat/question-card";
import { QuickReplies } from "../chat/quick-replies";
import { ConfirmCard, OVER } from "../proposals/card";
import { texts } from "../texts";
import { Page } from "../ui/page";
import { OutputView } from "../values/output-view";
import { ASKED, FOLDS, OUTPUTS, PLANS, PROGRESS, REPLIES, SOURCES } from "./messages";
import { DECISION, FAILURES, PROPOSALS } from "./proposals";

const words = texts.dev;
const ADMIN = "*";

export function CardsPage() {
  return (
    <Page title={words.title}>
      <RequireRule rule={ADMIN}>
        <p className="mb-6 text-muted">{words.body}</p>
        <div className="flex max-w-3xl flex-col gap-10">
          <InAnswers />
          <Outputs />
          <Proposals />
          <Failures />
        </div>
      </RequireRule>
    </Page>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
}

function Part({ title, children }: PartProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-6">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

interface SpecimenProps {
  name: string;
  children: ReactNode;
}

function Specimen({ name, children }: SpecimenProps) {
  return (
    <div data-specimen={name}>
      <p className="mb-1.5 font-mono text-xs text-muted">{name}</p>
      {children}
    </div>
  );
}

/** One specimen for each entry. */
function Specimens<Value>({ of, as }: { of: Record<string, Value>; as: (v: Value) => ReactNode }) {
  return Object.entries(of).map(([name, value]) => (
    <Specimen key={name} name={name}>
      {as(value)}
    </Specimen>
  ));
}

function idle(): void {}

function InAnswers() {
  return (
    <Part title={words.chat}>
      <Specimens of={FOLDS} as={(fold) => <Fold {...fold} />} />
      <Specimens
        of={PROGRESS}
        as={(progress) => <ProgressBar title={words.title} progress={progress} />}
      />
      <Specimens of={PLANS} as={(plan) => <PlanCard {...plan} />} />
      <Specimens of={ASKED} as={(asked) => <QuestionCard {...asked} onAnswer={idle} />} />
      <Specimen name="quick replies">
        <QuickReplies replies={REPLIES} blocked={false} onSay={idle} />
      </Specimen>
      <Specimen name="sources">
        <Sources sources={SOURCES} />
      </Specimen>
      <Specimen name="receipt of a branch">
        <Receipt data={{ summary: "Create the system ledger", state: "not_carried_over" }} />
      </Specimen>
    </Part>
  );
}

function Outputs() {
  return (
    <Part title={words.outputs}>
      <Specimens of={OUTPUTS} as={(value) => <OutputView value={value} />} />
    </Part>
  );
}

function Proposals() {
  return (
    <Part title={words.proposals}>
      {Object.entries(PROPOSALS).map(([name, proposal]) => (
        <Specimen key={name} name={name}>
          <div className="flex flex-col gap-3">
            <ConfirmCard proposal={proposal} decision={DECISION} />
            {OVER.has(proposal.state) && (
              <>
                <p className="font-mono text-xs text-muted">{words.inChat}</p>
                <ConfirmCard proposal={proposal} decision={DECISION} compact />
              </>
            )}
          </div>
        </Specimen>
      ))}
    </Part>
  );
}

function Failures() {
  return (
    <Part title={words.failures}>
      <Specimens of={FAILURES} as={(card) => <ConfirmCard {...card} />} />
    </Part>
  );
}
