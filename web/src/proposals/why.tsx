/** Why a person is asked, and on demand by which rules and whom; on every card. */

import { ChevronRight } from "lucide-react";
import type { HoldingRule, Proposal } from "../api/types";
import { texts } from "../texts";
import { DottedName } from "../ui/dotted-name";
import { Visible } from "../values/visible";

const words = texts.card;
const said = words.approvals;

/** Without a rule of its own. Pure. */
export function whoDecides({ proposer, edge }: Proposal): keyof typeof words.decides {
  if (proposer.kind === "application") return "owner";
  return edge === "chat" ? "conversation" : "holders";
}

/** Whose assent a rule asks for, in words. Pure. */
export function describeRule(rule: HoldingRule): string {
  const { anyone, roles, users, people, needed, notProposer } = rule;
  const named = [...roles.map(said.role), ...users].join(", ");
  const counted = people === null ? "" : ` (${said.people(people)})`;
  const whom = said.rule(needed, anyone ? said.anyone : `${named}${counted}`);
  return notProposer ? `${whom}; ${said.notProposer}` : whom;
}

interface WhyProps {
  proposal: Proposal;
  byItself: boolean;
}

export function Why({ proposal, byItself }: WhyProps) {
  const { reason, rules, tool } = proposal;
  return (
    <details className="group text-[0.8125rem]">
      <summary className="-ml-1 flex list-none items-start gap-1 rounded-md pr-2 pl-1 text-pretty text-muted hover:text-ink pointer-coarse:py-1 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="mt-0.75 shrink-0 transition-transform duration-150 group-open:rotate-90"
        />
        <span>
          <span className="font-medium text-ink">{byItself ? words.whyNot : words.why}</span>{" "}
          <Visible text={reason.sentence} />
        </span>
      </summary>
      <div className="mt-2 ml-4 flex flex-col gap-2 border-l-2 border-line pl-3">
        {rules.length === 0 && !byItself && (
          <p className="text-pretty text-muted">{words.decides[whoDecides(proposal)]}</p>
        )}
        {rules.map((rule) => (
          <Rule key={rule.id} rule={rule} />
        ))}
        <p className="font-mono text-xs wrap-anywhere text-muted">
          <DottedName name={tool} />
        </p>
      </div>
    </details>
  );
}

interface RuleProps {
  rule: HoldingRule;
}

function Rule({ rule }: RuleProps) {
  const { title, note, people, needed } = rule;
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="font-medium">
        <Visible text={title} />
      </p>
      <p className="text-pretty text-muted">
        <Visible text={describeRule(rule)} />
      </p>
      {note !== "" && (
        <p className="text-pretty whitespace-pre-wrap">
          <Visible text={note} />
        </p>
      )}
      {people !== null && people < needed && (
        <p className="text-pretty text-danger">{people === 0 ? said.nobody : said.tooFew}</p>
      )}
    </div>
  );
}
