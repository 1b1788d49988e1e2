/** The people of the tenant. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { usersPaged } from "../api/people";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { LoadMore, Toolbar } from "../ui/page";
import { SearchBox } from "../ui/search-box";
import { ShownOnce } from "../ui/shown-once";
import { useSearch } from "../ui/use-search";
import { type HandedLink, useUserDeeds } from "./use-user-deeds";
import { AddUser } from "./user-dialogs";
import { UserTable } from "./user-table";

export function UsersPage() {
  return (
    <RequireRule rule="identity.user.read">
      <UserList />
    </RequireRule>
  );
}

function UserList() {
  const search = useSearch();
  const query = useInfiniteQuery(usersPaged(search.settled));
  const mayManage = useMayEverywhere("identity.user.manage");
  const [adding, setAdding] = useState(false);
  const [link, setLink] = useState<HandedLink | null>(null);
  const deeds = useUserDeeds(setLink);
  return (
    <>
      <Toolbar>
        <SearchBox label={texts.people.searchPeople} value={search.typed} onChange={search.type} />
        {mayManage && (
          <Button
            variant="primary"
            icon={UserPlus}
            onClick={() => setAdding(true)}
            className="ml-auto"
          >
            {texts.people.addPerson}
          </Button>
        )}
      </Toolbar>
      <Loaded query={query}>
        {(users) =>
          users.length === 0 ? (
            <EmptyList
              icon={Users}
              title={texts.people.emptyTitle}
              body={texts.people.emptyBody}
              onClear={search.settled === "" ? null : () => search.type("")}
            />
          ) : (
            <UserTable users={users} onDeed={mayManage ? deeds.start : null} />
          )
        }
      </Loaded>
      <LoadMore list={query} />
      {adding && (
        <AddUser
          onClose={() => setAdding(false)}
          onAdded={({ user, ...created }) => {
            setAdding(false);
            setLink({ ...created, name: user.name });
          }}
        />
      )}
      {deeds.dialogs}
      {link !== null && <HandLink link={link} onClose={() => setLink(null)} />}
    </>
  );
}

interface HandLinkProps {
  link: HandedLink;
  onClose: () => void;
}

function HandLink({ link, onClose }: HandLinkProps) {
  return (
    <ShownOnce
      title={texts.people.linkTitle(link.name)}
      body={texts.people.linkBody}
      label={texts.people.linkLabel}
      value={link.link}
      expiresAt={link.linkExpiresAt}
      onClose={onClose}
    />
  );
}
