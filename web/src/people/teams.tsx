/** Teams and their members. */

import { useQuery } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { deleteTeam, TEAMS, teamsQuery, usersQuery } from "../api/people";
import { ME } from "../api/session";
import type { Team, User } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { ManagedList } from "../ui/managed-list";
import { RowActions } from "../ui/row-actions";
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
  return (
    <>
      <ManagedList
        query={query}
        about={texts.teams.about}
        empty={{ icon: UsersRound, title: texts.teams.emptyTitle, body: texts.teams.emptyBody }}
        create={mayManage ? { label: texts.teams.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: deleting,
          title: ({ name }) => texts.teams.deleteTitle(name),
          body: ({ memberIds }) => texts.teams.deleteBody(memberIds.length),
          run: drop,
          onClose: () => setDeleting(null),
        }}
      >
        {(teams) => (
          <TeamTable
            teams={teams}
            users={users}
            mayManage={mayManage}
            onEdit={setEdited}
            onDelete={setDeleting}
          />
        )}
      </ManagedList>
      {edited !== null && (
        <TeamDialog
          team={edited === "new" ? null : edited}
          users={users}
          onClose={() => setEdited(null)}
        />
      )}
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
              <RowActions
                editLabel={texts.teams.editTitle(team.name)}
                deleteLabel={texts.actions.deleteNamed(team.name)}
                onEdit={() => onEdit(team)}
                onDelete={() => onDelete(team)}
              />
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
