/** Workspaces: the areas that keep systems apart. */

import { useQuery } from "@tanstack/react-query";
import { LayoutGrid, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { deleteWorkspace, WORKSPACES, workspacesQuery } from "../api/people";
import { ME } from "../api/session";
import type { Workspace } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { Button, IconButton } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Loaded } from "../ui/loaded";
import { Toolbar } from "../ui/page";
import { Notice } from "../ui/states";
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
  const create = mayManage && (
    <Button variant="primary" icon={Plus} onClick={() => setEdited("new")} className="ml-auto">
      {texts.workspaces.new}
    </Button>
  );
  return (
    <>
      <Loaded query={query}>
        {(workspaces) =>
          workspaces.length > 0 ? (
            <>
              {create && <Toolbar>{create}</Toolbar>}
              <WorkspaceTable
                workspaces={workspaces}
                mayManage={mayManage}
                onEdit={setEdited}
                onDelete={setDeleting}
              />
            </>
          ) : (
            <Notice icon={LayoutGrid} title={texts.workspaces.emptyTitle} action={create}>
              {texts.workspaces.emptyBody}
            </Notice>
          )
        }
      </Loaded>
      {edited !== null && (
        <WorkspaceDialog
          workspace={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.workspaces.deleteTitle(deleting?.name ?? "")}
        body={texts.workspaces.deleteBody}
        action={texts.actions.delete}
        onConfirm={async () => deleting && drop(deleting)}
      />
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
              <span className="inline-flex gap-0.5">
                <IconButton
                  label={texts.workspaces.editTitle(workspace.name)}
                  icon={Pencil}
                  onClick={() => onEdit(workspace)}
                />
                <IconButton
                  label={texts.workspaces.deleteTitle(workspace.name)}
                  icon={Trash2}
                  tone="danger"
                  onClick={() => onDelete(workspace)}
                />
              </span>
            ),
        },
      ]}
    />
  );
}
