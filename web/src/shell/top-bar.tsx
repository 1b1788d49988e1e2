/** The bar of a phone: opens the drawer and says where one is. */

import { Menu as MenuIcon, Stamp } from "lucide-react";
import { Link } from "react-router";
import { DockButton } from "../dock/dock-button";
import type { Dock } from "../dock/use-dock";
import { useWorkspace } from "../session/me";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { Mark } from "../ui/logo";

interface TopBarProps {
  /** How many proposals wait for this person, as shown. */
  waiting: string | null;
  onMenu: () => void;
  dock: Dock;
}

export function TopBar({ waiting, onMenu, dock }: TopBarProps) {
  const { workspace } = useWorkspace();
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2.5 border-b border-line bg-canvas px-3 md:hidden">
      <IconButton label={texts.shell.openMenu} icon={MenuIcon} onClick={onMenu} />
      <Link to="/" className="flex items-center gap-2 rounded-md font-semibold tracking-tight">
        <Mark size={22} />
        {texts.product}
      </Link>
      <span className="ml-auto max-w-40 min-w-0 truncate text-xs text-muted">
        {workspace?.name ?? texts.shell.allWorkspaces}
      </span>
      {waiting !== null && (
        <Link
          to="/proposals"
          aria-label={texts.shell.waiting(waiting)}
          className="flex h-8 shrink-0 items-center gap-1.5 rounded-full bg-accent px-2.5 text-xs font-medium text-on-accent tabular-nums"
        >
          <Stamp size={14} aria-hidden="true" />
          {waiting}
        </Link>
      )}
      {dock.offered && <DockButton dock={dock} />}
    </header>
  );
}
