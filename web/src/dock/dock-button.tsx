/** Opens the dock. On wide screens at the right edge, where it will be; on a phone in the top bar. */

import { MessageSquareText } from "lucide-react";
import { texts } from "../texts";
import { IconButton } from "../ui/button";

const MARK = "data-dock-button";

/** Where the keyboard goes on when the dock is gone; the button is there a moment later. */
export function focusDockButton(): void {
  setTimeout(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>(`[${MARK}]`)];
    buttons.find((button) => button.checkVisibility?.() ?? true)?.focus();
  }, 0);
}

interface DockButtonProps {
  onClick: () => void;
  className?: string;
}

export function DockButton({ onClick, className }: DockButtonProps) {
  return (
    <IconButton
      {...{ [MARK]: "" }}
      label={texts.dock.open}
      icon={MessageSquareText}
      aria-keyshortcuts="Control+J Meta+J ]"
      onClick={onClick}
      className={className}
    />
  );
}
