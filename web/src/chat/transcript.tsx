/** Everything that was said, oldest first; the end stays in view while it grows. */

import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useRef } from "react";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { type AnswerValue, type ChatMessage, repeatsAnswer } from "./message";
import { MessageView, Working } from "./message-view";
import type { OpenConversation } from "./use-conversation";
import type { useStick } from "./use-stick";

const words = texts.chat;

interface TranscriptProps {
  conversation: OpenConversation;
  stick: ReturnType<typeof useStick>;
  empty: ReactNode;
}

export function Transcript({ conversation, stick, empty }: TranscriptProps) {
  const { messages, earlier } = conversation;
  const { scroller, content, atEnd, toEnd } = stick;
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scroller} className="h-full overflow-y-auto overscroll-contain">
        <div
          ref={content}
          className="mx-auto flex min-h-full w-full max-w-3xl flex-col px-4 sm:px-6"
        >
          {messages.length === 0 && !conversation.busy && empty}
          {earlier.more && (
            <div className="flex justify-center pt-4">
              <Button size="small" busy={earlier.busy} onClick={() => void earlier.load()}>
                {words.earlier}
              </Button>
            </div>
          )}
          {messages.length > 0 && <Messages conversation={conversation} />}
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

interface MessagesProps {
  conversation: OpenConversation;
}

function Messages({ conversation }: MessagesProps) {
  const { messages, busy } = conversation;
  const onDecided = useSteady((proposalId: string) => void conversation.react(proposalId));
  const onAnswer = useSteady(
    (partId: string, value: AnswerValue) => void conversation.answer(partId, value),
  );
  const onRedo = useSteady((text?: string) => void conversation.redo(text));
  const onSay = useSteady((text: string) => void conversation.send(text));
  const said = lastSaid(messages);
  const last = messages.length - 1;
  return (
    <div role="log" aria-label={words.transcript} className="flex flex-col gap-6 pt-6 pb-8">
      {messages.map((message, index) =>
        repeatsAnswer(messages[index - 1], message) ? null : (
          <MessageView
            key={message.id}
            message={message}
            growing={busy && index === last && !conversation.waiting}
            passed={index < said}
            blocked={busy && asks(message)}
            last={index === said || (index === last && !busy)}
            onRedo={onRedo}
            onDecided={onDecided}
            onAnswer={onAnswer}
            onSay={onSay}
          />
        ),
      )}
      {conversation.waiting && <Working />}
    </div>
  );
}
