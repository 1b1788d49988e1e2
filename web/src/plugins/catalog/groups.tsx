/** Groups of systems. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Boxes } from "lucide-react";
import { useState } from "react";
import { may } from "../../access/rules";
import type { Group } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Confirm } from "../../ui/confirm";
import type { Column } from "../../ui/table";
import { Time } from "../../ui/time";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "./entry-list";
import { EntryName } from "./entry-name";
import { EditGroup, NewGroup } from "./group-dialogs";
import { systemsOfGroupPath } from "./paths";
import { usePlacement } from "./placement";
import { deleteGroup, groupsPaged } from "./requests";
import { RowDeeds } from "./row-deeds";
import { nameOf } from "./use-directory";

const MANAGE = "catalog.group.manage";

export function GroupsPage() {
  const { workspace } = useWorkspace();
  const search = useSearch();
  const placement = usePlacement(MANAGE);
  const [creating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Group | null>(null);
  const [deleting, setDeleting] = useState<Group | null>(null);
  const query = useInfiniteQuery(
    groupsPaged({ workspaceId: workspace?.id ?? null, q: search.settled }),
  );
  const drop = useAct({
    run: (group: Group) => deleteGroup(group.id),
    touches: [["catalog"]],
    says: (_, group) => texts.catalog.deleted(group.name),
  });
  return (
    <>
      <EntryList
        words={texts.catalog.groups}
        icon={Boxes}
        query={query}
        columns={useGroupColumns(setEdited, setDeleting)}
        search={search}
        onNew={placement.options.length > 0 ? () => setCreating(true) : null}
      />
      {creating && <NewGroup placement={placement} onClose={() => setCreating(false)} />}
      {edited !== null && <EditGroup group={edited} onClose={() => setEdited(null)} />}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.catalog.deleteTitle(deleting?.name ?? "")}
        body={texts.catalog.groups.deleteBody(deleting?.systemIds.length ?? 0)}
        action={texts.actions.delete}
        onConfirm={async () => deleting && drop(deleting)}
      />
    </>
  );
}

function useGroupColumns(
  onEdit: (group: Group) => void,
  onDelete: (group: Group) => void,
): Column<Group>[] {
  const me = useMe();
  const { workspace } = useWorkspace();
  return [
    {
      key: "name",
      label: texts.catalog.name,
      className: "w-full max-w-0",
      cell: (group) => (
        <EntryName
          to={systemsOfGroupPath(group.id)}
          name={group.name}
          description={group.description}
          workspace={workspace === null ? nameOf(group.workspaceId, me.workspaces) : null}
        />
      ),
    },
    {
      key: "systems",
      label: texts.catalog.groups.systems,
      from: "tablet",
      className: "text-muted whitespace-nowrap",
      cell: ({ systemIds }) => texts.catalog.groups.systemCount(systemIds.length),
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
      cell: (group) =>
        may(me, MANAGE, group.workspaceId) && (
          <RowDeeds
            name={group.name}
            onEdit={() => onEdit(group)}
            onDelete={() => onDelete(group)}
          />
        ),
    },
  ];
}
