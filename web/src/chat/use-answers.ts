/** Answers to question cards: shown at once, taken back when they did not arrive. */

import type { Chat } from "@ai-sdk/react";
import { useRef } from "react";
import { type AnswerValue, answerQuestion, type ChatMessage, withdrawAnswer } from "./message";
import { NotSent } from "./transport";

interface Given {
  partId: string;
  value: AnswerValue;
}

export function useAnswers(chat: Chat<ChatMessage>) {
  const last = useRef<Given | null>(null);

  async function give(partId: string, value: AnswerValue): Promise<void> {
    last.current = { partId, value };
    const said = chat.generateId();
    chat.messages = answerQuestion(chat.messages, { partId, value, said });
    await chat.resumeStream({ body: { answer: { partId, value } } });
    if (chat.error instanceof NotSent) {
      chat.messages = withdrawAnswer(chat.messages, { partId, said });
    } else last.current = null;
  }

  return {
    give,
    /** Once more what did not arrive; nothing if that was no answer. */
    again: () => last.current && give(last.current.partId, last.current.value),
    /** Forgets what did not arrive; says whether there was such an answer. */
    drop: () => {
      const was = last.current !== null;
      last.current = null;
      return was;
    },
  };
}
