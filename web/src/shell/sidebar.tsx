/** The sidebar of wide screens; collapsed, only its icons stay. */

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { Link } from "react-router";
import { ConversationList } from "../chat/conversation-list";
import { NewChatLink } from "../chat/new-chat-link";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import { Mark } from "../ui/logo";
import type { Navigation } from "./navigation";
import { NavigationList } from "./navigation-list";
import { UserMenu } from "./user-menu";
import { WorkspaceSwitcher } from "./workspace-switcher";

interface SidebarProps {
  navigation: Navigation;
  collapsed: boolean;
  onToggle: () => void;
  onHelp: () => void;
}

export function Sidebar({ navigation, collapsed, onToggle, onHelp }: SidebarProps) {
  return (
    <header
      className={classes(
        "hidden shrink-0 flex-col gap-4 py-3 transition-[width] duration-200 ease-calm md:flex",
        collapsed ? "w-14 px-2" : "w-60 px-3",
      )}
    >
      <div className={classes("flex items-center", collapsed ? "flex-col gap-2" : "h-8 pl-1.5")}>
        <Link to="/" className="flex min-w-0 items-center gap-2.5 rounded-md">
          <Mark size={24} />
          <span className={collapsed ? "sr-only" : "text-[0.9375rem] font-semibold tracking-tight"}>
            {texts.product}
          </span>
        </Link>
        <IconButton
          label={collapsed ? texts.shell.expand : texts.shell.collapse}
          icon={collapsed ? PanelLeftOpen : PanelLeftClose}
          aria-expanded={!collapsed}
          onClick={onToggle}
          className={collapsed ? undefined : "ml-auto"}
        />
      </div>
      <WorkspaceSwitcher collapsed={collapsed} />
      <NewChatLink collapsed={collapsed} />
      <NavigationList navigation={navigation} collapsed={collapsed}>
        {!collapsed && <ConversationList />}
      </NavigationList>
      <UserMenu collapsed={collapsed} onHelp={onHelp} />
    </header>
  );
}
