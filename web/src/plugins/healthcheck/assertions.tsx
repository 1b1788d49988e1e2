/** What has to hold: a field of a result, a comparison that fits its type, and a value. */

import { Plus, Trash2 } from "lucide-react";
import type { Assertion, ResultField } from "../../api/types";
import { texts } from "../../texts";
import { Button, IconButton } from "../../ui/button";
import { Field, FieldGroup } from "../../ui/field";
import { TextInput } from "../../ui/input";
import { Select } from "../../ui/select";
import { type AssertionDraft, type Find, newKey, VALUELESS } from "./draft";

const words = texts.healthcheck.form;
const SEVERITIES: Assertion["severity"][] = ["down", "degraded"];
const BOOLEANS = ["true", "false"];

interface AssertionsProps {
  assertions: readonly AssertionDraft[];
  fields: readonly ResultField[];
  find: Find;
  onChange: (assertions: AssertionDraft[]) => void;
}

export function Assertions({ assertions, fields, find, onChange }: AssertionsProps) {
  const first = fields[0];
  const put = (at: number, change: Partial<AssertionDraft>) =>
    onChange(assertions.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <FieldGroup
      label={words.assertions}
      hint={words.assertionsHint}
      error={assertions.length === 0 ? find("assertions") : undefined}
    >
      {assertions.map((assertion, at) => (
        <AssertionRow
          key={assertion.key}
          assertion={assertion}
          at={at}
          fields={fields}
          find={find}
          onChange={(change) => put(at, change)}
          onRemove={() => onChange(assertions.filter((_, index) => index !== at))}
        />
      ))}
      {first !== undefined && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onClick={() =>
              onChange([
                ...assertions,
                {
                  key: newKey(),
                  field: first.name,
                  operator: first.operators[0] ?? "",
                  value: "",
                  severity: "down",
                },
              ])
            }
          >
            {words.addAssertion}
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}

interface AssertionRowProps {
  assertion: AssertionDraft;
  at: number;
  fields: readonly ResultField[];
  find: Find;
  onChange: (change: Partial<AssertionDraft>) => void;
  onRemove: () => void;
}

function AssertionRow({ assertion, at, fields, find, onChange, onRemove }: AssertionRowProps) {
  const path = `assertions.${at}`;
  const field = fields.find(({ name }) => name === assertion.field);
  const operators = field?.operators ?? [assertion.operator];
  const choose = (name: string) => {
    const chosen = fields.find((one) => one.name === name);
    const fits = chosen?.operators.includes(assertion.operator);
    onChange({ field: name, ...(fits ? {} : { operator: chosen?.operators[0] ?? "" }) });
  };
  return (
    <section
      aria-label={words.assertion(at + 1)}
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label={words.field} error={find(`${path}.field`)}>
          {(control) => (
            <Select
              {...control}
              value={assertion.field}
              choices={withKnown(fields, assertion.field)}
              onChange={choose}
            />
          )}
        </Field>
        <Field label={words.operator} error={find(`${path}.operator`)}>
          {(control) => (
            <Select
              {...control}
              value={assertion.operator}
              choices={operators.map((value) => ({
                value,
                label: words.operators[value] ?? value,
              }))}
              onChange={(operator) => onChange({ operator })}
            />
          )}
        </Field>
        {!VALUELESS.has(assertion.operator) && (
          <ValueField
            value={assertion.value}
            type={field?.type}
            error={find(`${path}.value`)}
            onChange={(value) => onChange({ value })}
          />
        )}
      </div>
      <div className="flex items-end justify-between gap-3">
        <div className="w-40">
          <Field label={words.severity} error={find(`${path}.severity`)}>
            {(control) => (
              <Select
                {...control}
                value={assertion.severity}
                choices={SEVERITIES.map((value) => ({
                  value,
                  label: texts.healthcheck.statuses[value],
                }))}
                onChange={(severity) => onChange({ severity })}
              />
            )}
          </Field>
        </div>
        <IconButton
          label={words.removeAssertion(at + 1)}
          icon={Trash2}
          tone="danger"
          onClick={onRemove}
        />
      </div>
    </section>
  );
}

interface ValueFieldProps {
  value: string;
  type: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
}

function ValueField({ value, type, error, onChange }: ValueFieldProps) {
  return (
    <Field label={words.value} error={error}>
      {(control) =>
        type === "boolean" ? (
          <Select
            {...control}
            value={BOOLEANS.includes(value) ? value : null}
            choices={BOOLEANS.map((one) => ({ value: one, label: one }))}
            onChange={onChange}
          />
        ) : (
          <TextInput
            {...control}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

/** A field that is not offered any more stays shown until another one is chosen. */
function withKnown(fields: readonly ResultField[], chosen: string) {
  const choices = fields.map(({ name, description }) => ({
    value: name,
    label: name,
    ...(description === "" ? {} : { hint: description }),
  }));
  const known = chosen === "" || fields.some(({ name }) => name === chosen);
  return known ? choices : [...choices, { value: chosen, label: chosen }];
}
