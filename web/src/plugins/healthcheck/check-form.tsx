/** The form of a check. What it looks like follows from the schemas of its strategy and collectors. */

import { useState } from "react";
import { type Issue, Problem } from "../../api/problem";
import type { Capability, Named } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { TextField } from "../../forms/form";
import { FormCard } from "../../forms/form-card";
import { useForm } from "../../forms/use-form";
import type { ChangeState } from "../../forms/use-versioned-form";
import { texts } from "../../texts";
import { Banner } from "../../ui/banner";
import { Field } from "../../ui/field";
import { TextArea, TextInput } from "../../ui/input";
import { PickMany } from "../../ui/picker";
import { Select } from "../../ui/select";
import { Tick } from "../../ui/tick";
import { choicesOf, useSystems } from "../catalog/use-directory";
import { Assertions } from "./assertions";
import { Collectors } from "./collectors";
import {
  buildBody,
  type CheckDraft,
  findIssue,
  rebaseDraft,
  resultFields,
  type Schemas,
  strayIssues,
} from "./draft";
import { StrategyFields } from "./strategy-fields";
import { useSchemas } from "./use-schemas";

const words = texts.healthcheck.form;

export interface CheckFormProps {
  label: string;
  action: string;
  initial: CheckDraft;
  /** The workspaces to choose from; a check that is there stays where it is. */
  places: readonly Named[];
  strategies: readonly Capability[];
  collectors: readonly Capability[];
  onSubmit: (body: Record<string, unknown>) => Promise<unknown>;
  /** The newest, after somebody else was faster. */
  reload?: () => Promise<CheckDraft>;
}

function unreadable(issues: Issue[]): Problem {
  const rest = { rule: null, successorId: null, requestId: null, retryAfterSeconds: null };
  return new Problem({ status: 422, code: "invalid", detail: words.unreadable, issues, ...rest });
}

function useCheckForm({ initial, onSubmit, reload }: CheckFormProps) {
  const [issues, setIssues] = useState<Issue[]>([]);
  const [state, setState] = useState<ChangeState>("current");
  const [base, setBase] = useState(initial);
  const [schemas, setSchemas] = useState<Schemas>({});
  const form = useForm<CheckDraft>({
    initial,
    submit: async (draft) => {
      setIssues([]);
      const built = buildBody(draft, schemas);
      if (built.issues.length > 0) throw unreadable(built.issues);
      await onSubmit(built.body);
    },
    onFailure: (error) => {
      if (!(error instanceof Problem)) return false;
      if (error.status === 412) setState("changed");
      else if (error.issues.length > 0) setIssues(error.issues);
      else return false;
      return true;
    },
  });
  async function loadNewest(): Promise<void> {
    if (reload === undefined) return;
    const newest = await reload();
    form.replace(rebaseDraft(base, form.values, newest));
    setBase(newest);
    setState("rebased");
  }
  return { form, issues, state, loadNewest, schemas, setSchemas };
}

export function CheckForm(props: CheckFormProps) {
  const { form, issues, state, loadNewest, schemas, setSchemas } = useCheckForm(props);
  const draft = form.values;
  const kinds = [draft.kind, ...draft.collectors.map(({ kind }) => kind)];
  useSchemas(kinds, setSchemas);
  const find = (path: string) => findIssue(issues, path);
  const stray = strayIssues(issues, draft, schemas);
  const fitting = props.collectors.filter(({ strategy }) => strategy === draft.kind);
  return (
    <FormCard form={form} label={props.label} action={props.action}>
      <ChangedNotice state={state} onLoad={loadNewest} />
      {stray.length > 0 && (
        <Banner tone="danger">
          {stray.map(({ path, message }) => (
            <p key={`${path} ${message}`}>{path === "" ? message : `${path}: ${message}`}</p>
          ))}
        </Banner>
      )}
      <Naming {...props} form={form} find={find} />
      <StrategyFields form={form} strategies={props.strategies} schemas={schemas} find={find} />
      <Collectors
        collectors={draft.collectors}
        kinds={fitting}
        schemas={schemas}
        find={find}
        onChange={(collectors) => form.set("collectors", collectors)}
      />
      <Assertions
        assertions={draft.assertions}
        fields={resultFields(draft, schemas)}
        find={find}
        onChange={(assertions) => form.set("assertions", assertions)}
      />
      <Timing form={form} find={find} />
    </FormCard>
  );
}

type Part = Pick<CheckFormProps, "places"> & {
  form: ReturnType<typeof useCheckForm>["form"];
  find: (path: string) => string | undefined;
};

function Naming({ form, find, places }: Part) {
  const systems = useSystems(form.values.workspaceId);
  return (
    <>
      <Field label={texts.healthcheck.name} error={find("name")}>
        {(control) => (
          <TextInput
            {...control}
            name="name"
            autoComplete="off"
            value={form.values.name}
            onChange={(event) => form.set("name", event.target.value)}
          />
        )}
      </Field>
      <TextField form={form} name="description" label={words.description} kind="area" optional />
      {places.length > 1 && (
        <Field label={words.workspace} error={find("workspaceId")}>
          {(control) => (
            <Select
              {...control}
              value={form.values.workspaceId}
              choices={places.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(workspaceId) => {
                form.set("workspaceId", workspaceId);
                form.set("systemIds", []);
              }}
            />
          )}
        </Field>
      )}
      <Field label={texts.healthcheck.systems} optional error={find("systemIds")}>
        {(control) => (
          <PickMany
            {...control}
            values={form.values.systemIds}
            choices={choicesOf(systems)}
            placeholder={texts.healthcheck.findSystems}
            onChange={(ids) => form.set("systemIds", ids)}
          />
        )}
      </Field>
    </>
  );
}

function Timing({ form, find }: Omit<Part, "places">) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={words.intervalSeconds} error={find("intervalSeconds")}>
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={form.values.intervalSeconds}
              onChange={(event) => form.set("intervalSeconds", event.target.value)}
            />
          )}
        </Field>
        <Field label={words.timeoutMs} error={find("timeoutMs")}>
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={form.values.timeoutMs}
              onChange={(event) => form.set("timeoutMs", event.target.value)}
            />
          )}
        </Field>
      </div>
      <Field label={words.egress} hint={words.egressHint} optional error={find("egress")}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={form.values.egress}
            onChange={(event) => form.set("egress", event.target.value)}
          />
        )}
      </Field>
      <Tick
        checked={form.values.enabled}
        onChange={(enabled) => form.set("enabled", enabled)}
        className="rounded-lg border border-line"
      >
        <span className="text-[0.8125rem] font-medium">{words.enabled}</span>
      </Tick>
    </>
  );
}
