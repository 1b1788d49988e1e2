/** Adding an approval rule, and changing one that others may change at the same time. */

import { APPROVALS, addApproval, approvalsQuery, changeApproval } from "../api/approvals";
import { PROPOSALS } from "../api/proposals";
import type { ApprovalRule } from "../api/types";
import { Footer } from "../assistant/integration-dialog";
import { useNewest } from "../assistant/use-newest";
import { ChangedNotice } from "../forms/changed-notice";
import { Form, FormMessage } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import { type ApprovalValues, checkApproval, draftOf, NEW_APPROVAL, valuesOf } from "./draft";
import { ApprovalFields, type Offer } from "./fields";

const words = texts.approvals;
const TOUCHES = [APPROVALS, PROPOSALS];

interface NewApprovalProps {
  offer: Offer;
  onClose: () => void;
}

export function NewApproval({ offer, onClose }: NewApprovalProps) {
  const add = useAct({
    run: addApproval,
    touches: TOUCHES,
    says: ({ title }) => words.created(title),
  });
  const form = useForm<ApprovalValues>({
    initial: NEW_APPROVAL,
    validate: checkApproval,
    submit: async (values) => {
      await add(draftOf(values));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new} width="wide">
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <ApprovalFields form={form} offer={offer} />
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface EditApprovalProps extends NewApprovalProps {
  rule: ApprovalRule;
}

export function EditApproval({ rule, offer, onClose }: EditApprovalProps) {
  const reload = useNewest(approvalsQuery, rule.id, valuesOf);
  const save = useAct({
    run: (values: ApprovalValues, version: number) =>
      changeApproval(rule.id, draftOf(values), version),
    touches: TOUCHES,
    says: ({ title }) => words.saved(title),
  });
  const { form, state, loadNewest } = useVersionedForm<ApprovalValues>({
    loaded: { values: valuesOf(rule), version: rule.version },
    validate: checkApproval,
    reload,
    save: async (values, version) => {
      await save(values, version);
      onClose();
    },
  });
  const title = words.editTitle(rule.title);
  return (
    <Dialog open onClose={onClose} title={title} width="wide">
      <Form form={form} label={title}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <ApprovalFields form={form} offer={offer} />
        </DialogBody>
        <Footer action={texts.actions.save} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
