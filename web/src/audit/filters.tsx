/** Narrowing the audit log, kept in the address. */

import { X } from "lucide-react";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { AuditFilter } from "../api/audit";
import type { AuditEntry } from "../api/types";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { type Choice, Select } from "../ui/select";

const words = texts.audit;
const ANY = "any";
const DAY_MS = 86_400_000;
const SHORT_ID = 8;

const PERIOD_DAYS = { day: 1, week: 7, month: 30 } as const;

const FILTERS = {
  edge: { label: words.edge, any: words.anyEdge, names: words.edges },
  status: { label: words.status, any: words.anyStatus, names: words.statuses },
  effect: { label: words.effect, any: words.anyEffect, names: words.effects },
  period: { label: words.time, any: words.anyTime, names: words.periods },
} as const;

type FilterName = keyof typeof FILTERS;

const NAMES = Object.keys(FILTERS) as FilterName[];

function known<Names extends object>(names: Names, value: string | null): keyof Names | null {
  return value !== null && Object.hasOwn(names, value) ? (value as keyof Names) : null;
}

/** Set from an entry's details, and shown as what can be taken away again. */
const FROM_ENTRIES = ["who", "proposal"] as const;
type EntryFilter = (typeof FROM_ENTRIES)[number];

type Narrowing = Omit<AuditFilter, "action">;

/** Anything else would only be refused. */
function idIn(text: string | null): string | null {
  return text !== null && /^[0-9a-f-]{36}$/u.test(text) ? text : null;
}

interface AuditFilterState {
  filter: Narrowing;
  chosen: Record<FilterName, string | null>;
  active: boolean;
  choose: (name: FilterName | EntryFilter, value: string | null) => void;
  clear: () => void;
}

/** The beginning of a period stays the same while one looks, so that the list stays the same. */
function useSince(period: keyof typeof PERIOD_DAYS | null): string | null {
  return useMemo(
    () =>
      period === null ? null : new Date(Date.now() - PERIOD_DAYS[period] * DAY_MS).toISOString(),
    [period],
  );
}

export function useAuditFilters(): AuditFilterState {
  const [parameters, setParameters] = useSearchParams();
  const edge = known(words.edges, parameters.get("edge"));
  const status = known(words.statuses, parameters.get("status"));
  const effect = known(words.effects, parameters.get("effect"));
  const period = known(words.periods, parameters.get("period"));
  const since = useSince(period);
  const chosen = { edge, status, effect, period };
  const principalId = idIn(parameters.get("who"));
  const proposalId = idIn(parameters.get("proposal"));
  return {
    filter: { edge, status, effect, principalId, proposalId, since },
    chosen,
    active: [...Object.values(chosen), principalId, proposalId].some((value) => value !== null),
    choose: (name, value) =>
      setParameters(
        (current) => {
          if (value === null) current.delete(name);
          else current.set(name, value);
          return current;
        },
        { replace: true },
      ),
    clear: () => setParameters({}, { replace: true }),
  };
}

function choicesOf(name: FilterName): Choice[] {
  const { any, names } = FILTERS[name];
  return [
    { value: ANY, label: any },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ];
}

interface AuditFiltersProps {
  filters: AuditFilterState;
  entries: readonly AuditEntry[];
}

export function AuditFilters({ filters, entries }: AuditFiltersProps) {
  const { principalId, proposalId } = filters.filter;
  const name = entries.find(({ actor }) => actor.id === principalId)?.actor.name;
  return (
    <>
      {NAMES.map((name) => (
        <Select
          key={name}
          compact
          label={FILTERS[name].label}
          value={filters.chosen[name] ?? ANY}
          choices={choicesOf(name)}
          onChange={(value) => filters.choose(name, value === ANY ? null : value)}
        />
      ))}
      {principalId !== null && (
        <Chip onRemove={() => filters.choose("who", null)}>
          {words.by(name ?? principalId.slice(0, SHORT_ID))}
        </Chip>
      )}
      {proposalId !== null && (
        <Chip onRemove={() => filters.choose("proposal", null)}>{words.ofProposal}</Chip>
      )}
    </>
  );
}

interface ChipProps {
  onRemove: () => void;
  children: string;
}

function Chip({ onRemove, children }: ChipProps) {
  return (
    <Button
      icon={X}
      onClick={onRemove}
      aria-label={texts.actions.remove(children)}
      className="max-w-60 bg-accent-soft! text-on-accent-soft"
    >
      <span className="truncate">{children}</span>
    </Button>
  );
}
