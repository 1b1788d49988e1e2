/** A labelled control with its hint and its error, tied together for assistive technology. */

import { type ReactNode, useId } from "react";
import { texts } from "../texts";

export interface ControlProps {
  id: string;
  "aria-labelledby": string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, optional = false, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label id={`${id}-label`} htmlFor={id} className="text-[0.8125rem] font-medium">
        {label}
        {optional && <span className="ml-1.5 font-normal text-faint">{texts.forms.optional}</span>}
      </label>
      {children({
        id,
        // By id as well: a picker hides its label from assistive technology while it is open.
        "aria-labelledby": `${id}-label`,
        "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
        "aria-invalid": Boolean(error),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-[0.8125rem] text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

interface FieldGroupProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}

/** Several controls under one label. */
export function FieldGroup({ label, hint, error, children }: FieldGroupProps) {
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={error ? id : undefined}>
      <legend className="contents">
        <span className="text-[0.8125rem] font-medium">{label}</span>
      </legend>
      {hint && <p className="-mt-1 text-[0.8125rem] text-muted">{hint}</p>}
      {children}
      {error && (
        <p id={id} className="text-[0.8125rem] text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
