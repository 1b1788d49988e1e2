/** The controls of a configuration, from its schema: one for each field, whoever wrote it. */

import { texts } from "../../texts";
import { type ControlProps, Field } from "../../ui/field";
import { TextArea, TextInput } from "../../ui/input";
import { Select } from "../../ui/select";
import { Tick } from "../../ui/tick";
import { CodeArea } from "./code-area";
import type { FieldKind, FieldValue, SchemaField, Shown } from "./config-schema";
import type { Find } from "./draft";

interface ControlOf {
  field: SchemaField;
  value: string;
  control: ControlProps;
  onChange: (value: string) => void;
}

function Line({ value, control, onChange }: ControlOf) {
  return (
    <TextInput
      {...control}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Figure({ field, value, control, onChange }: ControlOf) {
  return (
    <TextInput
      {...control}
      inputMode={field.kind === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Lines({ value, control, onChange }: ControlOf) {
  return (
    <TextArea
      {...control}
      rows={4}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Code({ field, value, control, onChange }: ControlOf) {
  const rows = field.kind === "code" ? 14 : 3;
  return <CodeArea {...control} rows={rows} value={value} onChange={onChange} />;
}

function OneOf({ field, value, control, onChange }: ControlOf) {
  return (
    <Select
      {...control}
      value={value === "" ? null : value}
      choices={field.choices.map((one) => ({ value: one, label: one }))}
      onChange={onChange}
    />
  );
}

const CONTROLS: Record<Exclude<FieldKind, "flag">, (props: ControlOf) => React.ReactNode> = {
  text: Line,
  integer: Figure,
  number: Figure,
  area: Lines,
  code: Code,
  json: Code,
  choice: OneOf,
};

interface SchemaFieldsProps {
  fields: readonly SchemaField[];
  shown: Shown;
  /** Where the fields stand in what is sent, for their messages. */
  path: string;
  find: Find;
  onChange: (name: string, value: FieldValue) => void;
}

export function SchemaFields({ fields, shown, path, find, onChange }: SchemaFieldsProps) {
  return fields.map((field) => (
    <SchemaControl
      key={field.name}
      field={field}
      value={shown[field.name] ?? ""}
      error={find(`${path}.${field.name}`)}
      onChange={(value) => onChange(field.name, value)}
    />
  ));
}

interface SchemaControlProps {
  field: SchemaField;
  value: FieldValue;
  error: string | undefined;
  onChange: (value: FieldValue) => void;
}

function SchemaControl({ field, value, error, onChange }: SchemaControlProps) {
  if (field.kind === "flag") return <Flag field={field} value={value} onChange={onChange} />;
  const Control = CONTROLS[field.kind];
  const hints = [field.hint, field.kind === "json" ? texts.healthcheck.form.json : ""];
  return (
    <Field
      label={field.label}
      hint={hints.filter((hint) => hint !== "").join(" · ")}
      optional={!field.required}
      error={error}
    >
      {(control) => (
        <Control field={field} value={String(value)} control={control} onChange={onChange} />
      )}
    </Field>
  );
}

function Flag({ field, value, onChange }: Omit<SchemaControlProps, "error">) {
  return (
    <Tick checked={value === true} onChange={onChange} className="rounded-lg border border-line">
      <span className="min-w-0 flex-1">
        <span className="block text-[0.8125rem] font-medium">{field.label}</span>
        {field.hint !== "" && <span className="block text-xs text-muted">{field.hint}</span>}
      </span>
    </Tick>
  );
}
