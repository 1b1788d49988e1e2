/** The collectors of a check: each with a short name, its kind, and the fields of that kind. */

import { Plus, Trash2 } from "lucide-react";
import type { Capability } from "../../api/types";
import { texts } from "../../texts";
import { Button, IconButton } from "../../ui/button";
import { Field, FieldGroup } from "../../ui/field";
import { TextInput } from "../../ui/input";
import { Select } from "../../ui/select";
import { fieldsOf } from "./config-schema";
import { type CollectorDraft, type Find, layOut, newKey, type Schemas } from "./draft";
import { SchemaFields } from "./schema-fields";

const words = texts.healthcheck.form;

interface CollectorsProps {
  collectors: readonly CollectorDraft[];
  /** Those that work on what the chosen strategy sees. */
  kinds: readonly Capability[];
  schemas: Schemas;
  find: Find;
  onChange: (collectors: CollectorDraft[]) => void;
}

function freeId(kind: string, taken: readonly CollectorDraft[]): string {
  const plain = kind.replace(/[^A-Za-z0-9]/gu, "") || "value";
  const ids = new Set(taken.map(({ id }) => id));
  if (!ids.has(plain)) return plain;
  let number = 2;
  while (ids.has(`${plain}${number}`)) number += 1;
  return `${plain}${number}`;
}

export function Collectors({ collectors, kinds, schemas, find, onChange }: CollectorsProps) {
  const first = kinds[0];
  if (first === undefined && collectors.length === 0) return null;
  const put = (at: number, change: Partial<CollectorDraft>) =>
    onChange(collectors.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <FieldGroup
      label={words.collectors}
      hint={words.collectorsHint}
      error={collectors.length === 0 ? find("collectors") : undefined}
    >
      {collectors.map((collector, at) => (
        <CollectorFields
          key={collector.key}
          collector={collector}
          at={at}
          kinds={kinds}
          schemas={schemas}
          find={find}
          onChange={(change) => put(at, change)}
          onRemove={() => onChange(collectors.filter((_, index) => index !== at))}
        />
      ))}
      {first !== undefined && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onClick={() =>
              onChange([
                ...collectors,
                {
                  key: newKey(),
                  id: freeId(first.kind, collectors),
                  kind: first.kind,
                  config: {},
                  shown: null,
                },
              ])
            }
          >
            {words.addCollector}
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}

interface CollectorFieldsProps {
  collector: CollectorDraft;
  at: number;
  kinds: readonly Capability[];
  schemas: Schemas;
  find: Find;
  onChange: (change: Partial<CollectorDraft>) => void;
  onRemove: () => void;
}

function CollectorFields({
  collector,
  at,
  kinds,
  schemas,
  find,
  onChange,
  onRemove,
}: CollectorFieldsProps) {
  const schema = schemas[collector.kind];
  const shown = layOut(collector, schemas);
  return (
    <section
      aria-label={words.collector(at + 1)}
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <Field label={words.collectorKind} error={find(`collectors.${at}.kind`)}>
          {(control) => (
            <Select
              {...control}
              value={collector.kind}
              choices={kinds.map(({ kind, title }) => ({ value: kind, label: title }))}
              onChange={(kind) => onChange({ kind, config: {}, shown: null })}
            />
          )}
        </Field>
        <div className="max-sm:order-3 max-sm:col-span-2">
          <Field label={words.collectorId} error={find(`collectors.${at}.id`)}>
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                value={collector.id}
                onChange={(event) => onChange({ id: event.target.value })}
              />
            )}
          </Field>
        </div>
        <div className="pt-6">
          <IconButton
            label={words.removeCollector(collector.id)}
            icon={Trash2}
            tone="danger"
            onClick={onRemove}
          />
        </div>
      </div>
      {schema && (
        <SchemaFields
          fields={fieldsOf(schema.configSchema)}
          shown={shown}
          path={`collectors.${at}.config`}
          find={find}
          onChange={(name, value) => onChange({ shown: { ...shown, [name]: value } })}
        />
      )}
    </section>
  );
}
