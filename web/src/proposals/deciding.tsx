/** While a proposal waits: the time that is left, and the decision of those who may take it. */

import { type SubmitEvent, useState } from "react";
import type { Proposal } from "../api/types";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { PasswordInput, TextArea } from "../ui/input";
import { ApprovalProgress } from "./approval-progress";
import { Countdown } from "./countdown";
import type { StatusProps } from "./decision";
import { whoDecides } from "./why";

const words = texts.card;
const MOST_CHARACTERS = 2_000;
const MOST_SECRET_CHARACTERS = 10_000;

export function Deciding(shared: StatusProps) {
  return (
    <>
      <ApprovalProgress proposal={shared.proposal} />
      <Deciders {...shared} />
    </>
  );
}

function Deciders(shared: StatusProps) {
  const [step, setStep] = useState<"choice" | "declining" | "back">("choice");
  const { mayDecide, mayDecline, payload } = shared.proposal;
  if ((!mayDecide && !mayDecline) || payload === null) {
    return <WaitsForOthers proposal={shared.proposal} />;
  }
  return step === "declining" ? (
    <DeclineForm {...shared} onBack={() => setStep("back")} />
  ) : (
    <Choice {...shared} cameBack={step === "back"} onDecline={() => setStep("declining")} />
  );
}

interface WaitsForOthersProps {
  proposal: Proposal;
}

function WaitsForOthers({ proposal }: WaitsForOthersProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1.5 px-4 py-3.5 @md:px-5">
      <p className="min-w-0 flex-1 basis-60 text-pretty text-muted">
        {proposal.approvals === null && words.decides[whoDecides(proposal)]}
      </p>
      <Countdown expiresAt={proposal.expiresAt} />
    </div>
  );
}

interface ChoiceProps extends StatusProps {
  cameBack: boolean;
  onDecline: () => void;
}

function Choice({ proposal, decision, cameBack, onDecline }: ChoiceProps) {
  const { busy } = decision;
  const [typed, setTyped] = useState<Record<string, string>>({});
  const dangerous = proposal.effect === "destructive" || proposal.isRed;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    decision.apply(typed);
  }

  return (
    <form
      aria-label={words.apply}
      onSubmit={submit}
      className="flex flex-col gap-3 px-4 py-3 @md:px-5"
    >
      <SecretFields
        fields={proposal.mayDecide ? proposal.secrets : []}
        typed={typed}
        onType={(name, value) => setTyped({ ...typed, [name]: value })}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Countdown expiresAt={proposal.expiresAt} />
        <div className="ml-auto flex gap-2 @max-sm:w-full @max-sm:*:flex-1">
          <Button size="large" autoFocus={cameBack} disabled={busy !== null} onClick={onDecline}>
            {proposal.mayDecide ? words.decline : words.approvals.withdraw}
          </Button>
          {proposal.mayDecide && (
            <Button
              size="large"
              type="submit"
              variant={dangerous ? "danger" : "primary"}
              busy={busy === "apply"}
            >
              {proposal.isRed ? words.applyAnyway : words.apply}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

interface SecretFieldsProps {
  fields: Proposal["secrets"];
  typed: Record<string, string>;
  onType: (name: string, value: string) => void;
}

function SecretFields({ fields, typed, onType }: SecretFieldsProps) {
  return fields.map(({ name, title }) => (
    <Field key={name} label={title} hint={words.secretHint}>
      {(control) => (
        <PasswordInput
          {...control}
          required
          autoComplete="new-password"
          maxLength={MOST_SECRET_CHARACTERS}
          value={typed[name] ?? ""}
          onChange={(event) => onType(name, event.target.value)}
        />
      )}
    </Field>
  ));
}

interface DeclineFormProps extends StatusProps {
  onBack: () => void;
}

function DeclineForm({ proposal, decision, onBack }: DeclineFormProps) {
  const [reason, setReason] = useState("");
  const { busy } = decision;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    decision.decline(reason.trim());
  }

  return (
    <form
      aria-label={words.decline}
      onSubmit={submit}
      data-unsaved={reason !== "" || undefined}
      className="flex flex-col gap-3 px-4 py-3.5 @md:px-5"
    >
      <Field label={words.declineReason} hint={words.declineHint} optional>
        {(control) => (
          <TextArea
            {...control}
            autoFocus
            rows={2}
            maxLength={MOST_CHARACTERS}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Countdown expiresAt={proposal.expiresAt} />
        <div className="ml-auto flex gap-2 @max-sm:w-full @max-sm:*:flex-1">
          <Button size="large" disabled={busy !== null} onClick={onBack}>
            {words.declineBack}
          </Button>
          <Button size="large" type="submit" variant="primary" busy={busy === "decline"}>
            {words.declineConfirm}
          </Button>
        </div>
      </div>
    </form>
  );
}
