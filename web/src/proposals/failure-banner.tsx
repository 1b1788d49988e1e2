/** Says what became of a decision that did not go through. */

import type { ReactNode } from "react";
import type { ProposalState } from "../api/types";
import { texts } from "../texts";
import { Banner, type BannerTone } from "../ui/banner";
import { Button, LinkButton } from "../ui/button";
import type { DecisionFailure, FailureKind } from "./decision";
import { useCardPath } from "./paths";

const words = texts.card.failures;

interface View {
  tone: BannerTone;
  says: (failure: DecisionFailure) => ReactNode;
  /** In this state the card says the same by itself. */
  saidBy?: ProposalState;
}

const VIEWS: Record<FailureKind, View> = {
  elsewhere: { tone: "caution", says: () => words.elsewhere },
  expired: { tone: "caution", says: () => words.expired, saidBy: "expired" },
  changed: { tone: "caution", says: () => words.changed, saidBy: "superseded" },
  notUndone: { tone: "caution", says: ({ detail }) => detail },
  notTheSame: { tone: "caution", says: () => words.notTheSame },
  missingRule: { tone: "danger", says: ({ rule }) => <MissingRule rule={rule ?? ""} /> },
  unreachable: { tone: "danger", says: () => words.unreachable },
  signedOut: { tone: "danger", says: () => <SignedOut /> },
  other: { tone: "danger", says: ({ detail }) => detail },
};

interface FailureBannerProps {
  failure: DecisionFailure;
  state: ProposalState;
  onAgain: (() => void) | null;
}

export function FailureBanner({ failure, state, onAgain }: FailureBannerProps) {
  const pathTo = useCardPath();
  const { tone, says, saidBy } = VIEWS[failure.kind];
  if (saidBy === state) return null;
  return (
    <div className="px-4 pt-3 @md:px-5">
      <Banner
        tone={tone}
        action={
          failure.successorId !== null ? (
            <LinkButton size="small" to={pathTo(failure.successorId)}>
              {texts.card.toSuccessor}
            </LinkButton>
          ) : (
            onAgain !== null && (
              <Button size="small" onClick={onAgain}>
                {texts.actions.retry}
              </Button>
            )
          )
        }
      >
        {says(failure)}
      </Banner>
    </div>
  );
}

interface MissingRuleProps {
  rule: string;
}

function MissingRule({ rule }: MissingRuleProps) {
  return (
    <>
      {words.missingRule} <code className="font-mono text-xs">{rule}</code>.
    </>
  );
}

function SignedOut() {
  return (
    <>
      {words.signedOut}{" "}
      <a href="/login" target="_blank" rel="noreferrer" className="font-medium underline">
        {texts.forms.signInAgain}
      </a>
    </>
  );
}
