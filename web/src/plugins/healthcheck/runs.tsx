/** The last runs of a check: when, how they ended and why, and what was seen. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Check, CheckRun, CheckStatus } from "../../api/types";
import { texts } from "../../texts";
import { formatExact } from "../../time/format";
import { Loaded } from "../../ui/loaded";
import { LoadMore, Section } from "../../ui/page";
import { Select } from "../../ui/select";
import { Time } from "../../ui/time";
import { JsonTree } from "../../values/json-tree";
import { showMs } from "./points";
import { runsPaged } from "./requests";
import { StatusBadge } from "./status";

const words = texts.healthcheck.runs;
const STATUSES = Object.keys(texts.healthcheck.statuses) as CheckStatus[];
const ANY = "any";

interface RunsProps {
  check: Check;
}

export function Runs({ check }: RunsProps) {
  const [status, setStatus] = useState<CheckStatus | null>(null);
  const query = useInfiniteQuery(runsPaged(check.id, status));
  return (
    <Section
      title={words.heading}
      action={
        <Select
          compact
          label={texts.healthcheck.status}
          value={status ?? ANY}
          choices={[
            { value: ANY, label: texts.healthcheck.anyStatus },
            ...STATUSES.map((value) => ({ value, label: texts.healthcheck.statuses[value] })),
          ]}
          onChange={(value) => setStatus(STATUSES.find((one) => one === value) ?? null)}
        />
      }
    >
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <p className="text-muted">
              {status === null ? words.empty : texts.states.noMatchTitle}
            </p>
          ) : (
            <ul
              aria-label={words.heading}
              className="rounded-xl border border-line bg-raised shadow-soft"
            >
              {runs.map((run) => (
                <RunRow key={run.dueAt} run={run} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <LoadMore list={query} />
    </Section>
  );
}

interface RunRowProps {
  run: CheckRun;
}

function RunRow({ run }: RunRowProps) {
  return (
    <li className="border-b border-line px-4 py-2.5 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={run.status} />
        <span className="text-[0.8125rem] text-muted">
          <Time value={run.startedAt} exact />
        </span>
        <span className="ml-auto text-[0.8125rem] text-muted tabular-nums">
          {showMs(run.durationMs)}
        </span>
      </div>
      {run.status !== "up" && run.reason !== "" && (
        <p className="mt-1 text-[0.8125rem] wrap-anywhere">{run.reason}</p>
      )}
      {run.result !== null && (
        <details className="mt-1">
          <summary
            aria-label={words.show(formatExact(run.startedAt))}
            className="inline-block rounded-md text-[0.8125rem] text-muted hover:text-ink pointer-coarse:py-2"
          >
            {words.seen}
          </summary>
          <div className="mt-1 min-w-0 overflow-x-auto">
            <JsonTree value={run.result} />
          </div>
        </details>
      )}
    </li>
  );
}
