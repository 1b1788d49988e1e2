/** Which roles a person has, and where each of them holds. */

import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { mayGive } from "../access/rules";
import { rolesQuery } from "../api/people";
import type { Membership, Role } from "../api/types";
import { useMayEverywhere, useMe } from "../session/me";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { type Choice, Select } from "../ui/select";

const EVERYWHERE = "everywhere";

interface MembershipEditorProps {
  memberships: readonly Membership[];
  onChange: (memberships: Membership[]) => void;
}

export function MembershipEditor({ memberships, onChange }: MembershipEditorProps) {
  const me = useMe();
  const { data: roles = [] } = useQuery({
    ...rolesQuery,
    enabled: useMayEverywhere("identity.role.read"),
  });
  const places: Choice[] = [
    { value: EVERYWHERE, label: texts.people.everywhere },
    ...me.workspaces.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const given = roles.filter((role) => mayGive(me, role.rules, null));
  const first = given.find((role) => role.slug === "viewer") ?? given[0];
  const replace = (index: number, changed: Membership) =>
    onChange(memberships.map((membership, at) => (at === index ? changed : membership)));
  return (
    <div className="flex flex-col gap-2">
      {memberships.length === 0 && (
        <p className="text-[0.8125rem] text-muted">{texts.people.noMemberships}</p>
      )}
      {memberships.map((membership, index) => (
        <MembershipRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the same role and place may be there twice while editing.
          key={index}
          membership={membership}
          roles={roles}
          places={places}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => onChange(memberships.filter((_, at) => at !== index))}
        />
      ))}
      {first && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onClick={() => onChange([...memberships, { roleId: first.id, workspaceId: null }])}
          >
            {texts.people.addMembership}
          </Button>
        </div>
      )}
    </div>
  );
}

interface MembershipRowProps {
  membership: Membership;
  roles: readonly Role[];
  places: readonly Choice[];
  onChange: (membership: Membership) => void;
  onRemove: () => void;
}

function MembershipRow({ membership, roles, places, onChange, onRemove }: MembershipRowProps) {
  const me = useMe();
  const role = roles.find(({ id }) => id === membership.roleId);
  const offered = roles.filter(
    (entry) => entry === role || mayGive(me, entry.rules, membership.workspaceId ?? null),
  );
  return (
    <div className="flex items-center gap-2">
      <div className="grid min-w-0 flex-1 grid-cols-2 gap-2">
        <Select
          label={texts.people.role}
          value={membership.roleId}
          choices={offered.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(roleId) => onChange({ ...membership, roleId })}
        />
        <Select
          label={texts.people.where}
          value={membership.workspaceId ?? EVERYWHERE}
          choices={places}
          onChange={(place) =>
            onChange({ ...membership, workspaceId: place === EVERYWHERE ? null : place })
          }
        />
      </div>
      <IconButton
        label={texts.people.removeMembership(role?.name ?? texts.people.role)}
        icon={X}
        onClick={onRemove}
      />
    </div>
  );
}
