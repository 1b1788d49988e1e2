/** The start page: a new chat. One in which nothing was said yet is used again. */

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Navigate } from "react-router";
import { draftQuery } from "../api/conversations";
import type { Conversation } from "../api/types";
import { useWorkspace } from "../session/me";
import { Loaded } from "../ui/loaded";
import { useEmptyDraft } from "./empty-draft";
import { chatPath } from "./paths";

export function StartPage() {
  const { workspace } = useWorkspace();
  const query = useQuery(draftQuery(workspace?.id ?? null));
  return (
    <Loaded query={query} loading={null}>
      {(draft) => <Opened draft={draft} />}
    </Loaded>
  );
}

interface OpenedProps {
  draft: Conversation;
}

function Opened({ draft }: OpenedProps) {
  const [, remember] = useEmptyDraft();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the draft that was opened.
  useEffect(() => remember(draft), [draft.id]);
  return <Navigate to={chatPath(draft.id)} replace />;
}
