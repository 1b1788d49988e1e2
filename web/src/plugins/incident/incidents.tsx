/** Incidents: the list, or one of them. */

import { useParams } from "react-router";
import { deferred } from "../../ui/deferred";
import { IncidentList } from "./incident-list";

const IncidentPage = deferred(async () => (await import("./incident-page")).IncidentPage);

export function IncidentsPage() {
  const { "*": id = "" } = useParams();
  return id === "" ? <IncidentList /> : <IncidentPage key={id} id={id} />;
}
