/** Answers to a question card: as they are given, sent and shown. Pure. */

import { texts } from "../texts";
import type { AnswerValue, Question } from "./message";

/** What was chosen or typed so far, by the question's key. */
export type Answers = Record<string, string[]>;

function givenTo({ key }: Question, answers: Answers): string[] {
  return (answers[key] ?? []).map((value) => value.trim()).filter(Boolean);
}

export function isAnswered(questions: readonly Question[], answers: Answers): boolean {
  return questions.some((question) => givenTo(question, answers).length > 0);
}

/** What was left open is left out; several choices are a list. */
export function buildAnswer(questions: readonly Question[], answers: Answers): AnswerValue {
  const value: AnswerValue = {};
  for (const question of questions) {
    const given = givenTo(question, answers);
    const [only] = given;
    if (question.kind === "choices" && given.length > 0) value[question.key] = given;
    else if (only !== undefined) value[question.key] = only;
  }
  return value;
}

/** As it is shown once it is given. */
export function describeAnswer(question: Question, answer: AnswerValue): string {
  const given = answer[question.key];
  const said = Array.isArray(given) ? given.join(", ") : String(given ?? "");
  return said || texts.chat.noAnswer;
}
