/** Edit and delete at the end of a row, when the person may. */

import { Pencil, Trash2 } from "lucide-react";
import { texts } from "../../texts";
import { IconButton } from "../../ui/button";

interface RowDeedsProps {
  name: string;
  onEdit: () => void;
  onDelete: () => void;
}

export function RowDeeds({ name, onEdit, onDelete }: RowDeedsProps) {
  return (
    <span className="relative z-10 inline-flex gap-0.5">
      <IconButton label={texts.catalog.systems.editTitle(name)} icon={Pencil} onClick={onEdit} />
      <IconButton
        label={texts.catalog.deleteTitle(name)}
        icon={Trash2}
        tone="danger"
        onClick={onDelete}
      />
    </span>
  );
}
