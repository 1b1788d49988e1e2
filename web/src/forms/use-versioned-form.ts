/** A form over an entry that others may change at the same time: a 412 loses nothing. */

import { useState } from "react";
import { Problem } from "../api/problem";
import { type Rebased, rebase } from "./rebase";
import { type FormState, useForm } from "./use-form";

export interface Versioned<Values> {
  values: Values;
  version: number;
}

interface Options<Values extends object> {
  loaded: Versioned<Values>;
  validate: (values: Values) => Partial<Record<keyof Values & string, string>>;
  reload: () => Promise<Versioned<Values>>;
  save: (values: Values, version: number) => Promise<unknown>;
}

export type ChangeState = "current" | "changed" | "rebased";

export interface VersionedForm<Values extends object> {
  form: FormState<Values>;
  state: ChangeState;
  theirs: Partial<Values>;
  loadNewest: () => Promise<void>;
}

export function useVersionedForm<Values extends object>(
  options: Options<Values>,
): VersionedForm<Values> {
  const [base, setBase] = useState(options.loaded);
  const [state, setState] = useState<ChangeState>("current");
  const [theirs, setTheirs] = useState<Partial<Values>>({});
  const form = useForm<Values>({
    initial: options.loaded.values,
    validate: options.validate,
    submit: (values) => options.save(values, base.version),
    onFailure: (error) => {
      const changed = error instanceof Problem && error.status === 412;
      if (changed) setState("changed");
      return changed;
    },
  });

  async function loadNewest(): Promise<void> {
    const newest = await options.reload();
    const rebased: Rebased<Values> = rebase(base.values, form.values, newest.values);
    form.replace(rebased.values);
    setBase(newest);
    setTheirs(rebased.theirs);
    setState("rebased");
  }

  return { form, state, theirs, loadNewest };
}
