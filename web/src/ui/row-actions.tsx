/** Edit and delete at the end of a row, when the person may. */

import { Pencil, Trash2 } from "lucide-react";
import { IconButton } from "./button";

interface RowActionsProps {
  editLabel: string;
  deleteLabel: string;
  onEdit: () => void;
  onDelete: () => void;
}

export function RowActions({ editLabel, deleteLabel, onEdit, onDelete }: RowActionsProps) {
  return (
    <span className="relative z-10 inline-flex gap-0.5">
      <IconButton label={editLabel} icon={Pencil} onClick={onEdit} />
      <IconButton label={deleteLabel} icon={Trash2} tone="danger" onClick={onDelete} />
    </span>
  );
}
