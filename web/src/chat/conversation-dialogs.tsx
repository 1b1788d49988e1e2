/** Another title for a chat, and the question before it is deleted. */

import { useQueryClient } from "@tanstack/react-query";
import {
  archiveConversation,
  CONVERSATION_LIST,
  changeConversation,
  conversationKey,
} from "../api/conversations";
import type { Conversation } from "../api/types";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import type { Asking } from "./conversation-menu";
import { usePlace } from "./place";

const words = texts.chat;

interface ConversationDialogsProps {
  conversation: Conversation;
  asking: Asking;
  onClose: () => void;
}

export function ConversationDialogs({ conversation, asking, onClose }: ConversationDialogsProps) {
  const remove = useDelete(conversation.id);
  return (
    <>
      {asking === "rename" && <RenameDialog conversation={conversation} onClose={onClose} />}
      <Confirm
        open={asking === "delete"}
        onClose={onClose}
        title={words.deleteTitle(conversation.title || words.untitled)}
        body={words.deleteBody}
        action={texts.actions.delete}
        onConfirm={remove}
      />
    </>
  );
}

/** Whoever looks at it goes on with a new one. */
function useDelete(id: string) {
  const { shownId, startNew } = usePlace();
  const archive = useAct({
    run: () => archiveConversation(id),
    touches: [CONVERSATION_LIST],
    says: () => words.deleted,
  });
  return async () => {
    await archive();
    if (shownId === id) startNew();
  };
}

interface RenameDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

function RenameDialog({ conversation, onClose }: RenameDialogProps) {
  const client = useQueryClient();
  const save = useAct({
    run: (title: string) => changeConversation(conversation.id, { title }),
    touches: [CONVERSATION_LIST],
    says: () => words.renamed,
  });
  const form = useForm({
    initial: { title: conversation.title },
    validate: ({ title }) => invalidOf({ title: needed(title) }),
    submit: async ({ title }) => {
      const changed = await save(title.trim());
      client.setQueryData(conversationKey(conversation.id), (view: Conversation | undefined) =>
        view === undefined ? view : { ...view, ...changed },
      );
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.renameTitle} width="narrow">
      <Form form={form} label={words.renameTitle}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField form={form} name="title" label={words.name} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>{texts.actions.cancel}</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {words.rename}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
