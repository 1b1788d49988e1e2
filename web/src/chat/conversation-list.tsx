/** The chats in the sidebar: a new one, and those one can go back to, by day. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { NavLink, useMatch } from "react-router";
import { conversationsPaged } from "../api/conversations";
import type { Conversation } from "../api/types";
import { useSafetyNet } from "../live/live";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import { TextInput } from "../ui/input";
import { LoadMore } from "../ui/page";
import { type Attention, decideAttention } from "./attention";
import { ConversationMenu } from "./conversation-menu";
import { useChatOn } from "./credits-bar";
import { groupByDay } from "./days";
import { messagePath } from "./message-link";
import { chatPath } from "./paths";

const words = texts.chat;

const PAUSE_MS = 250;

/** The text as it is when the typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export function ConversationList() {
  const [searching, setSearching] = useState(false);
  const [text, setText] = useState("");
  const search = useSettled(text.trim());
  const net = useSafetyNet();
  const list = useInfiniteQuery({ ...conversationsPaged(search), refetchInterval: net });
  const conversations = list.data ?? [];
  const chatOn = useChatOn();
  if (!chatOn) return null;
  if (conversations.length === 0 && search === "" && !searching) return null;

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
      {searching && (
        <TextInput
          type="search"
          autoFocus
          aria-label={words.search}
          placeholder={words.search}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && toggle()}
          className="h-8!"
        />
      )}
      {search !== "" && conversations.length === 0 && list.data !== undefined && (
        <p className="px-2 text-[0.8125rem] text-muted">{words.noMatch}</p>
      )}
      {groupByDay(conversations, new Date()).map(({ day, conversations: group }) => (
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
      ))}
      <LoadMore list={list} />
    </section>
  );
}

interface ConversationLinkProps {
  conversation: Conversation;
}

function ConversationLink({ conversation }: ConversationLinkProps) {
  const title = conversation.title || words.untitled;
  const to = chatPath(conversation.id);
  const { messageId } = conversation;
  const attention = decideAttention(conversation, useMatch(to) !== null);
  return (
    <div className="group/link relative">
      <NavLink
        to={messageId ? messagePath(conversation.id, messageId) : to}
        title={title}
        className="flex min-h-8 items-center gap-2 rounded-lg px-2 py-1 text-muted transition-colors duration-100 group-focus-within/link:pr-8 group-hover/link:pr-8 hover:bg-hover hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:min-h-10 pointer-coarse:pr-10"
      >
        <span className="min-w-0 flex-1">
          <span
            className={classes("block truncate", attention === "unread" && "font-medium text-ink")}
          >
            {title}
          </span>
          {conversation.snippet && <Snippet pieces={conversation.snippet} />}
        </span>
        {attention !== null && <Dot attention={attention} />}
      </NavLink>
      <ConversationMenu
        conversation={conversation}
        className="absolute top-1/2 right-0.5 -translate-y-1/2 opacity-0 group-focus-within/link:opacity-100 group-hover/link:opacity-100 data-popup-open:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}

interface SnippetProps {
  pieces: NonNullable<Conversation["snippet"]>;
}

function Snippet({ pieces }: SnippetProps) {
  return (
    <span className="line-clamp-2 text-xs leading-snug font-normal text-muted wrap-anywhere">
      {pieces.map(({ text, isMatch }, index) =>
        isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name.
          <mark key={index} className="rounded-xs bg-accent-soft text-on-accent-soft">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </span>
  );
}

const DOTS: Record<Attention, string> = {
  running: "bg-accent animate-[breathe_1.6s_ease-in-out_infinite]",
  waiting: "bg-on-caution-soft",
  unread: "bg-accent",
};

interface DotProps {
  attention: Attention;
}

function Dot({ attention }: DotProps) {
  return (
    <span
      title={words.dots[attention]}
      className={classes("size-2 shrink-0 rounded-full", DOTS[attention])}
    >
      <span className="sr-only">{words.dots[attention]}</span>
    </span>
  );
}
