/** Questions of the assistant on one card, and what was answered. */

import { CircleHelp } from "lucide-react";
import { type SubmitEvent, useId, useState } from "react";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { FieldGroup } from "../ui/field";
import { TextInput } from "../ui/input";
import { type Answers, buildAnswer, describeAnswer, isAnswered } from "./answers";
import type { AnswerValue, Question, QuestionKind } from "./message";

const words = texts.chat;

interface QuestionCardProps {
  questions: readonly Question[];
  /** What was answered; nothing while it is not. */
  answer: AnswerValue | null;
  /** Something else was said instead. */
  passed: boolean;
  /** Nothing can be sent at this moment. */
  blocked: boolean;
  onAnswer: (value: AnswerValue) => void;
}

export function QuestionCard(props: QuestionCardProps) {
  const { questions, answer, passed, blocked, onAnswer } = props;
  const [answers, setAnswers] = useState<Answers>({});
  const over = answer !== null || passed;
  const complete = isAnswered(questions, answers);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (complete && !blocked) onAnswer(buildAnswer(questions, answers));
  }

  return (
    <form
      aria-label={words.question}
      onSubmit={submit}
      data-unsaved={(complete && !over) || undefined}
      className="@container rounded-xl border border-line bg-raised shadow-soft"
    >
      <header className="flex items-center gap-3 px-4 pt-4 pb-3 @md:px-5">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-on-accent-soft">
          <CircleHelp size={16} aria-hidden="true" />
        </span>
        <h2 className="flex-1 text-base font-semibold tracking-tight">{words.question}</h2>
        {over && <Badge>{answer === null ? words.passed : words.answered}</Badge>}
      </header>
      {over ? (
        <Given questions={questions} answer={answer} />
      ) : (
        <Asking
          questions={questions}
          answers={answers}
          onChange={setAnswers}
          ready={complete && !blocked}
        />
      )}
    </form>
  );
}

type GivenProps = Pick<QuestionCardProps, "questions" | "answer">;

function Given({ questions, answer }: GivenProps) {
  return (
    <dl className="flex flex-col gap-3 px-4 pb-4 @md:px-5">
      {questions.map((question) => (
        <div key={question.key}>
          <dt className="text-[0.8125rem] text-muted">{question.text}</dt>
          {answer !== null && <dd className="wrap-anywhere">{describeAnswer(question, answer)}</dd>}
        </div>
      ))}
    </dl>
  );
}

interface AskingProps extends Pick<QuestionCardProps, "questions"> {
  answers: Answers;
  onChange: (answers: Answers) => void;
  ready: boolean;
}

function Asking({ questions, answers, onChange, ready }: AskingProps) {
  return (
    <>
      <div className="flex flex-col gap-4 px-4 pb-4 @md:px-5">
        {questions.map((question) => (
          <Asked
            key={question.key}
            question={question}
            values={answers[question.key] ?? []}
            onChange={(values) => onChange({ ...answers, [question.key]: values })}
          />
        ))}
      </div>
      <footer className="flex justify-end border-t border-line px-4 py-3 @md:px-5">
        <Button type="submit" size="large" variant="primary" disabled={!ready}>
          {words.answer}
        </Button>
      </footer>
    </>
  );
}

interface AskedProps {
  question: Question;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

const INPUT_TYPES: Record<Exclude<QuestionKind, "choice" | "choices">, string> = {
  text: "text",
  date: "date",
  number: "number",
};

function Asked({ question, values, onChange }: AskedProps) {
  const { kind, text } = question;
  if (kind === "choice" || kind === "choices") {
    return (
      <FieldGroup label={text}>
        <Options question={question} values={values} onChange={onChange} />
      </FieldGroup>
    );
  }
  return (
    <FieldGroup label={text}>
      <TextInput
        aria-label={text}
        type={INPUT_TYPES[kind]}
        value={values[0] ?? ""}
        onChange={(event) => onChange([event.target.value])}
        className="max-w-sm"
      />
    </FieldGroup>
  );
}

function Options({ question, values, onChange }: AskedProps) {
  const group = useId();
  const single = question.kind === "choice";
  return (
    <div className="flex flex-wrap gap-2">
      {(question.options ?? []).map((option) => (
        <label
          key={option}
          className="control flex min-h-9 cursor-pointer items-center gap-2 px-3 py-1 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-on-accent-soft pointer-coarse:min-h-10"
        >
          <input
            type={single ? "radio" : "checkbox"}
            name={group}
            checked={values.includes(option)}
            onChange={({ target }) => {
              const others = single ? [] : values.filter((value) => value !== option);
              onChange(target.checked ? [...others, option] : others);
            }}
            className="accent-accent"
          />
          {option}
        </label>
      ))}
    </div>
  );
}
