/** Adding a document, and changing one. */

import { useQuery } from "@tanstack/react-query";
import { addDocument, changeDocument, DOCUMENTS, readDocument } from "../api/knowledge";
import type { DocumentDraft, OwnDocument } from "../api/types";
import { Footer } from "../assistant/integration-dialog";
import { ChangedNotice } from "../forms/changed-notice";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { type FormState, useForm } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import { Loaded } from "../ui/loaded";

const words = texts.knowledge.documents;
const ROWS = 14;
const NEW: DocumentDraft = { title: "", section: words.ownSection, text: "" };

const check = ({ title, section, text }: DocumentDraft) =>
  invalidOf({ title: needed(title), section: needed(section), text: needed(text) });

const versionedOf = ({ title, section, text, version }: OwnDocument) => ({
  values: { title, section, text },
  version,
});

interface NewDocumentProps {
  onClose: () => void;
}

export function NewDocument({ onClose }: NewDocumentProps) {
  const add = useAct({
    run: addDocument,
    touches: [DOCUMENTS],
    says: ({ title }) => words.saved(title),
  });
  const form = useForm<DocumentDraft>({
    initial: NEW,
    validate: check,
    submit: async (values) => {
      await add(values);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new} width="wide">
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <Texts form={form} />
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface OpenDocumentProps extends NewDocumentProps {
  documentId: string;
}

export function OpenDocument({ documentId, onClose }: OpenDocumentProps) {
  const query = useQuery({
    queryKey: [...DOCUMENTS, documentId],
    queryFn: () => readDocument(documentId),
    staleTime: 0,
    gcTime: 0,
  });
  if (query.data !== undefined) return <EditDocument document={query.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={texts.states.loading} width="wide">
      <DialogBody>
        <Loaded query={query}>{() => null}</Loaded>
      </DialogBody>
    </Dialog>
  );
}

interface EditDocumentProps extends NewDocumentProps {
  document: OwnDocument;
}

function EditDocument({ document, onClose }: EditDocumentProps) {
  const save = useAct({
    run: (values: DocumentDraft, expectedVersion: number) =>
      changeDocument(document.id, { ...values, expectedVersion }),
    touches: [DOCUMENTS],
    says: ({ title }) => words.saved(title),
  });
  const { form, state, loadNewest } = useVersionedForm<DocumentDraft>({
    loaded: versionedOf(document),
    validate: check,
    reload: async () => versionedOf(await readDocument(document.id)),
    save: async (values, version) => {
      await save(values, version);
      onClose();
    },
  });
  const title = words.editNamed(document.title);
  return (
    <Dialog open onClose={onClose} title={title} width="wide">
      <Form form={form} label={title}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <Texts form={form} />
        </DialogBody>
        <Footer action={texts.actions.save} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface TextsProps {
  form: FormState<DocumentDraft>;
}

function Texts({ form }: TextsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="title" label={words.title} />
        <TextField form={form} name="section" label={words.section} />
      </div>
      <TextField
        form={form}
        name="text"
        kind="area"
        rows={ROWS}
        label={words.text}
        hint={words.textHint}
      />
    </>
  );
}
