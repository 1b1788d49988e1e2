/** One chat in the sidebar: its title, what it asks for, and what one can do with it. */

import { NavLink } from "react-router";
import type { Conversation } from "../api/types";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { type Attention, decideAttention } from "./attention";
import { ConversationMenu } from "./conversation-menu";
import { messagePath } from "./message-link";
import { chatPath } from "./paths";
import { usePlace } from "./place";

const words = texts.chat;

interface ConversationLinkProps {
  conversation: Conversation;
}

export function ConversationLink({ conversation }: ConversationLinkProps) {
  const title = conversation.title || words.untitled;
  const { messageId } = conversation;
  const attention = decideAttention(conversation, usePlace().shownId === conversation.id);
  return (
    <div className="group/link relative">
      <NavLink
        to={messageId ? messagePath(conversation.id, messageId) : chatPath(conversation.id)}
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
  className?: string;
}

export function Dot({ attention, className }: DotProps) {
  return (
    <span
      title={words.dots[attention]}
      className={classes("size-2 shrink-0 rounded-full", DOTS[attention], className)}
    >
      <span className="sr-only">{words.dots[attention]}</span>
    </span>
  );
}
