/** One incident: how bad it is, what was said about it, and how it goes on. */

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import type { IncidentDetail, IncidentStatus } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Button } from "../../ui/button";
import { deferred, Later } from "../../ui/deferred";
import { Fact } from "../../ui/facts";
import { Loaded } from "../../ui/loaded";
import { PageSkeleton } from "../../ui/page";
import { Time } from "../../ui/time";
import { pauseWhileSending, type Said } from "../timeline/requests";
import { SayDialog } from "../timeline/say-dialog";
import { SubjectPage } from "../timeline/subject-page";
import { SeverityBadge, STATUS_CHOICES, StatusBadge } from "./badges";
import { addIncidentUpdate, INCIDENTS, incidentQuery, resolveIncident } from "./requests";

const words = texts.incidents;

const EditIncident = deferred(async () => (await import("./incident-dialogs")).EditIncident);

interface IncidentPageProps {
  id: string;
}

export function IncidentPage({ id }: IncidentPageProps) {
  const query = useQuery({
    ...incidentQuery(id),
    refetchInterval: ({ state }) => pauseWhileSending(state.data?.deliveries),
  });
  return (
    <Loaded query={query} loading={<PageSkeleton />}>
      {(incident) => <IncidentView incident={incident} />}
    </Loaded>
  );
}

interface IncidentViewProps {
  incident: IncidentDetail;
}

function IncidentView({ incident }: IncidentViewProps) {
  const [doing, setDoing] = useState<"editing" | "saying" | "resolving" | null>(null);
  const stop = () => setDoing(null);
  return (
    <SubjectPage
      subject={incident}
      requests={INCIDENTS}
      listTitle={words.title}
      badges={
        <>
          <StatusBadge status={incident.status} />
          <SeverityBadge severity={incident.severity} />
        </>
      }
      facts={<Times incident={incident} />}
      deeds={
        incident.status !== "resolved" && (
          <Button variant="primary" icon={CircleCheck} onClick={() => setDoing("resolving")}>
            {words.resolve}
          </Button>
        )
      }
      showStatus={(status) => <StatusBadge status={status as IncidentStatus} />}
      onEdit={() => setDoing("editing")}
      onSay={() => setDoing("saying")}
    >
      {doing === "editing" && (
        <Later>
          <EditIncident incident={incident} onClose={stop} />
        </Later>
      )}
      {doing === "saying" && <SayMore incident={incident} onClose={stop} />}
      {doing === "resolving" && <Resolve incident={incident} onClose={stop} />}
    </SubjectPage>
  );
}

function Times({ incident }: IncidentViewProps) {
  return (
    <>
      <Fact label={words.started}>
        <Time value={incident.startedAt} />
      </Fact>
      {incident.resolvedAt !== null && (
        <Fact label={words.resolvedAt}>
          <Time value={incident.resolvedAt} />
        </Fact>
      )}
    </>
  );
}

interface DeedProps extends IncidentViewProps {
  onClose: () => void;
}

function SayMore({ incident, onClose }: DeedProps) {
  const say = useAct({
    run: ({ status, ...said }: Said & { status: string }) =>
      addIncidentUpdate(incident.id, { ...said, status: status as IncidentStatus }),
    touches: [INCIDENTS.key],
    says: () => texts.timeline.updates.added,
  });
  return (
    <SayDialog
      title={texts.timeline.updates.addTitle(incident.title)}
      action={texts.timeline.updates.add}
      subject={incident}
      requests={INCIDENTS}
      statuses={STATUS_CHOICES}
      status={incident.status}
      onClose={onClose}
      onSay={say}
    />
  );
}

function Resolve({ incident, onClose }: DeedProps) {
  const resolve = useAct({
    run: ({ text, notify }: Said) => resolveIncident(incident.id, { text, notify }),
    touches: [INCIDENTS.key],
    says: () => words.resolved(incident.title),
  });
  return (
    <SayDialog
      title={words.resolveTitle(incident.title)}
      action={words.resolve}
      subject={incident}
      requests={INCIDENTS}
      onClose={onClose}
      onSay={resolve}
    />
  );
}
