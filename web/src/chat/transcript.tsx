/** Everything that was said, oldest first; the end stays in view while it grows. */

import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { Earlier } from "./earlier";
import { type AnswerValue, type ChatMessage, repeatsAnswer } from "./message";
import { MessageView, Working } from "./message-view";
import { Near } from "./near";
import { type Moved, OlderVersion, VersionPager } from "./older-version";
import type { OpenConversation } from "./use-conversation";
import type { useStick } from "./use-stick";
import { useTarget } from "./use-target";
import { countVersions, findTurn, type Looked } from "./versions";

const words = texts.chat;

/** So many at the end are whole from the start; of the others, those that come near. */
const WHOLE = 12;

interface TranscriptProps {
  conversation: OpenConversation;
  stick: ReturnType<typeof useStick>;
  empty: ReactNode;
}

export function Transcript({ conversation, stick, empty }: TranscriptProps) {
  const { messages, earlier } = conversation;
  const { scroller, content, atEnd, toEnd } = stick;
  useTarget(conversation, stick);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div
          ref={content}
          className="mx-auto flex min-h-full w-full max-w-3xl flex-col px-4 sm:px-6"
        >
          {messages.length === 0 && !conversation.busy && empty}
          {earlier.more && (
            <Earlier earlier={earlier} scroller={scroller} shown={messages.length} />
          )}
          {messages.length > 0 && (
            <Near scroller={scroller}>
              <Messages conversation={conversation} />
            </Near>
          )}
        </div>
      </div>
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 bottom-0 h-6 bg-linear-to-t from-surface"
      />
      {!atEnd && (
        <IconButton
          label={words.latest}
          icon={ArrowDown}
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 size-9! -translate-x-1/2 rounded-full! border border-line-strong bg-raised shadow-float"
        />
      )}
    </div>
  );
}

function useSteady<Arguments extends unknown[]>(call: (...given: Arguments) => void) {
  const latest = useRef(call);
  latest.current = call;
  return useCallback((...given: Arguments) => latest.current(...given), []);
}

function lastSaid(messages: readonly ChatMessage[]): number {
  return messages.findLastIndex(({ role }) => role === "user");
}

/** Only these care whether something goes on. */
function asks(message: ChatMessage): boolean {
  return message.parts.some(
    ({ type }) => type === "data-question" || type === "data-quick-replies",
  );
}

/** Which older version is looked at, if one is, and how one came to it. */
function useVersions() {
  const [looked, setLooked] = useState<Looked | null>(null);
  const [moved, setMoved] = useState<Moved>(null);
  function look(message: ChatMessage, number: number) {
    const now = looked?.messageId === message.id ? looked.number : countVersions(message);
    setMoved({ messageId: message.id, by: number < now ? "before" : "after" });
    setLooked(number < countVersions(message) ? { messageId: message.id, number } : null);
  }
  return { looked, moved, look };
}

/** The same functions for as long as the chat is shown, or every message would be drawn anew. */
function useDeeds(conversation: OpenConversation) {
  return {
    onDecided: useSteady((proposalId: string) => void conversation.react(proposalId)),
    onAnswer: useSteady(
      (partId: string, value: AnswerValue) => void conversation.answer(partId, value),
    ),
    onRedo: useSteady((text?: string) => void conversation.redo(text)),
    onSay: useSteady((text: string) => void conversation.send(text)),
  };
}

interface MessagesProps {
  conversation: OpenConversation;
}

function Messages({ conversation }: MessagesProps) {
  const { messages, busy } = conversation;
  const deeds = useDeeds(conversation);
  const { looked, moved, look } = useVersions();
  const [from, to] = (looked && findTurn(messages, looked.messageId)) ?? [-1, -1];
  const said = lastSaid(messages);
  const last = messages.length - 1;

  function pagerOf(message: ChatMessage): ReactNode {
    const count = countVersions(message);
    if (count < 2) return null;
    const onLook = (number: number) => look(message, number);
    const pager = { about: message.id, number: count, count, moved, onLook };
    return <VersionPager {...pager} />;
  }

  function showNewest(message: ChatMessage, index: number): ReactNode {
    return (
      <MessageView
        key={message.id}
        message={message}
        whole={index > last - WHOLE}
        growing={busy && index === last && !conversation.waiting}
        passed={index < said}
        blocked={busy && asks(message)}
        last={index === said || (index === last && !busy)}
        pager={pagerOf(message)}
        {...deeds}
      />
    );
  }

  function show(message: ChatMessage, index: number): ReactNode {
    if (repeatsAnswer(messages[index - 1], message)) return null;
    if (looked === null || index < from || index >= to) return showNewest(message, index);
    if (index > from) return null;
    return (
      <OlderVersion
        key={message.id}
        conversationId={conversation.id}
        message={message}
        looked={looked}
        moved={moved}
        onLook={(number) => look(message, number)}
      />
    );
  }

  return (
    <div role="log" aria-label={words.transcript} className="flex flex-col gap-6 pt-6 pb-8">
      {messages.map(show)}
      {conversation.waiting && <Working />}
    </div>
  );
}
