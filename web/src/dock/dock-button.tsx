/** Opens the dock. On wide screens at the right edge, where it will be; on a phone in the top bar. */

import { useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import { viewQuery } from "../api/conversations";
import { type Attention, decideAttention } from "../chat/attention";
import { Dot } from "../chat/conversation-link";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import type { Dock } from "./use-dock";

const MARK = "data-dock-button";

/** Where the keyboard goes on when the dock is gone; the button is there a moment later. */
export function focusDockButton(): void {
  setTimeout(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>(`[${MARK}]`)];
    buttons.find((button) => button.checkVisibility?.() ?? true)?.focus();
  }, 0);
}

/** What the chat asks for that was put away; what is announced keeps it up to date. */
function useAttention(chatId: string | null): Attention | null {
  const { data } = useQuery({ ...viewQuery(chatId ?? ""), enabled: false });
  return data === undefined ? null : decideAttention(data, false);
}

interface DockButtonProps {
  dock: Dock;
  className?: string;
}

export function DockButton({ dock, className }: DockButtonProps) {
  const attention = useAttention(dock.chatId);
  return (
    <span className="relative inline-flex">
      <IconButton
        {...{ [MARK]: "" }}
        label={texts.dock.open}
        icon={MessageSquareText}
        aria-keyshortcuts="Control+J Meta+J ]"
        onClick={dock.toggle}
        className={className}
      />
      {attention !== null && (
        <Dot attention={attention} className="absolute top-1 right-1 ring-2 ring-canvas" />
      )}
    </span>
  );
}
