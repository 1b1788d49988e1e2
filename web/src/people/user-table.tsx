/** People in a table. */

import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Link2, Pencil, UserRoundCheck, UserRoundX } from "lucide-react";
import { rolesQuery } from "../api/people";
import type { User } from "../api/types";
import { useMayEverywhere, useMe } from "../session/me";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { Badge, Badges } from "../ui/badge";
import { IconButton } from "../ui/button";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { describeMemberships } from "./memberships";
import type { UserDeed } from "./use-user-deeds";

type OnDeed = (user: User, deed: UserDeed) => void;

interface UserTableProps {
  users: User[];
  onDeed: OnDeed | null;
}

export function UserTable({ users, onDeed }: UserTableProps) {
  const me = useMe();
  const { data: roles = [] } = useQuery({
    ...rolesQuery,
    enabled: useMayEverywhere("identity.role.read"),
  });
  return (
    <Table
      label={texts.people.title}
      rows={users}
      columns={[
        {
          key: "person",
          label: texts.people.person,
          className: "w-full max-w-0 @[40rem]:w-[45%]",
          cell: (user) => <Person user={user} own={user.id === me.id} />,
        },
        {
          key: "roles",
          label: texts.people.roles,
          from: "tablet",
          className: "@[44rem]:w-1/3",
          cell: (user) => (
            <Badges
              names={describeMemberships(user.memberships, roles, me.workspaces)}
              most={2}
              wrap
            />
          ),
        },
        {
          key: "seen",
          label: texts.people.lastSeen,
          from: "desktop",
          className: "text-muted",
          cell: ({ lastSeenAt }) =>
            lastSeenAt === null ? texts.people.neverSeen : <Time value={lastSeenAt} />,
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (user) =>
            onDeed && (
              <UserMenu user={user} own={user.id === me.id} onDeed={(deed) => onDeed(user, deed)} />
            ),
        },
      ]}
    />
  );
}

interface PersonProps {
  user: User;
  own: boolean;
}

function Person({ user, own }: PersonProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={user.name} size="large" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-medium break-words">
          {user.name}
          {own && <Badge>{texts.people.you}</Badge>}
          {!user.active && <Badge tone="danger">{texts.people.inactive}</Badge>}
          {user.active && user.lastSeenAt === null && (
            <Badge tone="caution">{texts.people.invited}</Badge>
          )}
        </p>
        <p className="truncate text-[0.8125rem] text-muted">{user.email}</p>
      </div>
    </div>
  );
}

interface UserMenuProps {
  user: User;
  own: boolean;
  onDeed: (deed: UserDeed) => void;
}

function UserMenu({ user, own, onDeed }: UserMenuProps) {
  return (
    <Menu trigger={<IconButton label={texts.actions.more(user.name)} icon={Ellipsis} />}>
      <MenuItem icon={Pencil} onSelect={() => onDeed("edit")}>
        {texts.people.edit}
      </MenuItem>
      {user.active && (
        <MenuItem icon={Link2} onSelect={() => onDeed("link")}>
          {texts.people.resetLink}
        </MenuItem>
      )}
      {!own && <MenuSeparator />}
      {!own && user.active && (
        <MenuItem icon={UserRoundX} tone="danger" onSelect={() => onDeed("deactivate")}>
          {texts.people.deactivate}
        </MenuItem>
      )}
      {!own && !user.active && (
        <MenuItem icon={UserRoundCheck} onSelect={() => onDeed("activate")}>
          {texts.people.activate}
        </MenuItem>
      )}
    </Menu>
  );
}
