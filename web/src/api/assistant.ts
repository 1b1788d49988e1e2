/** Requests about what a chat may choose (agents, models), and how admins set that up. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "./client";
import type {
  AgentChange,
  AgentDraft,
  DestinationDraft,
  IntegrationChange,
  IntegrationDraft,
} from "./types";

export const INTEGRATIONS = ["integrations"] as const;
export const AGENTS = ["agents"] as const;
export const DESTINATIONS = ["destinations"] as const;

const CHOICES_MS = 60_000;

export const integrationChoicesQuery = queryOptions({
  queryKey: [...INTEGRATIONS, "choices"],
  queryFn: async ({ signal }) => take(await api.GET("/api/integrations", { signal })).items,
  staleTime: CHOICES_MS,
});

export const agentChoicesQuery = queryOptions({
  queryKey: [...AGENTS, "choices"],
  queryFn: async ({ signal }) => take(await api.GET("/api/agents", { signal })).items,
  staleTime: CHOICES_MS,
});

export const integrationsQuery = queryOptions({
  queryKey: [...INTEGRATIONS, "all"],
  queryFn: async ({ signal }) => take(await api.GET("/api/admin/integrations", { signal })).items,
});

export const agentsQuery = queryOptions({
  queryKey: [...AGENTS, "all"],
  queryFn: async ({ signal }) => take(await api.GET("/api/admin/agents", { signal })).items,
});

export const destinationsQuery = queryOptions({
  queryKey: DESTINATIONS,
  queryFn: async ({ signal }) => take(await api.GET("/api/admin/destinations", { signal })).items,
});

export const toolsQuery = queryOptions({
  queryKey: ["tools"],
  queryFn: async ({ signal }) => take(await api.GET("/api/tools", { signal })).items,
  staleTime: CHOICES_MS,
});

export async function addIntegration(body: IntegrationDraft) {
  return take(await api.POST("/api/admin/integrations", { body }));
}

export async function changeIntegration(id: string, body: IntegrationChange) {
  return take(
    await api.PATCH("/api/admin/integrations/{integrationId}", {
      params: { path: { integrationId: id } },
      body,
    }),
  );
}

export async function deleteIntegration(id: string) {
  take(
    await api.DELETE("/api/admin/integrations/{integrationId}", {
      params: { path: { integrationId: id } },
    }),
  );
}

export async function testIntegration(id: string) {
  return take(
    await api.POST("/api/admin/integrations/{integrationId}/test", {
      params: { path: { integrationId: id } },
    }),
  );
}

export async function addAgent(body: AgentDraft) {
  return take(await api.POST("/api/admin/agents", { body }));
}

export async function changeAgent(id: string, body: AgentChange) {
  return take(
    await api.PATCH("/api/admin/agents/{agentId}", { params: { path: { agentId: id } }, body }),
  );
}

export async function deleteAgent(id: string) {
  take(await api.DELETE("/api/admin/agents/{agentId}", { params: { path: { agentId: id } } }));
}

export async function allowDestination(body: DestinationDraft) {
  return take(await api.POST("/api/admin/destinations", { body }));
}

export async function forbidDestination(id: string) {
  take(
    await api.DELETE("/api/admin/destinations/{destinationId}", {
      params: { path: { destinationId: id } },
    }),
  );
}
