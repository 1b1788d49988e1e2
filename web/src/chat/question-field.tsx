/** One question and the field for its answer. Options can be chosen by their number. */

import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { FieldGroup } from "../ui/field";
import { TextInput } from "../ui/input";
import type { Question, QuestionKind } from "./message";

interface QuestionFieldProps {
  question: Question;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The keyboard goes on here. */
  focused: boolean;
}

const INPUT_TYPES: Record<Exclude<QuestionKind, "choice" | "choices">, string> = {
  text: "text",
  date: "date",
  number: "number",
};

export function QuestionField(props: QuestionFieldProps) {
  const { question, values, onChange, focused } = props;
  const { kind, text } = question;
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const inputs = focused ? field.current?.querySelectorAll("input") : undefined;
    const chosen = [...(inputs ?? [])].find(({ checked }) => checked);
    (chosen ?? inputs?.[0])?.focus();
  }, [focused]);
  return (
    <div ref={field}>
      <FieldGroup label={text}>
        {kind === "choice" || kind === "choices" ? (
          <Options {...props} />
        ) : (
          <TextInput
            aria-label={text}
            type={INPUT_TYPES[kind]}
            step={kind === "number" ? "any" : undefined}
            value={values[0] ?? ""}
            onChange={(event) => onChange([event.target.value])}
            className="max-w-sm"
          />
        )}
      </FieldGroup>
    </div>
  );
}

function Options({ question, values, onChange }: QuestionFieldProps) {
  const group = useId();
  const single = question.kind === "choice";
  const options = question.options ?? [];

  function toggle(option: string, wanted: boolean) {
    const others = single ? [] : values.filter((value) => value !== option);
    onChange(wanted ? [...others, option] : others);
  }

  function chooseByNumber(event: KeyboardEvent) {
    const option = options[Number(event.key) - 1];
    if (option === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    toggle(option, single || !values.includes(option));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only adds keys to the controls inside.
    <div className="flex flex-wrap gap-2" onKeyDown={chooseByNumber}>
      {options.map((option) => (
        <label
          key={option}
          className="control flex min-h-9 cursor-pointer items-center gap-2 px-3 py-1 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-on-accent-soft pointer-coarse:min-h-10"
        >
          <input
            type={single ? "radio" : "checkbox"}
            name={group}
            checked={values.includes(option)}
            onChange={({ target }) => toggle(option, target.checked)}
            className="accent-accent"
          />
          {option}
        </label>
      ))}
    </div>
  );
}
