/** Approval rules in a table: what each is about, and what it needs. */

import type { ApprovalRule } from "../api/types";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { DottedName } from "../ui/dotted-name";
import { RowActions } from "../ui/row-actions";
import { Table } from "../ui/table";
import { type Offer, toolChoices } from "./fields";

const words = texts.approvals;

interface Actions {
  onEdit: (rule: ApprovalRule) => void;
  onDelete: (rule: ApprovalRule) => void;
}

interface ApprovalTableProps {
  rules: readonly ApprovalRule[];
  offer: Offer;
  /** Nothing for those who may only look. */
  actions: Actions | null;
}

export function ApprovalTable({ rules, offer, actions }: ApprovalTableProps) {
  return (
    <Table
      label={words.list}
      rows={rules}
      columns={[
        {
          key: "name",
          label: words.name,
          cell: (rule) => <Titled rule={rule} offer={offer} />,
        },
        {
          key: "about",
          label: words.about,
          from: "tablet",
          cell: (rule) => <About rule={rule} offer={offer} />,
        },
        {
          key: "needs",
          label: words.needs,
          from: "tablet",
          cell: (rule) => <Needs rule={rule} offer={offer} />,
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (rule) =>
            actions !== null && (
              <RowActions
                editLabel={words.editTitle(rule.title)}
                deleteLabel={words.deleteNamed(rule.title)}
                onEdit={() => actions.onEdit(rule)}
                onDelete={() => actions.onDelete(rule)}
              />
            ),
        },
      ]}
    />
  );
}

interface CellProps {
  rule: ApprovalRule;
  offer: Offer;
}

function Titled({ rule, offer }: CellProps) {
  const people = rule.people ?? null;
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {rule.title}
        {people !== null && people < rule.needed && (
          <Badge tone="danger">{people === 0 ? words.nobody : words.tooFew}</Badge>
        )}
      </p>
      <div className="mt-1 flex flex-col gap-1 text-[0.8125rem] @[40rem]:hidden">
        <About rule={rule} offer={offer} />
        <Needs rule={rule} offer={offer} />
      </div>
    </div>
  );
}

function About({ rule, offer }: CellProps) {
  const { tool, effect, condition } = rule;
  const known = toolChoices(offer.tools, tool).find(({ value }) => value === tool);
  return (
    <div className="min-w-0">
      <p>{known?.label ?? tool}</p>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        <DottedName name={tool} />
      </p>
      {effect && <p className="text-xs text-muted">{words.effects[effect]}</p>}
      {condition && (
        <p className="text-xs wrap-anywhere text-muted">
          <span className="font-mono">{condition.path}</span>{" "}
          {words.tests[condition.test].toLowerCase()}{" "}
          <span className="font-mono">
            {(condition.values ?? []).map((value) => JSON.stringify(value)).join(", ")}
          </span>
        </p>
      )}
    </div>
  );
}

function Needs({ rule, offer }: CellProps) {
  const names = [
    ...(rule.roleIds ?? []).map((id) => offer.roles.find((role) => role.id === id)?.name),
    ...(rule.userIds ?? []).map((id) => offer.people.find((one) => one.id === id)?.name),
  ];
  return (
    <div className="min-w-0">
      <p className="tabular-nums">{words.counts(rule.needed, rule.people ?? null)}</p>
      {names.length > 0 && (
        <p className="text-xs wrap-anywhere text-muted">
          {names.map((name) => name ?? words.gone).join(", ")}
        </p>
      )}
      {rule.notProposer && <p className="text-xs text-muted">{words.others}</p>}
    </div>
  );
}
