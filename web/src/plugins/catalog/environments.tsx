/** Environments: the places where systems run. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Layers } from "lucide-react";
import { useState } from "react";
import { may } from "../../access/rules";
import type { Environment } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Confirm } from "../../ui/confirm";
import type { Column } from "../../ui/table";
import { Time } from "../../ui/time";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "./entry-list";
import { EntryName } from "./entry-name";
import { EditEnvironment, NewEnvironment } from "./environment-dialogs";
import { systemsOfEnvironmentPath } from "./paths";
import { usePlacement } from "./placement";
import { deleteEnvironment, environmentsPaged } from "./requests";
import { RowDeeds } from "./row-deeds";
import { nameOf, useSystems } from "./use-directory";

const MANAGE = "catalog.environment.manage";

export function EnvironmentsPage() {
  const { workspace } = useWorkspace();
  const search = useSearch();
  const placement = usePlacement(MANAGE);
  const [creating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Environment | null>(null);
  const [deleting, setDeleting] = useState<Environment | null>(null);
  const query = useInfiniteQuery(
    environmentsPaged({ workspaceId: workspace?.id ?? null, q: search.settled }),
  );
  return (
    <>
      <EntryList
        words={texts.catalog.environments}
        icon={Layers}
        query={query}
        columns={useEnvironmentColumns(setEdited, setDeleting)}
        search={search}
        onNew={placement.options.length > 0 ? () => setCreating(true) : null}
      />
      {creating && <NewEnvironment placement={placement} onClose={() => setCreating(false)} />}
      {edited !== null && <EditEnvironment environment={edited} onClose={() => setEdited(null)} />}
      <DeleteEnvironment environment={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

interface DeleteEnvironmentProps {
  environment: Environment | null;
  onClose: () => void;
}

function DeleteEnvironment({ environment, onClose }: DeleteEnvironmentProps) {
  const systems = useSystems(environment?.workspaceId ?? null);
  const running = systems.filter(({ environmentIds }) =>
    environmentIds.includes(environment?.id ?? ""),
  );
  const drop = useAct({
    run: (entry: Environment) => deleteEnvironment(entry.id),
    touches: [["catalog"]],
    says: (_, entry) => texts.catalog.deleted(entry.name),
  });
  return (
    <Confirm
      open={environment !== null}
      onClose={onClose}
      title={texts.catalog.deleteTitle(environment?.name ?? "")}
      body={texts.catalog.environments.deleteBody(running.length)}
      action={texts.actions.delete}
      onConfirm={async () => environment && drop(environment)}
    />
  );
}

function useEnvironmentColumns(
  onEdit: (environment: Environment) => void,
  onDelete: (environment: Environment) => void,
): Column<Environment>[] {
  const me = useMe();
  const { workspace } = useWorkspace();
  return [
    {
      key: "name",
      label: texts.catalog.name,
      className: "w-full max-w-0",
      cell: (environment) => (
        <EntryName
          to={systemsOfEnvironmentPath(environment.id)}
          name={environment.name}
          description={environment.description}
          workspace={workspace === null ? nameOf(environment.workspaceId, me.workspaces) : null}
        />
      ),
    },
    {
      key: "updated",
      label: texts.catalog.updated,
      from: "tablet",
      className: "text-muted",
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
    {
      key: "actions",
      label: texts.actions.edit,
      actions: true,
      cell: (environment) =>
        may(me, MANAGE, environment.workspaceId) && (
          <RowDeeds
            name={environment.name}
            onEdit={() => onEdit(environment)}
            onDelete={() => onDelete(environment)}
          />
        ),
    },
  ];
}
