/** The person's own menu: theme, profile, shortcuts, signing out. */

import { useQueryClient } from "@tanstack/react-query";
import { Keyboard, LogOut, type LucideIcon, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useNavigate } from "react-router";
import { describeFailure } from "../api/failure";
import { signOut } from "../api/session";
import { useMe } from "../session/me";
import { THEMES, type Theme, useTheme } from "../session/theme";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { classes } from "../ui/classes";
import { Menu, MenuItem, MenuLink, MenuRadio, MenuSeparator } from "../ui/menu";
import { useToast } from "../ui/toast";

export const THEME_ICONS: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon };

function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const say = useToast();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      say(describeFailure(error), "failed");
      return;
    }
    await navigate("/login", { replace: true });
    client.clear();
  };
}

interface UserMenuProps {
  collapsed?: boolean;
  onHelp: () => void;
}

export function UserMenu({ collapsed = false, onHelp }: UserMenuProps) {
  const me = useMe();
  const leave = useSignOut();
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className={classes(
            "flex items-center gap-2.5 rounded-lg transition-colors hover:bg-hover data-popup-open:bg-pressed",
            collapsed ? "h-10 justify-center" : "px-2 py-1.5",
          )}
        >
          <Avatar name={me.name} />
          {collapsed ? (
            <span className="sr-only">{texts.shell.account(me.name)}</span>
          ) : (
            <span className="min-w-0 flex-1 text-left leading-tight">
              <span className="block truncate font-medium">{me.name}</span>
              <span className="block truncate text-xs text-muted">{me.email}</span>
            </span>
          )}
        </button>
      }
    >
      <ThemeChoice />
      <MenuSeparator />
      <MenuLink icon={UserRound} to="/settings/profile">
        {texts.shell.profile}
      </MenuLink>
      <MenuItem icon={Keyboard} onSelect={onHelp}>
        {texts.shell.shortcuts}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        {texts.shell.signOut}
      </MenuItem>
    </Menu>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  const options = THEMES.map((value) => {
    const Icon = THEME_ICONS[value];
    return {
      value,
      label: texts.shell.themes[value],
      icon: <Icon size={15} aria-hidden="true" className="text-muted" />,
    };
  });
  return (
    <MenuRadio label={texts.shell.theme} value={theme} options={options} onChange={setTheme} />
  );
}
