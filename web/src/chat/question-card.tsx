/** Questions of the assistant on one card, asked one at a time, and what was answered. */

import { CircleHelp } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { type Answers, buildAnswer, describeAnswer, isAnswered } from "./answers";
import type { AnswerValue, Question } from "./message";
import { QuestionField } from "./question-field";

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

export function QuestionCard({ questions, answer, passed, blocked, onAnswer }: QuestionCardProps) {
  const asking = useAsking(questions);
  const over = answer !== null || passed;
  const ready = asking.answered && !(asking.isLast && blocked);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!ready) return;
    if (asking.isLast) onAnswer(buildAnswer(questions, asking.answers));
    else asking.move(1);
  }

  return (
    <form
      aria-label={words.question}
      onSubmit={submit}
      data-unsaved={(Object.keys(asking.answers).length > 0 && !over) || undefined}
      className="@container rounded-xl border border-line bg-raised shadow-soft"
    >
      <header className="flex items-center gap-3 px-4 pt-4 pb-3 @md:px-5">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-on-accent-soft">
          <CircleHelp size={16} aria-hidden="true" />
        </span>
        <h2 className="flex-1 text-base font-semibold tracking-tight">{words.question}</h2>
        {over ? (
          <Badge>{answer === null ? words.passed : words.answered}</Badge>
        ) : (
          <Place at={asking.at} all={questions.length} />
        )}
      </header>
      {over ? (
        <Given questions={questions} answer={answer} />
      ) : (
        <Asking asking={asking} ready={ready} />
      )}
    </form>
  );
}

/** One question after the other; going back loses nothing. */
function useAsking(questions: readonly Question[]) {
  const [answers, setAnswers] = useState<Answers>({});
  const [at, setAt] = useState(0);
  const [moved, setMoved] = useState(false);
  const question = questions[at];
  const isLast = at >= questions.length - 1;
  return {
    answers,
    setAnswers,
    at,
    moved,
    question,
    isLast,
    answered: isAnswered(isLast || question === undefined ? questions : [question], answers),
    move: (step: number) => {
      setMoved(true);
      setAt(at + step);
    },
  };
}

interface PlaceProps {
  at: number;
  all: number;
}

function Place({ at, all }: PlaceProps) {
  if (all < 2) return null;
  return (
    <p role="status" className="text-[0.8125rem] text-muted tabular-nums">
      {words.questionOf(at + 1, all)}
    </p>
  );
}

interface AskingProps {
  asking: ReturnType<typeof useAsking>;
  ready: boolean;
}

function Asking({ asking, ready }: AskingProps) {
  const { question, answers, at } = asking;
  if (question === undefined) return null;
  return (
    <>
      <div className="px-4 pb-4 @md:px-5">
        <QuestionField
          key={question.key}
          question={question}
          values={answers[question.key] ?? []}
          onChange={(values) => asking.setAnswers({ ...answers, [question.key]: values })}
          focused={asking.moved}
        />
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-4 py-3 @md:px-5">
        {at > 0 && (
          <Button size="large" onClick={() => asking.move(-1)}>
            {words.previousQuestion}
          </Button>
        )}
        <Button type="submit" size="large" variant="primary" disabled={!ready}>
          {asking.isLast ? words.answer : words.nextQuestion}
        </Button>
      </footer>
    </>
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
