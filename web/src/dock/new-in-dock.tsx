/** A dock without a chat gets one: a new one, or that in which nothing was said yet. */

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { draftQuery } from "../api/conversations";
import { usePlace } from "../chat/place";
import { ChatSkeleton } from "../chat/skeleton";
import { useWorkspace } from "../session/me";
import { Loaded } from "../ui/loaded";

export function NewInDock() {
  const { workspace } = useWorkspace();
  const query = useQuery(draftQuery(workspace?.id ?? null));
  return (
    <Loaded query={query} loading={<ChatSkeleton />}>
      {(draft) => <Become id={draft.id} />}
    </Loaded>
  );
}

interface BecomeProps {
  id: string;
}

function Become({ id }: BecomeProps) {
  const { open } = usePlace();
  useEffect(() => open(id), [open, id]);
  return <ChatSkeleton />;
}
