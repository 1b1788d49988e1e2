/** Marks a chat as read while somebody looks at it. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { conversationKey, markRead } from "../api/conversations";
import type { ConversationView } from "../api/types";
import { patchListed } from "../live/apply-event";

function useSeen(): boolean {
  return useSyncExternalStore(
    (notify) => {
      document.addEventListener("visibilitychange", notify);
      return () => document.removeEventListener("visibilitychange", notify);
    },
    () => !document.hidden,
  );
}

/** Should it not arrive, it is unread still, and the next look at it tries again. */
export function useMarkRead({ id, unread }: Pick<ConversationView, "id" | "unread">): void {
  const client = useQueryClient();
  const seen = useSeen();
  useEffect(() => {
    if (!unread || !seen) return;
    const read = { unread: false };
    markRead(id).then(
      () => {
        patchListed(client, id, read);
        client.setQueryData<ConversationView>(
          conversationKey(id),
          (view) => view && { ...view, ...read },
        );
      },
      () => undefined,
    );
  }, [client, id, unread, seen]);
}
