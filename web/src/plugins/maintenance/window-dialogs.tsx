/** Scheduling a maintenance window, and editing one. */

import { useQueryClient } from "@tanstack/react-query";
import type { MaintenanceWindow, Named, WindowChange, WindowDraft } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Dialog } from "../../ui/dialog";
import { useSystems } from "../catalog/use-directory";
import { movedFrom, toLocal } from "../timeline/moments";
import { addWindow, changeWindow, WINDOWS, windowQuery } from "./requests";
import { EditWindowForm, NewWindowForm, type WindowValues } from "./window-form";

const words = texts.maintenance;

interface NewWindowProps {
  placement: { options: Named[]; initial: string };
  onClose: () => void;
  onCreated: (window: MaintenanceWindow) => void;
}

export function NewWindow({ placement, onClose, onCreated }: NewWindowProps) {
  const systems = useSystems(null);
  const add = useAct({
    run: (draft: WindowDraft) => addWindow(draft),
    touches: [WINDOWS.key],
    says: ({ title }) => words.added(title),
  });
  return (
    <Dialog open onClose={onClose} title={words.new}>
      <NewWindowForm
        placement={placement}
        systems={systems}
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

function valuesOf(window: MaintenanceWindow): WindowValues {
  const { title, description, systemIds } = window;
  const span = { startsAt: toLocal(window.startsAt), endsAt: toLocal(window.endsAt) };
  return { title, description, systemIds, ...span, notify: false };
}

/** Only the ends that were moved: the control knows minutes, the window may know seconds. */
function changeOf(loaded: MaintenanceWindow, values: WindowValues): WindowChange {
  const startsAt = movedFrom(loaded.startsAt, values.startsAt) ?? null;
  const endsAt = movedFrom(loaded.endsAt, values.endsAt) ?? null;
  return { ...values, startsAt, endsAt };
}

interface EditWindowProps {
  window: MaintenanceWindow;
  onClose: () => void;
}

export function EditWindow({ window, onClose }: EditWindowProps) {
  const client = useQueryClient();
  const systems = useSystems(window.workspaceId);
  const save = useAct({
    run: (values: WindowValues, expectedVersion: number) =>
      changeWindow(window.id, { ...changeOf(window, values), expectedVersion }),
    touches: [WINDOWS.key],
    says: ({ title }) => texts.catalog.saved(title),
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.systems.editTitle(window.title)}>
      <EditWindowForm
        window={window}
        loaded={{ values: valuesOf(window), version: window.version }}
        systems={systems}
        reload={async () => {
          const newest = await client.fetchQuery({ ...windowQuery(window.id), staleTime: 0 });
          return { values: valuesOf(newest), version: newest.version };
        }}
        onCancel={onClose}
        onSubmit={async (values, version) => {
          await save(values, version);
          onClose();
        }}
      />
    </Dialog>
  );
}
