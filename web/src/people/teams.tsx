/** Teams and their members. */

import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2, UsersRound } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { deleteTeam, TEAMS, teamsQuery, usersQuery } from "../api/people";
import { ME } from "../api/session";
import type { Team, User } from "../api/types";
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
import { TeamDialog } from "./team-dialog";

export function TeamsPage() {
  return (
    <RequireRule rule="identity.team.read">
      <TeamList />
    </RequireRule>
  );
}

function TeamList() {
  const query = useQuery(teamsQuery);
  const { data: users = [] } = useQuery({
    ...usersQuery,
    enabled: useMayEverywhere("identity.user.read"),
  });
  const mayManage = useMayEverywhere("identity.team.manage");
  const [edited, setEdited] = useState<Team | "new" | null>(null);
  const [deleting, setDeleting] = useState<Team | null>(null);
  const drop = useAct({
    run: (team: Team) => deleteTeam(team.id),
    touches: [TEAMS, ME],
    says: (_, team) => texts.teams.deleted(team.name),
  });
  const create = mayManage && (
    <Button variant="primary" icon={Plus} onClick={() => setEdited("new")} className="ml-auto">
      {texts.teams.new}
    </Button>
  );
  const table = (teams: Team[]) => (
    <>
      {create && <Toolbar>{create}</Toolbar>}
      <TeamTable
        teams={teams}
        users={users}
        mayManage={mayManage}
        onEdit={setEdited}
        onDelete={setDeleting}
      />
    </>
  );
  return (
    <>
      <Loaded query={query}>
        {(teams) =>
          teams.length > 0 ? (
            table(teams)
          ) : (
            <Notice icon={UsersRound} title={texts.teams.emptyTitle} action={create}>
              {texts.teams.emptyBody}
            </Notice>
          )
        }
      </Loaded>
      {edited !== null && (
        <TeamDialog
          team={edited === "new" ? null : edited}
          users={users}
          onClose={() => setEdited(null)}
        />
      )}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.teams.deleteTitle(deleting?.name ?? "")}
        body={texts.teams.deleteBody(deleting?.memberIds.length ?? 0)}
        action={texts.actions.delete}
        onConfirm={async () => deleting && drop(deleting)}
      />
    </>
  );
}

interface TeamTableProps {
  teams: Team[];
  users: User[];
  mayManage: boolean;
  onEdit: (team: Team) => void;
  onDelete: (team: Team) => void;
}

function TeamTable({ teams, users, mayManage, onEdit, onDelete }: TeamTableProps) {
  return (
    <Table
      label={texts.people.tabs.teams}
      rows={teams}
      columns={[
        {
          key: "name",
          label: texts.teams.name,
          cell: ({ name, slug }) => (
            <div>
              <p className="font-medium">{name}</p>
              <p className="font-mono text-xs text-muted">{slug}</p>
            </div>
          ),
        },
        {
          key: "members",
          label: texts.teams.members,
          from: "tablet",
          cell: ({ memberIds }) => <Members ids={memberIds} users={users} />,
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (team) =>
            mayManage && (
              <span className="inline-flex gap-0.5">
                <IconButton
                  label={texts.teams.editTitle(team.name)}
                  icon={Pencil}
                  onClick={() => onEdit(team)}
                />
                <IconButton
                  label={texts.teams.deleteTitle(team.name)}
                  icon={Trash2}
                  tone="danger"
                  onClick={() => onDelete(team)}
                />
              </span>
            ),
        },
      ]}
    />
  );
}

interface MembersProps {
  ids: string[];
  users: User[];
}

const MOST_FACES = 5;

function Members({ ids, users }: MembersProps) {
  const known = users.filter((user) => ids.includes(user.id));
  return (
    <span className="flex items-center gap-2.5" title={known.map(({ name }) => name).join(", ")}>
      <span className="flex -space-x-1.5">
        {known.slice(0, MOST_FACES).map(({ id, name }) => (
          <span key={id} className="rounded-full ring-2 ring-raised">
            <Avatar name={name} />
          </span>
        ))}
      </span>
      <span className="text-muted">
        {ids.length === 0 ? texts.teams.noMembers : texts.teams.memberCount(ids.length)}
      </span>
    </span>
  );
}
