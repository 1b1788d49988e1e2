/** The facts about a check, beside its content. */

import { Link } from "react-router";
import type { Check } from "../../api/types";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import { Badge } from "../../ui/badge";
import { Fact, Facts } from "../../ui/facts";
import { Time } from "../../ui/time";
import { systemPath } from "../catalog/paths";
import { nameOf, useSystems } from "../catalog/use-directory";

const words = texts.healthcheck;

interface CheckFactsProps {
  check: Check;
}

export function CheckFacts({ check }: CheckFactsProps) {
  const { workspaces } = useMe();
  const systems = useSystems(check.workspaceId);
  return (
    <aside aria-label={words.details} className="min-w-0 @[44rem]:col-start-2 @[44rem]:row-start-1">
      <Facts className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-raised p-4 shadow-soft sm:grid-cols-3 @[44rem]:grid-cols-1">
        <Fact label={words.kind}>{check.strategy.kind}</Fact>
        <Fact label={words.interval}>{words.every(check.intervalSeconds)}</Fact>
        <Fact label={words.lastRun}>
          {check.lastRunAt === null ? words.never : <Time value={check.lastRunAt} />}
        </Fact>
        {check.statusSince !== null && (
          <Fact label={`${words.statuses[check.status]} · ${words.since}`}>
            <Time value={check.statusSince} />
          </Fact>
        )}
        <Fact label={words.reaches}>
          <ul className="font-mono text-xs">
            {check.reaches.map((origin) => (
              <li key={origin}>{origin}</li>
            ))}
          </ul>
          {check.reaches.length === 0 && (
            <span className="text-muted">
              {check.strategy.kind === "dns" ? words.ownServers : words.none}
            </span>
          )}
        </Fact>
        <Fact label={words.systems}>
          <SystemLinks ids={check.systemIds} systems={systems} />
        </Fact>
        <Fact label={words.form.workspace}>{nameOf(check.workspaceId, workspaces)}</Fact>
      </Facts>
    </aside>
  );
}

interface SystemLinksProps {
  ids: readonly string[];
  systems: readonly { id: string; name: string }[];
}

function SystemLinks({ ids, systems }: SystemLinksProps) {
  if (ids.length === 0) return <span className="text-muted">{words.none}</span>;
  return (
    <ul className="flex flex-wrap gap-1">
      {ids.map((id) => (
        <li key={id}>
          <Link to={systemPath(id)} className="rounded-full hover:opacity-80">
            <Badge>{nameOf(id, systems)}</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}
