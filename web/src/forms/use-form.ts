/** State of a form: values, errors by field, and a submit that never loses what was typed. */

import { type SubmitEvent, useRef, useState } from "react";
import { type FormErrors, NO_ERRORS, sortFailure } from "../api/failure";
import { Problem } from "../api/problem";

type Invalid<Values> = Partial<Record<keyof Values & string, string>>;

interface FormOptions<Values extends object> {
  initial: Values;
  validate?: (values: Values) => Invalid<Values>;
  submit: (values: Values) => Promise<unknown>;
  /** Handles a failure that is more than a message, such as a 412. Says whether it did. */
  onFailure?: (error: unknown) => boolean;
}

/** Methods, not properties: fields take the form of any values that include theirs. */
export interface FormState<Values extends object> {
  values: Values;
  errors: FormErrors;
  dirty: boolean;
  busy: boolean;
  sessionEnded: boolean;
  set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void;
  replace(values: Values): void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}

export function useForm<Values extends object>(options: FormOptions<Values>): FormState<Values> {
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sessionEnded, setSessionEnded] = useState(false);
  const names = useRef(Object.keys(options.initial)).current;

  function fail(error: unknown): void {
    if (options.onFailure?.(error)) return;
    setSessionEnded(error instanceof Problem && error.status === 401);
    setErrors(sortFailure(error, names));
  }

  async function send(form: HTMLFormElement): Promise<void> {
    const invalid = options.validate?.(values) ?? {};
    if (Object.keys(invalid).length > 0) {
      setErrors({ fields: invalid as Record<string, string>, general: null });
      focusFirstInvalid(form);
      return;
    }
    setBusy(true);
    setErrors(NO_ERRORS);
    setSessionEnded(false);
    try {
      await options.submit(values);
      setDirty(false);
    } catch (error) {
      fail(error);
      focusFirstInvalid(form);
    } finally {
      setBusy(false);
    }
  }

  return {
    values,
    errors,
    dirty,
    busy,
    sessionEnded,
    set: (name, value) => {
      setValues((current) => ({ ...current, [name]: value }));
      setErrors(({ general, fields: { [name]: _, ...fields } }) => ({ fields, general }));
      setDirty(true);
    },
    replace: setValues,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void send(event.currentTarget);
    },
  };
}
