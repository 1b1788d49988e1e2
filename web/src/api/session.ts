/** Requests about the signed-in person: signing in, profile, sessions. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "./client";

export const ME = ["me"] as const;
export const SESSIONS = ["sessions"] as const;

export const meQuery = queryOptions({
  queryKey: ME,
  queryFn: async ({ signal }) => take(await api.GET("/api/me", { signal })),
  staleTime: 60_000,
});

export const methodsQuery = queryOptions({
  queryKey: ["auth", "methods"],
  queryFn: async ({ signal }) => take(await api.GET("/api/auth/methods", { signal })),
});

export const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: async ({ signal }) => take(await api.GET("/api/sessions", { signal })).items,
});

export async function signIn(body: { email: string; password: string }) {
  return take(await api.POST("/api/auth/login", { body }));
}

export async function resetPassword(body: { token: string; password: string }) {
  return take(await api.POST("/api/auth/reset", { body }));
}

export async function signOut() {
  return take(await api.POST("/api/auth/logout"));
}

export async function renameMe(body: { name: string }) {
  return take(await api.PATCH("/api/me", { body }));
}

export async function changePassword(body: {
  currentPassword: string | null;
  newPassword: string;
}) {
  return take(await api.PUT("/api/me/password", { body }));
}

export async function endSession(id: string) {
  return take(
    await api.DELETE("/api/sessions/{sessionId}", { params: { path: { sessionId: id } } }),
  );
}

export async function endOtherSessions() {
  return take(await api.POST("/api/sessions/revoke-others"));
}
