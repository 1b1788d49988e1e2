/** Requests about maintenance windows. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "../../api/client";
import { pagedQuery } from "../../api/paging";
import type { WindowChange, WindowDraft, WindowFilter, WindowSaid } from "../../api/types";
import type { Said, TimelineRequests } from "../timeline/requests";

const KEY = ["maintenance"] as const;

export const windowsPaged = (filter: WindowFilter) =>
  pagedQuery([...KEY, "list", filter], async (paging) =>
    take(
      await api.GET("/api/p/maintenance/windows", {
        params: { query: { ...paging, ...given(filter) } },
      }),
    ),
  );

export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/maintenance/windows/{windowId}", {
          params: { path: { windowId: id } },
          signal,
        }),
      ),
  });

export async function addWindow(body: WindowDraft) {
  return take(await api.POST("/api/p/maintenance/windows", { body }));
}

export async function changeWindow(id: string, body: WindowChange) {
  return take(
    await api.PATCH("/api/p/maintenance/windows/{windowId}", {
      params: { path: { windowId: id } },
      body,
    }),
  );
}

export async function addWindowUpdate(id: string, body: WindowSaid) {
  return take(
    await api.POST("/api/p/maintenance/windows/{windowId}/updates", {
      params: { path: { windowId: id } },
      body,
    }),
  );
}

export async function closeWindow(id: string, body: Said) {
  return take(
    await api.POST("/api/p/maintenance/windows/{windowId}/close", {
      params: { path: { windowId: id } },
      body,
    }),
  );
}

export const WINDOWS: TimelineRequests = {
  key: KEY,
  resource: "maintenance.window",
  path: "/p/maintenance/windows",
  deleteUpdate: async (windowId, updateId) =>
    take(
      await api.DELETE("/api/p/maintenance/windows/{windowId}/updates/{updateId}", {
        params: { path: { windowId, updateId } },
      }),
    ),
  addLink: async (windowId, body) =>
    take(
      await api.POST("/api/p/maintenance/windows/{windowId}/links", {
        params: { path: { windowId } },
        body,
      }),
    ),
  removeLink: async (windowId, linkId) =>
    take(
      await api.DELETE("/api/p/maintenance/windows/{windowId}/links/{linkId}", {
        params: { path: { windowId, linkId } },
      }),
    ),
  deleteSubject: async (windowId) =>
    take(
      await api.DELETE("/api/p/maintenance/windows/{windowId}", {
        params: { path: { windowId } },
      }),
    ),
  readAddress: async (workspaceId, signal) =>
    take(
      await api.GET("/api/p/maintenance/addresses/{workspaceId}", {
        params: { path: { workspaceId } },
        signal,
      }),
    ).url,
  setAddress: async (workspaceId, url) =>
    take(
      await api.PUT("/api/p/maintenance/addresses/{workspaceId}", {
        params: { path: { workspaceId } },
        body: { url },
      }),
    ),
};
