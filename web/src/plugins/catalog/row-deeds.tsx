/** Edit and delete of a catalog entry, when the person may. */

import { texts } from "../../texts";
import { RowActions } from "../../ui/row-actions";

interface RowDeedsProps {
  name: string;
  onEdit: () => void;
  onDelete: () => void;
}

export function RowDeeds({ name, onEdit, onDelete }: RowDeedsProps) {
  return (
    <RowActions
      editLabel={texts.catalog.systems.editTitle(name)}
      deleteLabel={texts.actions.deleteNamed(name)}
      onEdit={onEdit}
      onDelete={onDelete}
    />
  );
}
