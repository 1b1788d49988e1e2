/** Giving a team or a person access to one resource. */

import { useQuery } from "@tanstack/react-query";
import { GRANTS, putGrant } from "../../api/grants";
import { teamsQuery, usersQuery } from "../../api/people";
import type { GrantLevel, SubjectKind } from "../../api/types";
import { Form, FormMessage } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { invalidOf } from "../../forms/validate";
import { useMayEverywhere, useMe } from "../../session/me";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { PickOne } from "../../ui/picker";
import { type Choice, Select } from "../../ui/select";
import { SaveFooter } from "./fields";

const words = texts.catalog.access;

const LEVELS: readonly GrantLevel[] = ["own", "manage", "read"];

interface GrantDialogProps {
  name: string;
  resource: { resourceKind: string; resourceId: string };
  onClose: () => void;
}

export function GrantDialog({ name, resource, onClose }: GrantDialogProps) {
  const put = useAct({ run: putGrant, touches: [GRANTS], says: () => words.saved });
  return (
    <Dialog open onClose={onClose} title={words.addTitle(name)}>
      <GrantForm
        subjects={useSubjects()}
        onCancel={onClose}
        onSubmit={async (subject, level) => {
          await put({ ...resource, subject, level });
          onClose();
        }}
      />
    </Dialog>
  );
}

/** Everybody the person may see; without a rule for that, themselves and their teams. */
function useSubjects(): Choice[] {
  const me = useMe();
  const teams = useQuery({ ...teamsQuery, enabled: useMayEverywhere("identity.team.read") });
  const users = useQuery({ ...usersQuery, enabled: useMayEverywhere("identity.user.read") });
  return [
    ...(teams.data ?? me.teams).map(({ id, name }) => ({
      value: `team:${id}`,
      label: name,
      hint: words.kinds.team,
    })),
    ...(users.data ?? [me]).map(({ id, name, email }) => ({
      value: `user:${id}`,
      label: name,
      hint: email,
    })),
  ];
}

interface Subject {
  kind: SubjectKind;
  id: string;
}

function parseSubject(value: string): Subject {
  const [kind, id = ""] = value.split(":");
  return { kind: kind === "team" ? "team" : "user", id };
}

interface GrantFormProps {
  subjects: Choice[];
  onCancel: () => void;
  onSubmit: (subject: Subject, level: GrantLevel) => Promise<void>;
}

function GrantForm({ subjects, onCancel, onSubmit }: GrantFormProps) {
  const form = useForm<{ subject: string; level: GrantLevel }>({
    initial: { subject: "", level: "own" },
    validate: ({ subject }) =>
      invalidOf({ subject: subject === "" ? texts.forms.required : undefined }),
    submit: ({ subject, level }) => onSubmit(parseSubject(subject), level),
  });
  return (
    <Form form={form} label={words.add}>
      <DialogBody>
        <FormMessage form={form} />
        <Field label={words.who} error={form.errors.fields.subject}>
          {(control) => (
            <PickOne
              {...control}
              value={form.values.subject}
              choices={subjects}
              placeholder={words.find}
              onChange={(subject) => form.set("subject", subject ?? "")}
            />
          )}
        </Field>
        <Field label={words.level} error={form.errors.fields.level}>
          {(control) => (
            <Select
              {...control}
              value={form.values.level}
              choices={LEVELS.map((value) => ({
                value,
                label: words.levels[value],
                hint: words.levelHints[value],
              }))}
              onChange={(level) => form.set("level", level)}
            />
          )}
        </Field>
      </DialogBody>
      <SaveFooter action={words.add} busy={form.busy} onCancel={onCancel} />
    </Form>
  );
}
