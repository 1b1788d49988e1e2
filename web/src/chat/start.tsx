/** The start page: a new chat. One in which nothing was said yet is used again. */

import { useQuery } from "@tanstack/react-query";
import { MessageSquareOff } from "lucide-react";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { draftQuery } from "../api/conversations";
import { creditsQuery } from "../api/usage";
import { CREDITS_PATH } from "../assistant/paths";
import { useMayEverywhere, useWorkspace } from "../session/me";
import { texts } from "../texts";
import { LinkButton } from "../ui/button";
import { Loaded } from "../ui/loaded";
import { Notice } from "../ui/states";
import { chatPath } from "./paths";
import { ChatSkeleton } from "./skeleton";

const words = texts.credits;

export function StartPage() {
  const credits = useQuery(creditsQuery);
  if (credits.isPending) return <StartSkeleton />;
  return credits.data?.chatEnabled === false ? <ChatOff /> : <NewChat />;
}

function StartSkeleton() {
  return (
    <div className="flex h-[calc(100dvh-3.25rem)] flex-col md:h-full">
      <ChatSkeleton />
    </div>
  );
}

function ChatOff() {
  const mayRaise = useMayEverywhere("ai.credit.manage");
  return (
    <div className="pt-16">
      <Notice
        icon={MessageSquareOff}
        title={words.offTitle}
        action={mayRaise && <LinkButton to={CREDITS_PATH}>{words.raise}</LinkButton>}
      >
        {mayRaise ? words.offAdmin : words.off}
      </Notice>
    </div>
  );
}

function NewChat() {
  const { workspace } = useWorkspace();
  const query = useQuery(draftQuery(workspace?.id ?? null));
  return (
    <Loaded query={query} loading={<StartSkeleton />}>
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
  return <StartSkeleton />;
}
