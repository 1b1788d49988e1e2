/** The start page: a new chat. One in which nothing was said yet is used again. */

import { useQuery } from "@tanstack/react-query";
import { Navigate } from "react-router";
import { draftQuery } from "../api/conversations";
import { useWorkspace } from "../session/me";
import { Loaded } from "../ui/loaded";
import { chatPath } from "./paths";

export function StartPage() {
  const { workspace } = useWorkspace();
  const query = useQuery(draftQuery(workspace?.id ?? null));
  return (
    <Loaded query={query} loading={null}>
      {(draft) => <Navigate to={chatPath(draft.id)} replace />}
    </Loaded>
  );
}
