/** The sidebar of a phone, above the page. It closes when one goes somewhere, and stays when the
 * page beneath only finds its own address. */

import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { ConversationList } from "../chat/conversation-list";
import { NewChatLink } from "../chat/new-chat-link";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { Mark } from "../ui/logo";
import type { Navigation } from "./navigation";
import { NavigationList } from "./navigation-list";
import { UserMenu } from "./user-menu";
import { WorkspaceSwitcher } from "./workspace-switcher";

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  navigation: Navigation;
  onHelp: () => void;
}

export function Drawer({ open, onClose, navigation, onHelp }: DrawerProps) {
  const { pathname } = useLocation();
  const went = useNavigationType() !== NavigationType.Replace;
  const openedAt = useRef(pathname);
  useEffect(() => {
    if (openedAt.current === pathname) return;
    openedAt.current = pathname;
    if (went) onClose();
  }, [pathname, went, onClose]);

  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0 md:hidden" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col gap-3 bg-canvas p-3 shadow-float transition-transform duration-250 ease-calm data-ending-style:-translate-x-full data-starting-style:-translate-x-full md:hidden">
          <div className="flex h-8 items-center gap-2.5 pl-1.5">
            <Mark size={24} />
            <Dialog.Title className="text-[0.9375rem] font-semibold tracking-tight">
              {texts.product}
            </Dialog.Title>
            <Dialog.Close
              render={<IconButton label={texts.shell.closeMenu} icon={X} className="ml-auto" />}
            />
          </div>
          <WorkspaceSwitcher />
          <NewChatLink />
          <NavigationList navigation={navigation}>
            <ConversationList />
          </NavigationList>
          <UserMenu onHelp={onHelp} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
