/** What can be done with one person: editing, a new link, deactivating, activating. */

import { type ReactNode, useState } from "react";
import { describeFailure } from "../api/failure";
import { changeUser, createResetLink, USERS } from "../api/people";
import type { PersonLink, User } from "../api/types";
import { useAct } from "../forms/use-act";
import { texts } from "../texts";
import { Confirm } from "../ui/confirm";
import { useToast } from "../ui/toast";
import { EditUser } from "./user-dialogs";

export type UserDeed = "edit" | "link" | "deactivate" | "activate";

export interface HandedLink extends PersonLink {
  name: string;
}

interface UserDeeds {
  start: (user: User, deed: UserDeed) => void;
  dialogs: ReactNode;
}

export function useUserDeeds(onLink: (link: HandedLink) => void): UserDeeds {
  const [editing, setEditing] = useState<User | null>(null);
  const [deactivating, setDeactivating] = useState<User | null>(null);
  const say = useToast();
  const setActive = useAct({
    run: (user: User, active: boolean) => changeUser(user.id, { active }),
    touches: [USERS],
    says: ({ name, active }) =>
      active ? texts.people.activated(name) : texts.people.deactivated(name),
  });
  const attempt = (deed: Promise<unknown>) =>
    void deed.catch((error: unknown) => say(describeFailure(error), "failed"));

  const deeds: Record<UserDeed, (user: User) => void> = {
    edit: setEditing,
    deactivate: setDeactivating,
    activate: (user) => attempt(setActive(user, true)),
    link: (user) =>
      attempt(createResetLink(user.id).then((link) => onLink({ ...link, name: user.name }))),
  };
  const name = deactivating?.name ?? "";
  return {
    start: (user, deed) => deeds[deed](user),
    dialogs: (
      <>
        {editing !== null && <EditUser user={editing} onClose={() => setEditing(null)} />}
        <Confirm
          open={deactivating !== null}
          onClose={() => setDeactivating(null)}
          title={texts.people.deactivateTitle(name)}
          body={texts.people.deactivateBody(name)}
          action={texts.people.deactivate}
          onConfirm={async () => deactivating && setActive(deactivating, false)}
        />
      </>
    ),
  };
}
