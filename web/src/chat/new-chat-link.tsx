/** The way to a new chat, above everything else in the sidebar. */

import { SquarePen } from "lucide-react";
import { Link } from "react-router";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Tooltip } from "../ui/tooltip";
import { useChatOn } from "./credits-bar";
import { NEW_CHAT_PATH } from "./paths";

interface NewChatLinkProps {
  collapsed?: boolean;
}

export function NewChatLink({ collapsed = false }: NewChatLinkProps) {
  if (!useChatOn()) return null;
  return (
    <Tooltip label={texts.chat.new} side="right" disabled={!collapsed}>
      <Link
        to={NEW_CHAT_PATH}
        className={classes(
          "flex h-9 shrink-0 items-center gap-2.5 rounded-lg border border-line bg-raised font-medium shadow-soft transition-colors hover:border-line-strong pointer-coarse:h-10",
          collapsed ? "justify-center" : "px-2.5",
        )}
      >
        <SquarePen size={15} aria-hidden="true" className="shrink-0 text-accent" />
        <span className={collapsed ? "sr-only" : undefined}>{texts.chat.new}</span>
      </Link>
    </Tooltip>
  );
}
