/** Opening an incident, and editing one. */

import { useQueryClient } from "@tanstack/react-query";
import type { Incident, IncidentDraft, Named } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Dialog } from "../../ui/dialog";
import { useSystems } from "../catalog/use-directory";
import { movedFrom, toLocal } from "../timeline/moments";
import { EditIncidentForm, type IncidentValues, NewIncidentForm } from "./incident-form";
import { addIncident, changeIncident, INCIDENTS, incidentQuery } from "./requests";

const words = texts.incidents;

interface NewIncidentProps {
  placement: { options: Named[]; initial: string };
  onClose: () => void;
  onCreated: (incident: Incident) => void;
}

export function NewIncident({ placement, onClose, onCreated }: NewIncidentProps) {
  const systems = useSystems(null);
  const add = useAct({
    run: (draft: IncidentDraft) => addIncident(draft),
    touches: [INCIDENTS.key],
    says: ({ title }) => words.added(title),
  });
  return (
    <Dialog open onClose={onClose} title={words.new}>
      <NewIncidentForm
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

function valuesOf(incident: Incident): IncidentValues {
  const { title, description, severity, systemIds, startedAt } = incident;
  return { title, description, severity, systemIds, startedAt: toLocal(startedAt), notify: false };
}

interface EditIncidentProps {
  incident: Incident;
  onClose: () => void;
}

export function EditIncident({ incident, onClose }: EditIncidentProps) {
  const client = useQueryClient();
  const systems = useSystems(incident.workspaceId);
  const save = useAct({
    run: ({ startedAt, ...values }: IncidentValues, expectedVersion: number) =>
      changeIncident(incident.id, {
        ...values,
        expectedVersion,
        ...startOf(incident.startedAt, startedAt),
      }),
    touches: [INCIDENTS.key],
    says: ({ title }) => texts.catalog.saved(title),
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.systems.editTitle(incident.title)}>
      <EditIncidentForm
        incident={incident}
        loaded={{ values: valuesOf(incident), version: incident.version }}
        systems={systems}
        reload={async () => {
          const newest = await client.fetchQuery({ ...incidentQuery(incident.id), staleTime: 0 });
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

function startOf(loaded: string, local: string): { startedAt?: string } {
  const startedAt = movedFrom(loaded, local);
  return startedAt === undefined ? {} : { startedAt };
}
