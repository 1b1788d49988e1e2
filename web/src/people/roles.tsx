/** Roles: what each gives, and who has it. */

import { useQuery } from "@tanstack/react-query";
import { Shield } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { mayGive } from "../access/rules";
import { deleteRole, ROLES, rolesQuery } from "../api/people";
import { ME } from "../api/session";
import type { Role } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere, useMe } from "../session/me";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { ManagedList } from "../ui/managed-list";
import { RowActions } from "../ui/row-actions";
import { Table } from "../ui/table";
import { RoleDialog } from "./role-dialog";

export function RolesPage() {
  return (
    <RequireRule rule="identity.role.read">
      <RoleList />
    </RequireRule>
  );
}

function RoleList() {
  const query = useQuery(rolesQuery);
  const mayManage = useMayEverywhere("identity.role.manage");
  const [edited, setEdited] = useState<Role | "new" | null>(null);
  const [deleting, setDeleting] = useState<Role | null>(null);
  const drop = useAct({
    run: (role: Role) => deleteRole(role.id),
    touches: [ROLES, ME],
    says: (_, role) => texts.roles.deleted(role.name),
  });
  return (
    <>
      <ManagedList
        query={query}
        about={texts.roles.about}
        empty={{ icon: Shield, title: texts.roles.emptyTitle, body: texts.roles.emptyBody }}
        create={mayManage ? { label: texts.roles.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: deleting,
          title: ({ name }) => texts.roles.deleteTitle(name),
          body: ({ members }) => texts.roles.deleteBody(members),
          run: drop,
          onClose: () => setDeleting(null),
        }}
      >
        {(roles) => (
          <RoleTable
            roles={roles}
            mayManage={mayManage}
            onEdit={setEdited}
            onDelete={setDeleting}
          />
        )}
      </ManagedList>
      {edited !== null && (
        <RoleDialog role={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface RoleTableProps {
  roles: Role[];
  mayManage: boolean;
  onEdit: (role: Role) => void;
  onDelete: (role: Role) => void;
}

function RoleTable({ roles, mayManage, onEdit, onDelete }: RoleTableProps) {
  const me = useMe();
  const mayTouch = (role: Role) => mayManage && !role.builtIn && mayGive(me, role.rules, null);
  return (
    <Table
      label={texts.roles.heading}
      rows={roles}
      columns={[
        { key: "name", label: texts.roles.name, cell: (role) => <RoleName role={role} /> },
        {
          key: "rules",
          label: texts.roles.rules,
          from: "tablet",
          className: "text-muted",
          cell: ({ rules }) =>
            rules.includes("*") ? texts.roles.everything : texts.keys.ruleCount(rules.length),
        },
        {
          key: "members",
          label: texts.people.title,
          from: "tablet",
          className: "text-muted",
          cell: ({ members }) => texts.roles.members(members),
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (role) =>
            mayTouch(role) && (
              <RowActions
                editLabel={texts.roles.editTitle(role.name)}
                deleteLabel={texts.actions.deleteNamed(role.name)}
                onEdit={() => onEdit(role)}
                onDelete={() => onDelete(role)}
              />
            ),
        },
      ]}
    />
  );
}

interface RoleNameProps {
  role: Role;
}

function RoleName({ role }: RoleNameProps) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {role.name}
        {role.builtIn && <Badge>{texts.roles.builtIn}</Badge>}
      </p>
      <p className="font-mono text-xs text-muted">{role.slug}</p>
    </div>
  );
}
