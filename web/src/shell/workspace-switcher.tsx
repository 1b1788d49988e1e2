/** Choosing the workspace that lists and new entries are about. */

import { ChevronsUpDown, Layers } from "lucide-react";
import { useMe, useWorkspace } from "../session/me";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { classes } from "../ui/classes";
import { Menu, MenuRadio } from "../ui/menu";

const ALL = "all";

function AllIcon() {
  return (
    <span className="inline-flex size-5 shrink-0 items-center justify-center rounded-md bg-pressed text-muted">
      <Layers size={12} aria-hidden="true" />
    </span>
  );
}

interface WorkspaceSwitcherProps {
  collapsed?: boolean;
}

export function WorkspaceSwitcher({ collapsed = false }: WorkspaceSwitcherProps) {
  const { workspaces, tenant } = useMe();
  const { workspace, choose } = useWorkspace();
  const name = workspace?.name ?? texts.shell.allWorkspaces;
  const options = [
    { value: ALL, label: texts.shell.allWorkspaces, icon: <AllIcon /> },
    ...workspaces.map((entry) => ({
      value: entry.id,
      label: entry.name,
      icon: <Avatar name={entry.name} size="small" shape="square" />,
    })),
  ];
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className={classes(
            "flex h-9 shrink-0 items-center gap-2.5 rounded-lg border border-line bg-raised shadow-soft transition-colors hover:border-line-strong pointer-coarse:h-11",
            collapsed ? "justify-center" : "px-2",
          )}
        >
          {workspace === null ? (
            <AllIcon />
          ) : (
            <Avatar name={workspace.name} size="small" shape="square" />
          )}
          <span className="sr-only">{texts.shell.workspace}</span>
          {collapsed ? (
            <span className="sr-only">{name}</span>
          ) : (
            <>
              <span className="min-w-0 flex-1 truncate text-left font-medium">{name}</span>
              <ChevronsUpDown size={14} aria-hidden="true" className="text-faint" />
            </>
          )}
        </button>
      }
    >
      <MenuRadio
        label={tenant.name}
        value={workspace?.id ?? ALL}
        options={options}
        onChange={(value) => choose(value === ALL ? null : value)}
      />
    </Menu>
  );
}
