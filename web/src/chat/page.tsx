/** The chat: header, transcript and composer of one conversation. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router";
import {
  type ConversationChange,
  changeConversation,
  conversationKey,
  type History,
  historyQuery,
  viewQuery,
} from "../api/conversations";
import { describeFailure } from "../api/failure";
import type { ConversationView } from "../api/types";
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
import { NEW_CHAT_PATH } from "./paths";
import { Transcript } from "./transcript";
import { useAttachments } from "./use-attachments";
import { type OpenConversation, useConversation } from "./use-conversation";
import { useMarkRead } from "./use-mark-read";
import { useStick } from "./use-stick";
import { useTarget } from "./use-target";

export function ChatPage() {
  const { conversationId = "" } = useParams();
  const query = useQuery(historyQuery(conversationId));
  return (
    <div className="flex h-[calc(100dvh-3.25rem)] flex-col md:h-full">
      <Loaded query={query} loading={<ChatSkeleton />}>
        {(opened) => <OpenChat key={opened.view.id} opened={opened} />}
      </Loaded>
    </div>
  );
}

function ChatSkeleton() {
  return (
    <div role="status" aria-label={texts.states.loading} className="flex flex-1 flex-col">
      <div className="flex h-12 items-center border-b border-line px-4 sm:px-6">
        <span className="skeleton h-4 w-40" />
      </div>
    </div>
  );
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
  const navigate = useNavigate();
  useLiveEvents((event) => {
    if (event.type === "conversation.removed" && event.conversationId === id) {
      void navigate(NEW_CHAT_PATH);
    }
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

interface OpenChatProps {
  opened: History;
}

function OpenChat({ opened }: OpenChatProps) {
  const { id } = opened.view;
  const view = useView(opened.view);
  const conversation = useConversation(opened, view.status === "running");
  const change = useChange(id);
  const [text, setText] = useDraft(id);
  const files = useAttachments(id);
  const stick = useStick();
  const input = useRef<HTMLTextAreaElement>(null);
  const { notice, putAway } = useNotice(conversation);
  useSideEffects(view, conversation.busy);
  useTarget(conversation, stick);

  const choose = useCallback(
    (suggestion: string) => {
      setText(suggestion);
      input.current?.focus();
    },
    [setText],
  );

  function send(said: string) {
    stick.toEnd();
    void conversation.send(said, files.ready.map(toPart));
    files.clear();
  }

  return (
    <DropZone onDrop={files.add}>
      <Header view={view} onChange={(wanted) => void change(wanted)} />
      <Transcript
        conversation={conversation}
        stick={stick}
        empty={<Greeting onChoose={choose} />}
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
        input={input}
        text={text}
        files={files}
        onChange={setText}
        onSend={send}
        onStop={() => void conversation.stop()}
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
