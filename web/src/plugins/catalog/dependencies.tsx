/** What a system depends on, and what depends on it. */

import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, X } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { Dependency, System } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Badge } from "../../ui/badge";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Loaded } from "../../ui/loaded";
import { Section } from "../../ui/page";
import { SkeletonRows } from "../../ui/states";
import { EditDependency, NewDependency } from "./dependency-dialogs";
import { systemPath } from "./paths";
import { DEPENDENCIES, deleteDependency, dependenciesQuery } from "./requests";
import { nameOf, useSystems } from "./use-directory";

const words = texts.catalog.dependencies;

const startsAt = (system: System) => (dependency: Dependency) => dependency.systemId === system.id;

interface DependenciesProps {
  system: System;
  mayChange: boolean;
}

export function Dependencies({ system, mayChange }: DependenciesProps) {
  const query = useQuery(dependenciesQuery(system.id));
  const systems = useSystems(system.workspaceId);
  const [adding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Dependency | null>(null);
  const [removing, setRemoving] = useState<Dependency | null>(null);
  const remove = useAct({
    run: (dependency: Dependency) => deleteDependency(dependency.id),
    touches: [DEPENDENCIES],
    says: () => words.removed,
  });
  const taken = new Set(
    (query.data ?? []).filter(startsAt(system)).map((entry) => entry.dependsOnId),
  );
  const options = systems.filter(({ id }) => id !== system.id && !taken.has(id));
  return (
    <Section
      title={words.heading}
      action={
        mayChange && (
          <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <Loaded query={query} loading={<SkeletonRows count={2} />}>
        {(dependencies) => (
          <BothWays
            system={system}
            systems={systems}
            dependencies={dependencies}
            deeds={mayChange ? { onEdit: setEdited, onRemove: setRemoving } : null}
          />
        )}
      </Loaded>
      {adding && (
        <NewDependency system={system} options={options} onClose={() => setAdding(false)} />
      )}
      {edited !== null && (
        <EditDependency
          dependency={edited}
          name={nameOf(edited.dependsOnId, systems)}
          onClose={() => setEdited(null)}
        />
      )}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={words.removeTitle}
        body={words.removeBody(system.name, nameOf(removing?.dependsOnId ?? "", systems))}
        action={texts.actions.delete}
        onConfirm={async () => removing && remove(removing)}
      />
    </Section>
  );
}

interface Deeds {
  onEdit: (dependency: Dependency) => void;
  onRemove: (dependency: Dependency) => void;
}

interface BothWaysProps {
  system: System;
  systems: System[];
  dependencies: Dependency[];
  deeds: Deeds | null;
}

/** A dependency is changed where it starts, so what depends on the system is only shown. */
function BothWays({ system, systems, dependencies, deeds }: BothWaysProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <DependencyList
        title={words.dependsOn}
        empty={words.noneOn}
        dependencies={dependencies.filter(startsAt(system))}
        otherEnd="dependsOnId"
        systems={systems}
        deeds={deeds}
      />
      <DependencyList
        title={words.dependents}
        empty={words.noneBy}
        dependencies={dependencies.filter((entry) => entry.dependsOnId === system.id)}
        otherEnd="systemId"
        systems={systems}
        deeds={null}
      />
    </div>
  );
}

interface DependencyListProps {
  title: string;
  empty: string;
  dependencies: Dependency[];
  otherEnd: "systemId" | "dependsOnId";
  systems: System[];
  deeds: Deeds | null;
}

function DependencyList({
  title,
  empty,
  dependencies,
  otherEnd,
  systems,
  deeds,
}: DependencyListProps) {
  return (
    <div className="rounded-xl border border-line bg-raised shadow-soft">
      <h3 className="border-b border-line px-4 py-2 text-xs font-medium text-muted">{title}</h3>
      {dependencies.length === 0 ? (
        <p className="px-4 py-3 text-muted">{empty}</p>
      ) : (
        <ul className="divide-y divide-line">
          {dependencies.map((dependency) => (
            <DependencyRow
              key={dependency.id}
              dependency={dependency}
              systemId={dependency[otherEnd]}
              name={nameOf(dependency[otherEnd], systems)}
              deeds={deeds}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface DependencyRowProps {
  dependency: Dependency;
  systemId: string;
  name: string;
  deeds: Deeds | null;
}

function DependencyRow({ dependency, systemId, name, deeds }: DependencyRowProps) {
  const { strength, note } = dependency;
  return (
    <li className="flex items-center gap-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <Link to={systemPath(systemId)} className="truncate font-medium hover:underline">
            {name}
          </Link>
          <span title={words.strengthHints[strength]}>
            <Badge tone={strength === "hard" ? "caution" : "plain"}>
              {words.strengths[strength]}
            </Badge>
          </span>
        </p>
        {note !== "" && <p className="text-[0.8125rem] text-muted">{note}</p>}
      </div>
      {deeds !== null && (
        <>
          <IconButton
            label={words.edit(name)}
            icon={Pencil}
            onClick={() => deeds.onEdit(dependency)}
          />
          <IconButton
            label={words.remove(name)}
            icon={X}
            tone="danger"
            onClick={() => deeds.onRemove(dependency)}
          />
        </>
      )}
    </li>
  );
}
