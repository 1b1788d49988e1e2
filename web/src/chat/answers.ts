/** Answers to a question card: as they are given, sent and shown. Pure. */

import type { AnswerValue, Question } from "./message";

/** What was chosen or typed so far, by the question's key. */
export type Answers = Record<string, string[]>;

function givenTo({ key }: Question, answers: Answers): string[] {
  return (answers[key] ?? []).map((value) => value.trim()).filter(Boolean);
}

/** Every question needs its answer. */
export function isAnswered(questions: readonly Question[], answers: Answers): boolean {
  return questions.every((question) => givenTo(question, answers).length > 0);
}

function sentValue(question: Question, answers: Answers): AnswerValue[string] {
  const given = givenTo(question, answers);
  const [first = ""] = given;
  if (question.kind === "choices") return given;
  return question.kind === "number" ? Number(first) : first;
}

export function buildAnswer(questions: readonly Question[], answers: Answers): AnswerValue {
  return Object.fromEntries(
    questions.map((question) => [question.key, sentValue(question, answers)]),
  );
}

/** As it is shown once it is given. */
export function describeAnswer({ key }: Question, answer: AnswerValue): string {
  const given = answer[key] ?? "";
  return Array.isArray(given) ? given.join(", ") : String(given);
}

function leadOf(text: string): string {
  const lead = text.split(/\s+/u).filter(Boolean).join(" ");
  return /[?:.!…]$/u.test(lead) ? lead : `${lead}:`;
}

/** The person's message that the server makes of it, shown here until that is read. */
export function writeAnswer(questions: readonly Question[], answer: AnswerValue): string {
  return questions
    .map((question) => `${leadOf(question.text)} ${describeAnswer(question, answer)}`)
    .join("\n");
}
