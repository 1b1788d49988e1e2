/** Narrowing the audit log, kept in the address. */

import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { AuditFilter } from "../api/audit";
import { texts } from "../texts";
import { type Choice, Select } from "../ui/select";

const words = texts.audit;
const ANY = "any";
const DAY_MS = 86_400_000;

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

type Narrowing = Omit<AuditFilter, "action">;

interface AuditFilterState {
  filter: Narrowing;
  chosen: Record<FilterName, string | null>;
  active: boolean;
  choose: (name: FilterName, value: string | null) => void;
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
  return {
    filter: { edge, status, effect, since },
    chosen,
    active: Object.values(chosen).some((value) => value !== null),
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
}

export function AuditFilters({ filters }: AuditFiltersProps) {
  return NAMES.map((name) => (
    <Select
      key={name}
      compact
      label={FILTERS[name].label}
      value={filters.chosen[name] ?? ANY}
      choices={choicesOf(name)}
      onChange={(value) => filters.choose(name, value === ANY ? null : value)}
    />
  ));
}
