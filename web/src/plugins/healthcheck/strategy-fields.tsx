/** How a check looks: the kind of probe, and the fields of that kind. */

import type { Capability } from "../../api/types";
import type { FormState } from "../../forms/use-form";
import { texts } from "../../texts";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { fieldsOf } from "./config-schema";
import { type CheckDraft, type Find, layOut, type Schemas } from "./draft";
import { SchemaFields } from "./schema-fields";
import { ScriptTest } from "./script-test";

const words = texts.healthcheck.form;

interface StrategyFieldsProps {
  form: FormState<CheckDraft>;
  strategies: readonly Capability[];
  schemas: Schemas;
  find: Find;
}

export function StrategyFields({ form, strategies, schemas, find }: StrategyFieldsProps) {
  const draft = form.values;
  const schema = schemas[draft.kind];
  const fields = schema ? fieldsOf(schema.configSchema) : [];
  const shown = layOut(draft, schemas);
  const choose = (kind: string) => {
    form.set("kind", kind);
    form.set("config", {});
    form.set("shown", null);
    form.set("collectors", []);
    form.set("assertions", []);
  };
  const put = (change: Record<string, string | boolean>) =>
    form.set("shown", { ...shown, ...change });
  return (
    <section aria-label={words.strategy} className="flex flex-col gap-4">
      <Field
        label={words.strategyKind}
        hint={strategies.find(({ kind }) => kind === draft.kind)?.description}
        error={find("strategy.kind")}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.kind}
            choices={strategies.map(({ kind, title }) => ({ value: kind, label: title }))}
            onChange={choose}
          />
        )}
      </Field>
      {schema === undefined ? (
        <p role="status" className="text-muted">
          {words.loadingSchema}
        </p>
      ) : (
        <SchemaFields
          fields={fields}
          shown={shown}
          path="strategy.config"
          find={find}
          onChange={(name, value) => put({ [name]: value })}
        />
      )}
      {schema && (
        <ScriptTest
          key={draft.kind}
          draft={draft}
          fields={fields}
          shown={shown}
          onSource={(name, source) => put({ [name]: source })}
        />
      )}
    </section>
  );
}
