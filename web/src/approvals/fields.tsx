/** The fields of an approval rule. Knows nothing of requests. */

import type { Role, Tool, User } from "../api/types";
import { TextField } from "../forms/form";
import type { FormState } from "../forms/use-form";
import { texts } from "../texts";
import { Field } from "../ui/field";
import { PickMany, PickOne } from "../ui/picker";
import { type Choice, Select } from "../ui/select";
import { Tick } from "../ui/tick";
import { ConditionFields } from "./condition-fields";
import type { ApprovalValues } from "./draft";

const words = texts.approvals;

/** What a rule can speak of. */
export interface Offer {
  tools: readonly Tool[];
  roles: readonly Role[];
  people: readonly User[];
}

export interface FieldsProps {
  form: FormState<ApprovalValues>;
  offer: Offer;
}

const ANY_EFFECT = "any";
const EFFECTS: Choice[] = [
  { value: ANY_EFFECT, label: words.anyEffect },
  { value: "mutate", label: words.effects.mutate },
  { value: "destructive", label: words.effects.destructive },
];
const WHOMS: Choice[] = [
  { value: "named", label: words.whoms.named },
  { value: "anyone", label: words.whoms.anyone },
];

/** Everything, each namespace, each tool that changes something; one that is gone stays shown. */
export function toolChoices(tools: readonly Tool[], chosen: string): Choice[] {
  const changing = tools.filter(({ effect, egress }) => effect !== "read" || egress);
  const namespaces = [...new Set(changing.map(({ name }) => name.split(".")[0] ?? ""))];
  const known = [
    { value: "*", label: words.everyTool, hint: "*" },
    ...namespaces.map((one) => ({
      value: `${one}.*`,
      label: words.namespace(one),
      hint: `${one}.*`,
    })),
    ...changing.map(({ name, title }) => ({ value: name, label: title, hint: name })),
  ];
  const gone = chosen !== "" && !known.some(({ value }) => value === chosen);
  return gone ? [...known, { value: chosen, label: chosen, hint: words.unknownTool }] : known;
}

export function ApprovalFields({ form, offer }: FieldsProps) {
  const { values, errors } = form;
  return (
    <>
      <TextField form={form} name="title" label={words.fieldTitle} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={words.tool} error={errors.fields.tool}>
          {(control) => (
            <PickOne
              {...control}
              value={values.tool || null}
              choices={toolChoices(offer.tools, values.tool)}
              onChange={(tool) => form.set("tool", tool ?? "")}
              placeholder={words.findTool}
            />
          )}
        </Field>
        <Field label={words.effect} error={errors.fields.effect}>
          {(control) => (
            <Select
              {...control}
              value={values.effect || ANY_EFFECT}
              choices={EFFECTS}
              onChange={(effect) =>
                form.set(
                  "effect",
                  effect === ANY_EFFECT ? "" : (effect as ApprovalValues["effect"]),
                )
              }
            />
          )}
        </Field>
      </div>
      <ConditionFields form={form} />
      <WhomFields form={form} offer={offer} />
      <TextField
        form={form}
        name="note"
        kind="area"
        rows={2}
        label={words.note}
        hint={words.noteHint}
        optional
      />
    </>
  );
}

function WhomFields({ form, offer }: FieldsProps) {
  const { values } = form;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={words.whom}>
          {(control) => (
            <Select
              {...control}
              value={values.whom}
              choices={WHOMS}
              onChange={(whom) => form.set("whom", whom as ApprovalValues["whom"])}
            />
          )}
        </Field>
        <TextField form={form} name="needed" label={words.needed} hint={words.neededHint} />
      </div>
      {values.whom === "named" && <NamedFields form={form} offer={offer} />}
      <Tick
        checked={values.notProposer}
        onChange={(on) => form.set("notProposer", on)}
        className="-mx-3 rounded-lg"
      >
        <span className="min-w-0 flex-1">
          <span className="block">{words.notProposer}</span>
          <span className="block text-xs text-muted">{words.notProposerHint}</span>
        </span>
      </Tick>
    </>
  );
}

function NamedFields({ form, offer }: FieldsProps) {
  const { values, errors } = form;
  const people = offer.people
    .filter(({ active, id }) => active || values.userIds.includes(id))
    .map(({ id, name, email }) => ({ value: id, label: name, hint: email }));
  return (
    <>
      <Field label={words.roles} hint={words.rolesHint} error={errors.fields.roleIds}>
        {(control) => (
          <PickMany
            {...control}
            values={values.roleIds}
            choices={offer.roles.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(ids) => form.set("roleIds", ids)}
            placeholder={words.findRoles}
          />
        )}
      </Field>
      <Field label={words.people} error={errors.fields.userIds}>
        {(control) => (
          <PickMany
            {...control}
            values={values.userIds}
            choices={people}
            onChange={(ids) => form.set("userIds", ids)}
            placeholder={words.findPeople}
          />
        )}
      </Field>
    </>
  );
}
