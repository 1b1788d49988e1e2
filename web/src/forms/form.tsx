/** A form around its fields: the message on top, and a mark while something typed is not saved. */

import type { ReactNode } from "react";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { classes } from "../ui/classes";
import { Field } from "../ui/field";
import { PasswordInput, TextArea, TextInput } from "../ui/input";
import type { FormState } from "./use-form";

interface FormProps<Values extends object> {
  form: FormState<Values>;
  label: string;
  className?: string;
  children: ReactNode;
}

export function Form<Values extends object>({
  form,
  label,
  className,
  children,
}: FormProps<Values>) {
  return (
    <form
      aria-label={label}
      noValidate
      onSubmit={form.onSubmit}
      data-unsaved={form.dirty || undefined}
      className={classes("flex min-h-0 flex-col", className)}
    >
      {children}
    </form>
  );
}

interface FormMessageProps<Values extends object> {
  form: FormState<Values>;
}

export function FormMessage<Values extends object>({ form }: FormMessageProps<Values>) {
  if (form.sessionEnded) {
    return (
      <Banner tone="danger">
        {texts.forms.sessionEnded}{" "}
        <a href="/login" target="_blank" rel="noreferrer" className="font-medium underline">
          {texts.forms.signInAgain}
        </a>
      </Banner>
    );
  }
  return form.errors.general === null ? null : <Banner tone="danger">{form.errors.general}</Banner>;
}

type TextNames<Values> = {
  [Name in keyof Values]: Values[Name] extends string ? Name : never;
}[keyof Values] &
  string;

const CONTROLS = { text: TextInput, email: TextInput, password: PasswordInput, area: TextArea };

interface TextFieldProps<Values extends object> {
  form: FormState<Values>;
  name: TextNames<Values>;
  label: string;
  kind?: keyof typeof CONTROLS;
  hint?: ReactNode;
  optional?: boolean;
  autoComplete?: string;
  placeholder?: string;
  rows?: number;
}

export function TextField<Values extends object>({
  form,
  name,
  label,
  kind = "text",
  hint,
  optional = false,
  autoComplete = "off",
  placeholder,
  rows,
}: TextFieldProps<Values>) {
  const Control = CONTROLS[kind];
  return (
    <Field label={label} hint={hint} optional={optional} error={form.errors.fields[name]}>
      {(control) => (
        <Control
          {...control}
          {...(kind === "email" ? { type: "email" } : {})}
          {...(kind === "area" && rows !== undefined ? { rows } : {})}
          name={name}
          autoComplete={autoComplete}
          placeholder={placeholder}
          value={form.values[name] as string}
          onChange={(event) => form.set(name, event.target.value as Values[typeof name])}
        />
      )}
    </Field>
  );
}
