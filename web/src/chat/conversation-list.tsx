/** The chats in the sidebar that one can go back to, by day: of one workspace or of all. */

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { conversationsPaged } from "../api/conversations";
import type { Conversation } from "../api/types";
import { useSafetyNet } from "../live/live";
import { useWorkspace } from "../session/me";
import { useStored } from "../session/stored";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { TextInput } from "../ui/input";
import { LoadMore } from "../ui/page";
import { ConversationLink } from "./conversation-link";
import { useChatOn } from "./credits-bar";
import { groupByDay } from "./days";
import { ScopeToggle } from "./scope-toggle";

const words = texts.chat;

const PAUSE_MS = 250;
const SCOPE = "assent.chats";

/** The text as it is when the typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Those of the chosen workspace, unless all are wanted. */
function useScope() {
  const { workspace } = useWorkspace();
  const [stored, setStored] = useStored(SCOPE);
  return {
    narrowable: workspace !== null,
    workspaceId: workspace !== null && stored !== "all" ? workspace.id : null,
    setAll: (all: boolean) => setStored(all ? "all" : null),
  };
}

function useChats(search: string, workspaceId: string | null) {
  const net = useSafetyNet();
  return useInfiniteQuery({
    ...conversationsPaged(search, workspaceId),
    refetchInterval: net,
    placeholderData: keepPreviousData,
  });
}

export function ConversationList() {
  const [searching, setSearching] = useState(false);
  const [text, setText] = useState("");
  const search = useSettled(text.trim());
  const { narrowable, workspaceId, setAll } = useScope();
  const list = useChats(search, workspaceId);
  const chatOn = useChatOn();
  const unused = list.data?.length === 0 && search === "" && !searching && !narrowable;
  if (!chatOn || unused) return null;

  function toggle() {
    setSearching(!searching);
    setText("");
  }

  return (
    <section aria-label={words.list} className="flex flex-col gap-2">
      <div className="flex h-6 items-center pl-2">
        <h2 className="text-xs font-medium text-faint">{words.heading}</h2>
        <IconButton
          label={words.search}
          icon={Search}
          aria-expanded={searching}
          onClick={toggle}
          className="ml-auto size-6! pointer-coarse:size-9! [&_svg]:size-3.5"
        />
      </div>
      {narrowable && <ScopeToggle all={workspaceId === null} onChange={setAll} />}
      {searching && (
        <TextInput
          type="search"
          autoFocus
          aria-label={words.search}
          placeholder={words.search}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && toggle()}
          className="h-8! [&::-webkit-search-cancel-button]:hidden"
        />
      )}
      <Chats list={list} none={search === "" ? words.noneHere : words.noMatch} />
    </section>
  );
}

interface ChatsProps {
  list: ReturnType<typeof useChats>;
  /** What to say when there are none. */
  none: string;
}

function Chats({ list, none }: ChatsProps) {
  const { data } = list;
  if (data === undefined) {
    return list.isError ? <NotRead onRetry={() => void list.refetch()} /> : <ListSkeleton />;
  }
  if (data.length === 0) {
    return list.isPlaceholderData ? null : (
      <p className="px-2 text-[0.8125rem] text-muted">{none}</p>
    );
  }
  return (
    <>
      <Days conversations={data} />
      <LoadMore list={list} />
    </>
  );
}

interface DaysProps {
  conversations: Conversation[];
}

function Days({ conversations }: DaysProps) {
  return groupByDay(conversations, new Date()).map(({ day, conversations: group }) => (
    <div key={day}>
      <h3 className="px-2 pb-0.5 text-[0.6875rem] text-faint">{words.days[day]}</h3>
      <ul className="flex flex-col gap-0.5">
        {group.map((conversation) => (
          <li key={conversation.id}>
            <ConversationLink conversation={conversation} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

function ListSkeleton() {
  return (
    <div role="status" aria-label={texts.states.loading} className="flex flex-col gap-3 px-2 py-1">
      <span className="skeleton h-4 w-11/12" />
      <span className="skeleton h-4 w-4/5" />
      <span className="skeleton h-4 w-3/5" />
    </div>
  );
}

interface NotReadProps {
  onRetry: () => void;
}

function NotRead({ onRetry }: NotReadProps) {
  return (
    <div className="flex flex-col items-start gap-1.5 px-2 text-[0.8125rem] text-muted">
      <p role="alert">{words.listFailed}</p>
      <Button size="small" onClick={onRetry}>
        {texts.actions.retry}
      </Button>
    </div>
  );
}
