/** What one can do with a chat: give it another title, export it, or delete it. */

import { Braces, Ellipsis, FileDown, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { saveExport } from "../api/messages";
import type { Conversation } from "../api/types";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { deferred, Later } from "../ui/deferred";
import { Menu, MenuItem } from "../ui/menu";

const ConversationDialogs = deferred(
  async () => (await import("./conversation-dialogs")).ConversationDialogs,
);

export type Asking = "rename" | "delete" | null;

interface ConversationMenuProps {
  conversation: Conversation;
  className?: string;
}

export function ConversationMenu({ conversation, className }: ConversationMenuProps) {
  const [asking, setAsking] = useState<Asking>(null);
  const [needed, setNeeded] = useState(false);
  const ask = (next: Asking) => {
    setNeeded(true);
    setAsking(next);
  };
  const title = conversation.title || texts.chat.untitled;
  return (
    <>
      <Menu
        trigger={
          <IconButton label={texts.actions.more(title)} icon={Ellipsis} className={className} />
        }
      >
        <MenuItem icon={Pencil} onSelect={() => ask("rename")}>
          {texts.chat.rename}
        </MenuItem>
        <MenuItem icon={FileDown} onSelect={() => saveExport(conversation.id, "markdown")}>
          {texts.chat.exportMarkdown}
        </MenuItem>
        <MenuItem icon={Braces} onSelect={() => saveExport(conversation.id, "json")}>
          {texts.chat.exportJson}
        </MenuItem>
        <MenuItem icon={Trash2} tone="danger" onSelect={() => ask("delete")}>
          {texts.actions.delete}
        </MenuItem>
      </Menu>
      {needed && (
        <Later>
          <ConversationDialogs
            conversation={conversation}
            asking={asking}
            onClose={() => setAsking(null)}
          />
        </Later>
      )}
    </>
  );
}
