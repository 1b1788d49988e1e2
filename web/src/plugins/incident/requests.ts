/** Requests about incidents. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "../../api/client";
import { pagedQuery } from "../../api/paging";
import type { IncidentChange, IncidentDraft, IncidentFilter, IncidentSaid } from "../../api/types";
import type { Said, TimelineRequests } from "../timeline/requests";

const KEY = ["incident"] as const;

export const incidentsPaged = (filter: IncidentFilter) =>
  pagedQuery([...KEY, "list", filter], async (paging) =>
    take(
      await api.GET("/api/p/incident/incidents", {
        params: { query: { ...paging, ...given(filter) } },
      }),
    ),
  );

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/incident/incidents/{incidentId}", {
          params: { path: { incidentId: id } },
          signal,
        }),
      ),
  });

export async function addIncident(body: IncidentDraft) {
  return take(await api.POST("/api/p/incident/incidents", { body }));
}

export async function changeIncident(id: string, body: IncidentChange) {
  return take(
    await api.PATCH("/api/p/incident/incidents/{incidentId}", {
      params: { path: { incidentId: id } },
      body,
    }),
  );
}

export async function addIncidentUpdate(id: string, body: IncidentSaid) {
  return take(
    await api.POST("/api/p/incident/incidents/{incidentId}/updates", {
      params: { path: { incidentId: id } },
      body,
    }),
  );
}

export async function resolveIncident(id: string, body: Said) {
  return take(
    await api.POST("/api/p/incident/incidents/{incidentId}/resolve", {
      params: { path: { incidentId: id } },
      body,
    }),
  );
}

export const INCIDENTS: TimelineRequests = {
  key: KEY,
  resource: "incident.incident",
  path: "/p/incident/incidents",
  deleteUpdate: async (incidentId, updateId) =>
    take(
      await api.DELETE("/api/p/incident/incidents/{incidentId}/updates/{updateId}", {
        params: { path: { incidentId, updateId } },
      }),
    ),
  addLink: async (incidentId, body) =>
    take(
      await api.POST("/api/p/incident/incidents/{incidentId}/links", {
        params: { path: { incidentId } },
        body,
      }),
    ),
  removeLink: async (incidentId, linkId) =>
    take(
      await api.DELETE("/api/p/incident/incidents/{incidentId}/links/{linkId}", {
        params: { path: { incidentId, linkId } },
      }),
    ),
  deleteSubject: async (incidentId) =>
    take(
      await api.DELETE("/api/p/incident/incidents/{incidentId}", {
        params: { path: { incidentId } },
      }),
    ),
  readAddress: async (workspaceId, signal) =>
    take(
      await api.GET("/api/p/incident/addresses/{workspaceId}", {
        params: { path: { workspaceId } },
        signal,
      }),
    ).url,
  setAddress: async (workspaceId, url) =>
    take(
      await api.PUT("/api/p/incident/addresses/{workspaceId}", {
        params: { path: { workspaceId } },
        body: { url },
      }),
    ),
};
