/** Creating a system, and editing one. */

import { useQueryClient } from "@tanstack/react-query";
import type { Named, System, SystemDraft } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Dialog } from "../../ui/dialog";
import { addSystem, changeSystem, systemQuery } from "./requests";
import { EditSystemForm, NewSystemForm } from "./system-form";
import { choicesOf, useEnvironments, useGroups } from "./use-directory";

interface NewSystemProps {
  placement: { options: Named[]; initial: string };
  onClose: () => void;
  onCreated: (system: System) => void;
}

export function NewSystem({ placement, onClose, onCreated }: NewSystemProps) {
  const groups = useGroups(null);
  const environments = useEnvironments(null);
  const add = useAct({
    run: addSystem,
    touches: [["catalog"]],
    says: ({ name }) => texts.catalog.added(name),
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.systems.new}>
      <NewSystemForm
        placement={placement}
        groups={groups}
        environments={environments}
        onCancel={onClose}
        onSubmit={async (draft) => {
          const created = await add(draft);
          onClose();
          onCreated(created);
        }}
      />
    </Dialog>
  );
}

function draftOf({ name, description, groupIds, environmentIds }: System): SystemDraft {
  return { name, description, groupIds, environmentIds };
}

interface EditSystemProps {
  system: System;
  onClose: () => void;
}

export function EditSystem({ system, onClose }: EditSystemProps) {
  const client = useQueryClient();
  const groups = useGroups(system.workspaceId);
  const environments = useEnvironments(system.workspaceId);
  const save = useAct({
    run: (draft: SystemDraft, version: number) => changeSystem(system.id, draft, version),
    touches: [["catalog"]],
    says: ({ name }) => texts.catalog.saved(name),
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.systems.editTitle(system.name)}>
      <EditSystemForm
        loaded={{ values: draftOf(system), version: system.version }}
        groups={choicesOf(groups)}
        environments={choicesOf(environments)}
        reload={async () => {
          const newest = await client.fetchQuery({ ...systemQuery(system.id), staleTime: 0 });
          return { values: draftOf(newest), version: newest.version };
        }}
        onCancel={onClose}
        onSubmit={async (draft, version) => {
          await save(draft, version);
          onClose();
        }}
      />
    </Dialog>
  );
}
