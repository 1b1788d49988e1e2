/** Saying something, saying it again, and saying it anew in the place of what was said last. */

import type { Chat } from "@ai-sdk/react";
import type { FileUIPart } from "ai";
import { useRef } from "react";
import { Problem } from "../api/problem";
import type { Skill } from "../api/types";
import type { Anew } from "./deed";
import {
  type AnswerValue,
  beforeLastSaid,
  type ChatMessage,
  type ChatPart,
  filesOf,
  skillOf,
  textOf,
  withEnding,
} from "./message";
import { NotSent } from "./transport";
import { useAnswers } from "./use-answers";
import { isBusy } from "./use-look";

function said(text: string): ChatPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** As it will be stored, so that a reload shows the same. */
function skillParts(skill: Skill | null): ChatPart[] {
  if (skill === null) return [];
  return [{ type: "data-skill", id: "skill", data: { skillId: skill.id, name: skill.name } }];
}

export function useSaying(chat: Chat<ChatMessage>, look: () => Promise<void>) {
  const answers = useAnswers(chat);
  const anew = useRef<Anew | null>(null);

  /** Takes a message that was not sent out of the transcript, so that its text can be kept. */
  function dismiss(): string | null {
    const unsent = chat.error instanceof NotSent && !answers.drop() ? chat.lastMessage : null;
    if (unsent) chat.messages = chat.messages.slice(0, -1);
    chat.clearError();
    if (anew.current !== null) {
      anew.current = null;
      void look();
    }
    return unsent ? textOf(unsent) : null;
  }

  async function interrupt() {
    const superseded = isBusy(chat.status);
    // Also what is being joined and does not run yet: this message takes its place.
    await chat.stop();
    if (superseded) chat.messages = withEnding(chat.messages, "superseded");
    dismiss();
  }

  async function send(text: string, files: FileUIPart[] = [], skill: Skill | null = null) {
    await interrupt();
    await chat.sendMessage({
      role: "user",
      parts: [...skillParts(skill), ...files, ...said(text)],
    });
  }

  async function sayAnew() {
    if (anew.current === null) return;
    await chat.regenerate({ body: anew.current });
    if (!(chat.error instanceof NotSent)) anew.current = null;
  }

  /** The last thing said once more, or as it is written now; its files stay. */
  async function redo(text?: string) {
    await interrupt();
    const last = chat.messages.findLast(({ role }) => role === "user");
    if (last === undefined) return;
    const id = chat.generateId();
    const skill = skillOf(last);
    const parts = [
      ...(skill === null ? [] : [skill]),
      ...filesOf(last),
      ...said(text ?? textOf(last)),
    ];
    chat.messages = [...beforeLastSaid(chat.messages), { id, role: "user", parts }];
    anew.current = { retry: { id, messageId: last.id, ...(text === undefined ? {} : { text }) } };
    await sayAnew();
  }

  /** Not sent, it is the same again; lost, it may have gone on; else the question is asked anew. */
  async function retry() {
    if (chat.error instanceof NotSent) {
      return answers.again() ?? (anew.current === null ? chat.regenerate() : sayAnew());
    }
    if (chat.error instanceof Problem) {
      chat.clearError();
      return look();
    }
    await redo();
  }

  const answer = (partId: string, value: AnswerValue) => answers.give(partId, value);
  return { send, redo, retry, dismiss, answer };
}
