/** The chat: header, transcript and composer of one conversation, on its page or in the dock. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  type ConversationChange,
  changeConversation,
  conversationKey,
  type History,
  historyQuery,
  viewQuery,
} from "../api/conversations";
import { describeFailure } from "../api/failure";
import { Problem } from "../api/problem";
import type { ConversationView, Skill } from "../api/types";
import { useLiveEvents } from "../live/live";
import { useOnline } from "../session/online";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { useToast } from "../ui/toast";
import { toPart } from "./attachments";
import { Composer } from "./composer";
import { CreditsBar, useBlocked, useFreshCredits } from "./credits-bar";
import { useDraft } from "./draft";
import { DropZone } from "./drop-zone";
import { Greeting } from "./greeting";
import { Header } from "./header";
import { NoticeBar } from "./notice-bar";
import { usePlace } from "./place";
import { ReadingProvider } from "./reading";
import { ChatSkeleton } from "./skeleton";
import { Transcript } from "./transcript";
import { useAttachments } from "./use-attachments";
import { type OpenConversation, useConversation } from "./use-conversation";
import { useMarkRead } from "./use-mark-read";
import { useStick } from "./use-stick";

interface ChatPaneProps {
  conversationId: string;
}

export function ChatPane({ conversationId }: ChatPaneProps) {
  const query = useQuery(historyQuery(conversationId));
  useForgetMissing(query.error);
  return (
    <Loaded query={query} loading={<ChatSkeleton />}>
      {(opened) => (
        <ReadingProvider>
          <OpenChat key={opened.view.id} opened={opened} />
        </ReadingProvider>
      )}
    </Loaded>
  );
}

/** Nobody asked for this one: the dock remembered it, and goes on with a new one. */
function useForgetMissing(error: unknown): void {
  const { docked, startNew } = usePlace();
  const missing = docked && error instanceof Problem && error.status === 404;
  useEffect(() => {
    if (missing) startNew();
  }, [missing, startNew]);
}

/** The newest of what was read; the page itself keeps it up to date. */
function useView(opened: ConversationView): ConversationView {
  const { data } = useQuery({ ...viewQuery(opened.id), initialData: opened });
  return data;
}

function useChange(id: string) {
  const client = useQueryClient();
  const say = useToast();
  return async (change: ConversationChange) => {
    const key = conversationKey(id);
    const before = client.getQueryData<ConversationView>(key);
    client.setQueryData(key, before && { ...before, ...change });
    try {
      const changed = await changeConversation(id, change);
      client.setQueryData(
        key,
        (view: ConversationView | undefined) => view && { ...view, ...changed },
      );
    } catch (error) {
      client.setQueryData(key, before);
      say(describeFailure(error), "failed");
    }
  };
}

/** Deleted in another tab, it is gone here too. */
function useLeaveWhenRemoved(id: string): void {
  const { startNew } = usePlace();
  useLiveEvents((event) => {
    if (event.type === "conversation.removed" && event.conversationId === id) startNew();
  });
}

/** A notice that was put away stays away, until there is another. */
function useNotice({ notice, messages }: OpenConversation) {
  const [dismissed, setDismissed] = useState<string | null>(null);
  const about = messages.at(-1)?.id ?? null;
  return {
    notice: notice !== null && about === dismissed ? null : notice,
    putAway: () => setDismissed(about),
  };
}

/** What an open chat does besides being looked at. */
function useSideEffects(view: ConversationView, busy: boolean): void {
  useLeaveWhenRemoved(view.id);
  useMarkRead(view);
  useFreshCredits(busy);
}

/** The message itself knows how it is written anew; there is one chat on the screen. */
function editLast(): boolean {
  const button = document.querySelector<HTMLElement>("[data-edit-said]");
  button?.click();
  return button !== null;
}

interface OpenChatProps {
  opened: History;
}

/** What is being written: text, files and a skill, until it is sent. */
function useWriting(id: string, { send: say }: OpenConversation, toEnd: () => void) {
  const [text, setText] = useDraft(id);
  const files = useAttachments(id);
  const [skill, setSkill] = useState<Skill | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const choose = useCallback(
    (suggestion: string) => {
      setText(suggestion);
      input.current?.focus();
    },
    [setText],
  );

  function send(said: string) {
    toEnd();
    void say(said, files.ready.map(toPart), skill);
    files.clear();
    setSkill(null);
  }

  /** What it begins with is a proposal: it is never put over what was typed. */
  function chooseSkill(chosen: Skill | null) {
    setSkill(chosen);
    if (chosen !== null && text === "") setText(chosen.starter);
    // After the menu has given the focus back.
    setTimeout(() => input.current?.focus(), 0);
  }

  return { text, setText, files, skill, input, choose, send, chooseSkill };
}

function OpenChat({ opened }: OpenChatProps) {
  const { id } = opened.view;
  const view = useView(opened.view);
  const conversation = useConversation(opened, view.status === "running");
  const change = useChange(id);
  const stick = useStick();
  const { notice, putAway } = useNotice(conversation);
  const { files, choose, setText, send, chooseSkill, ...written } = useWriting(
    id,
    conversation,
    stick.toEnd,
  );
  useSideEffects(view, conversation.busy);

  return (
    <DropZone onDrop={files.add}>
      <Header view={view} onChange={(wanted) => void change(wanted)} />
      <Transcript
        conversation={conversation}
        stick={stick}
        empty={<Greeting agent={view.agent} onChoose={choose} />}
      />
      <CreditsBar />
      {notice !== null && (
        <NoticeBar
          notice={notice}
          onRetry={() => void conversation.retry()}
          onDismiss={() => {
            putAway();
            const unsent = conversation.dismiss();
            if (unsent !== null) choose(unsent);
          }}
        />
      )}
      <Composer
        {...written}
        files={files}
        onChange={setText}
        onSend={send}
        onStop={() => void conversation.stop()}
        onEditLast={editLast}
        onSkill={chooseSkill}
        busy={conversation.busy}
        stopping={conversation.stopping}
        online={useOnline()}
        blocked={useBlocked(view)}
        begun={conversation.messages.length > 0}
        hint={texts.chat.modeHints[view.mode]}
      />
    </DropZone>
  );
}
