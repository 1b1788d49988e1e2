/** An older version of a message with its answers, to be read; and the way from one to the other. */

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, GitBranch } from "lucide-react";
import { useEffect, useRef } from "react";
import { describeFailure } from "../api/failure";
import { branchConversation, versionsQuery } from "../api/messages";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { Loaded } from "../ui/loaded";
import { useToast } from "../ui/toast";
import { type ChatMessage, fromStored } from "./message";
import { MessageView } from "./message-view";
import { usePlace } from "./place";
import { countVersions, type Looked } from "./versions";

const words = texts.chat.versions;

/** Of which message another version was asked for, and which way; the button there has the focus. */
export type Moved = { messageId: string; by: "before" | "after" } | null;

interface PagerProps {
  /** The newest version. */
  about: string;
  moved: Moved;
  number: number;
  count: number;
  onLook: (number: number) => void;
}

export function VersionPager({ about, moved, number, count, onLook }: PagerProps) {
  const before = useRef<HTMLButtonElement>(null);
  const after = useRef<HTMLButtonElement>(null);
  const focused = moved?.messageId === about ? moved.by : null;
  useEffect(() => {
    if (focused === null) return;
    const [wanted, other] = focused === "before" ? [before, after] : [after, before];
    const button = wanted.current?.disabled ? other.current : wanted.current;
    button?.focus({ preventScroll: true });
  }, [focused]);
  return (
    <fieldset aria-label={words.pager} className="flex items-center text-xs text-muted">
      <IconButton
        ref={before}
        label={words.before}
        icon={ChevronLeft}
        disabled={number <= 1}
        onClick={() => onLook(number - 1)}
        className="disabled:opacity-40"
      />
      <span aria-live="polite" className="tabular-nums">
        {words.place(number, count)}
      </span>
      <IconButton
        ref={after}
        label={words.after}
        icon={ChevronRight}
        disabled={number >= count}
        onClick={() => onLook(number + 1)}
        className="disabled:opacity-40"
      />
    </fieldset>
  );
}

const nothing = () => undefined;

interface OlderVersionProps {
  conversationId: string;
  /** The newest version. */
  message: ChatMessage;
  looked: Looked;
  moved: Moved;
  onLook: (number: number) => void;
}

export function OlderVersion({ conversationId, message, looked, ...paging }: OlderVersionProps) {
  const query = useQuery(versionsQuery(conversationId, message.id, countVersions(message)));
  return (
    <Loaded query={query} loading={<div role="status" className="skeleton h-24 w-full" />}>
      {(versions) => {
        const found = versions.find(({ number }) => number === looked.number);
        const messages = found?.messages.map(fromStored) ?? [];
        return (
          <section aria-label={words.older(looked.number)} className="flex flex-col gap-6">
            {messages.map((one, index) => (
              <MessageView
                key={one.id}
                message={one}
                readOnly
                growing={false}
                passed
                blocked
                last={false}
                onRedo={nothing}
                onDecided={nothing}
                onAnswer={nothing}
                onSay={nothing}
                pager={
                  index === 0 ? (
                    <VersionPager
                      about={message.id}
                      number={looked.number}
                      count={countVersions(message)}
                      {...paging}
                    />
                  ) : null
                }
              />
            ))}
            <Footing
              conversationId={conversationId}
              lastId={messages.at(-1)?.id ?? null}
              onBack={() => paging.onLook(countVersions(message))}
            />
          </section>
        );
      }}
    </Loaded>
  );
}

interface FootingProps {
  conversationId: string;
  lastId: string | null;
  onBack: () => void;
}

function Footing({ conversationId, lastId, onBack }: FootingProps) {
  const { open } = usePlace();
  const say = useToast();

  async function goOn(messageId: string) {
    try {
      open(await branchConversation(conversationId, messageId));
    } catch (error) {
      say(describeFailure(error), "failed");
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-2 rounded-xl bg-hover px-3 py-2 text-[0.8125rem] text-muted">
      <p className="mr-auto">{lastId === null ? words.gone : words.note}</p>
      {lastId !== null && (
        <Button size="small" icon={GitBranch} onClick={() => void goOn(lastId)}>
          {words.goOn}
        </Button>
      )}
      <Button size="small" variant="ghost" onClick={onBack}>
        {words.back}
      </Button>
    </div>
  );
}
