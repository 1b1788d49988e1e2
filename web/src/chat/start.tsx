/** The start page: a new chat. One in which nothing was said yet is used again. */

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { draftQuery } from "../api/conversations";
import { useWorkspace } from "../session/me";
import { Loaded } from "../ui/loaded";
import { chatPath } from "./paths";

export function StartPage() {
  const { workspace } = useWorkspace();
  const query = useQuery(draftQuery(workspace?.id ?? null));
  return (
    <Loaded query={query} loading={null}>
      {(draft) => <Become path={chatPath(draft.id)} />}
    </Loaded>
  );
}

interface BecomeProps {
  path: string;
}

/** Whoever has gone elsewhere in the meantime stays there: the address knows it before the pages do. */
function Become({ path }: BecomeProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    if (window.location.pathname === pathname) navigate(path, { replace: true });
  }, [navigate, path, pathname]);
  return null;
}
