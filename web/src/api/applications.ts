/** Requests about applications and their keys. */

import { api, take } from "./client";
import { wholeQuery } from "./paging";

export const APPLICATIONS = ["applications"] as const;

export const applicationsQuery = wholeQuery(APPLICATIONS, async (query) =>
  take(await api.GET("/api/applications", { params: { query } })),
);

export async function createApplication(body: { name: string; rules: string[] }) {
  return take(await api.POST("/api/applications", { body }));
}

export async function deleteApplication(id: string) {
  return take(
    await api.DELETE("/api/applications/{applicationId}", {
      params: { path: { applicationId: id } },
    }),
  );
}

export async function createKey(id: string, expiresInDays: number | null) {
  return take(
    await api.POST("/api/applications/{applicationId}/keys", {
      params: { path: { applicationId: id } },
      body: { expiresInDays },
    }),
  );
}

export async function revokeKey(id: string, keyId: string) {
  return take(
    await api.DELETE("/api/applications/{applicationId}/keys/{keyId}", {
      params: { path: { applicationId: id, keyId } },
    }),
  );
}
