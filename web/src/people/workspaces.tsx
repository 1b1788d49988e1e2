/** Workspaces: the areas that keep systems apart. */

import { useQuery } from "@tanstack/react-query";
import { LayoutGrid } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { deleteWorkspace, WORKSPACES, workspacesQuery } from "../api/people";
import { ME } from "../api/session";
import type { Workspace } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { ManagedList } from "../ui/managed-list";
import { RowActions } from "../ui/row-actions";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { WorkspaceDialog } from "./workspace-dialog";

export function WorkspacesPage() {
  return (
    <RequireRule rule="identity.workspace.read">
      <WorkspaceList />
    </RequireRule>
  );
}

function WorkspaceList() {
  const query = useQuery(workspacesQuery);
  const mayManage = useMayEverywhere("identity.workspace.manage");
  const [edited, setEdited] = useState<Workspace | "new" | null>(null);
  const [deleting, setDeleting] = useState<Workspace | null>(null);
  const drop = useAct({
    run: (workspace: Workspace) => deleteWorkspace(workspace.id),
    touches: [WORKSPACES, ME],
    says: (_, workspace) => texts.workspaces.deleted(workspace.name),
  });
  return (
    <>
      <ManagedList
        query={query}
        about={texts.workspaces.about}
        empty={{
          icon: LayoutGrid,
          title: texts.workspaces.emptyTitle,
          body: texts.workspaces.emptyBody,
        }}
        create={mayManage ? { label: texts.workspaces.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: deleting,
          title: ({ name }) => texts.workspaces.deleteTitle(name),
          body: () => texts.workspaces.deleteBody,
          run: drop,
          onClose: () => setDeleting(null),
        }}
      >
        {(workspaces) => (
          <WorkspaceTable
            workspaces={workspaces}
            mayManage={mayManage}
            onEdit={setEdited}
            onDelete={setDeleting}
          />
        )}
      </ManagedList>
      {edited !== null && (
        <WorkspaceDialog
          workspace={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

interface WorkspaceTableProps {
  workspaces: Workspace[];
  mayManage: boolean;
  onEdit: (workspace: Workspace) => void;
  onDelete: (workspace: Workspace) => void;
}

function WorkspaceTable({ workspaces, mayManage, onEdit, onDelete }: WorkspaceTableProps) {
  return (
    <Table
      label={texts.people.tabs.workspaces}
      rows={workspaces}
      columns={[
        {
          key: "name",
          label: texts.workspaces.name,
          cell: ({ name, slug }) => (
            <div className="flex items-center gap-3">
              <Avatar name={name} size="large" shape="square" />
              <div>
                <p className="font-medium">{name}</p>
                <p className="font-mono text-xs text-muted">{slug}</p>
              </div>
            </div>
          ),
        },
        {
          key: "created",
          label: texts.workspaces.createdAt,
          from: "tablet",
          className: "text-muted",
          cell: ({ createdAt }) => <Time value={createdAt} />,
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (workspace) =>
            mayManage && (
              <RowActions
                editLabel={texts.workspaces.editTitle(workspace.name)}
                deleteLabel={texts.actions.deleteNamed(workspace.name)}
                onEdit={() => onEdit(workspace)}
                onDelete={() => onDelete(workspace)}
              />
            ),
        },
      ]}
    />
  );
}
