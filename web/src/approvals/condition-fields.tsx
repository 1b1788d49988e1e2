/** The argument on which a rule depends, if it does. */

import { TextField } from "../forms/form";
import type { FormState } from "../forms/use-form";
import { texts } from "../texts";
import { Field } from "../ui/field";
import { Select } from "../ui/select";
import { Tick } from "../ui/tick";
import type { ApprovalValues, Test } from "./draft";

const words = texts.approvals;

const TESTS = (Object.keys(words.tests) as Test[]).map((test) => ({
  value: test,
  label: words.tests[test],
}));

interface ConditionFieldsProps {
  form: FormState<ApprovalValues>;
}

export function ConditionFields({ form }: ConditionFieldsProps) {
  const { values } = form;
  return (
    <>
      <Tick
        checked={values.conditional}
        onChange={(on) => form.set("conditional", on)}
        className="-mx-3 rounded-lg"
      >
        <span>{words.when}</span>
      </Tick>
      {values.conditional && (
        <div className="flex flex-col gap-4 border-l-2 border-line pl-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField form={form} name="path" label={words.path} hint={words.pathHint} />
            <Field label={words.test}>
              {(control) => (
                <Select
                  {...control}
                  value={values.test}
                  choices={TESTS}
                  onChange={(test) => form.set("test", test as Test)}
                />
              )}
            </Field>
          </div>
          {values.test !== "present" && (
            <TextField
              form={form}
              name="values"
              kind="area"
              rows={2}
              label={words.values}
              hint={words.valuesHint}
            />
          )}
        </div>
      )}
    </>
  );
}
