/** The first cell of a row: the name as a link over the whole row, and what it is about. */

import { Link } from "react-router";

interface EntryNameProps {
  to: string;
  name: string;
  description: string;
  /** Said only when entries of several workspaces are listed together. */
  workspace: string | null;
}

export function EntryName({ to, name, description, workspace }: EntryNameProps) {
  return (
    <div className="min-w-0">
      <p className="flex items-baseline gap-2">
        <Link
          to={to}
          className="truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {name}
        </Link>
        {workspace !== null && (
          <span className="shrink-0 text-xs text-faint max-sm:hidden">{workspace}</span>
        )}
      </p>
      {description !== "" && <p className="truncate text-[0.8125rem] text-muted">{description}</p>}
    </div>
  );
}
