/** What the groups took on all days together, and the totals. Presentational. */

import type { UsageSums } from "../api/types";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Table } from "../ui/table";
import { type Grouping, nameGroup } from "./names";
import { type Group, showMoney, showNumber } from "./sums";

const words = texts.usage;

function showCosts({ costs = [] }: UsageSums): string {
  if (costs.length === 0) return words.noCost;
  return costs.map(({ currency, amount }) => showMoney(Number(amount), currency)).join(" + ");
}

function showCleared(sums: UsageSums): string {
  const { clearedToolUses = 0, clearedTokens = 0 } = sums;
  if (clearedToolUses + clearedTokens === 0) return "0";
  return words.clearedHint(showNumber(clearedToolUses), showNumber(clearedTokens));
}

interface TotalsProps {
  total: UsageSums;
}

export function Totals({ total }: TotalsProps) {
  const figures: [string, string][] = [
    [words.cost, showCosts(total)],
    [words.calls, showNumber(total.calls ?? 0)],
    [words.input, showNumber(total.inputTokens ?? 0)],
    [words.output, showNumber(total.outputTokens ?? 0)],
    [words.cacheRead, showNumber(total.cacheReadTokens ?? 0)],
    [words.cacheWrite, showNumber(total.cacheWriteTokens ?? 0)],
    [words.reasoning, showNumber(total.reasoningTokens ?? 0)],
    [words.cleared, showCleared(total)],
  ];
  return (
    <dl className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
      {figures.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-lg font-semibold tracking-tight tabular-nums wrap-anywhere">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface SumsTableProps {
  groups: readonly Group[];
  grouping: Grouping;
  /** Opens the calls of a person. */
  onOnly: ((group: Group) => void) | null;
}

export function SumsTable({ groups, grouping, onOnly }: SumsTableProps) {
  const number = { from: "tablet", figures: true } as const;
  const wide = { from: "desktop", figures: true } as const;
  return (
    <Table
      label={words.sums}
      rows={groups}
      columns={[
        {
          key: "name",
          label: words.columns[grouping],
          cell: (group) => <Name group={group} grouping={grouping} onOnly={onOnly} />,
        },
        { key: "calls", label: words.calls, ...number, cell: ({ sums }) => <Calls sums={sums} /> },
        {
          key: "input",
          label: words.input,
          ...number,
          cell: ({ sums }) => showNumber(sums.inputTokens ?? 0),
        },
        {
          key: "output",
          label: words.output,
          ...number,
          cell: ({ sums }) => showNumber(sums.outputTokens ?? 0),
        },
        {
          key: "read",
          label: words.cacheRead,
          ...wide,
          cell: ({ sums }) => showNumber(sums.cacheReadTokens ?? 0),
        },
        {
          key: "write",
          label: words.cacheWrite,
          ...wide,
          cell: ({ sums }) => showNumber(sums.cacheWriteTokens ?? 0),
        },
        {
          key: "reasoning",
          label: words.reasoning,
          ...wide,
          cell: ({ sums }) => showNumber(sums.reasoningTokens ?? 0),
        },
        {
          key: "cost",
          label: words.cost,
          figures: true,
          cell: ({ sums }) => showCosts(sums),
        },
      ]}
    />
  );
}

function Name({ group, grouping, onOnly }: Omit<SumsTableProps, "groups"> & { group: Group }) {
  const name = nameGroup(grouping, group);
  if (onOnly === null) return <span className="wrap-anywhere">{name}</span>;
  return (
    <Button
      variant="ghost"
      size="small"
      aria-label={words.only(name)}
      onClick={() => onOnly(group)}
      className="-ml-2 text-left"
    >
      {name}
    </Button>
  );
}

function Calls({ sums }: { sums: UsageSums }) {
  const estimated = sums.estimatedCalls ?? 0;
  return (
    <>
      {showNumber(sums.calls ?? 0)}
      {estimated > 0 && (
        <span className="block text-xs text-muted">{words.estimated(showNumber(estimated))}</span>
      )}
    </>
  );
}
