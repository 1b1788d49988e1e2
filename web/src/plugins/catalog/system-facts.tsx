/** The facts about a system, beside its content. */

import { Link } from "react-router";
import type { System } from "../../api/types";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import { Badge } from "../../ui/badge";
import { Fact, Facts } from "../../ui/facts";
import { Time } from "../../ui/time";
import { systemsOfEnvironmentPath, systemsOfGroupPath } from "./paths";
import { nameOf, useEnvironments, useGroups } from "./use-directory";

interface SystemFactsProps {
  system: System;
  owners: string[];
}

export function SystemFacts({ system, owners }: SystemFactsProps) {
  const { workspaces } = useMe();
  const groups = useGroups(system.workspaceId);
  const environments = useEnvironments(system.workspaceId);
  return (
    <aside
      aria-label={texts.catalog.systems.details}
      className="@[44rem]:col-start-2 @[44rem]:row-start-1"
    >
      <Facts className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-raised p-4 shadow-soft sm:grid-cols-3 @[44rem]:grid-cols-1">
        <Fact label={texts.catalog.workspace}>{nameOf(system.workspaceId, workspaces)}</Fact>
        {owners.length > 0 && (
          <Fact label={texts.catalog.access.levels.own}>{owners.join(", ")}</Fact>
        )}
        <Fact label={texts.catalog.systems.environments}>
          <Places
            ids={system.environmentIds}
            entries={environments}
            path={systemsOfEnvironmentPath}
          />
        </Fact>
        <Fact label={texts.catalog.systems.groups}>
          <Places ids={system.groupIds} entries={groups} path={systemsOfGroupPath} />
        </Fact>
        <Fact label={texts.catalog.updated}>
          <Time value={system.updatedAt} />
        </Fact>
        <Fact label={texts.catalog.created}>
          <Time value={system.createdAt} />
        </Fact>
      </Facts>
    </aside>
  );
}

interface PlacesProps {
  ids: string[];
  entries: { id: string; name: string }[];
  path: (id: string) => string;
}

function Places({ ids, entries, path }: PlacesProps) {
  if (ids.length === 0) return <span className="text-muted">{texts.catalog.systems.none}</span>;
  return (
    <ul className="flex flex-wrap gap-1">
      {ids.map((id) => (
        <li key={id}>
          <Link to={path(id)} className="rounded-full hover:opacity-80">
            <Badge>{nameOf(id, entries)}</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}
