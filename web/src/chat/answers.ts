/** Answers to a question card, as the message that they are sent as. Pure. */

import { texts } from "../texts";
import type { Question } from "./message";

export type Answers = Record<string, string[]>;

function answerOf({ key }: Question, answers: Answers): string {
  return (answers[key] ?? [])
    .map((value) => value.trim())
    .filter(Boolean)
    .join(", ");
}

export function isAnswered(questions: readonly Question[], answers: Answers): boolean {
  return questions.some((question) => answerOf(question, answers) !== "");
}

/** One answer speaks for itself; several say what they answer. */
export function composeAnswer(questions: readonly Question[], answers: Answers): string {
  const [only] = questions;
  if (only !== undefined && questions.length === 1) return answerOf(only, answers);
  return questions
    .map((question) =>
      texts.chat.answerLine(question.text, answerOf(question, answers) || texts.chat.noAnswer),
    )
    .join("\n");
}
