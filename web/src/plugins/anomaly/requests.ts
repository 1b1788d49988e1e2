/** Requests of the anomalies. */

import { api, given, take } from "../../api/client";
import { pagedQuery } from "../../api/paging";

export const ANOMALIES = ["anomaly", "anomalies"] as const;
const REFRESH_MS = 10_000;

interface Filter {
  workspaceId: string | null;
  open: boolean | null;
}

export const anomaliesPaged = (filter: Filter) => ({
  ...pagedQuery([...ANOMALIES, filter], async (paging) =>
    take(
      await api.GET("/api/p/anomaly/anomalies", {
        params: { query: { ...paging, ...given(filter) } },
      }),
    ),
  ),
  refetchInterval: REFRESH_MS,
});

export async function readAnomaly(id: string) {
  return take(
    await api.GET("/api/p/anomaly/anomalies/{anomalyId}", {
      params: { path: { anomalyId: id } },
    }),
  );
}

export async function acknowledgeAnomaly(id: string, note: string, expectedVersion: number) {
  return take(
    await api.POST("/api/p/anomaly/anomalies/{anomalyId}/acknowledge", {
      params: { path: { anomalyId: id } },
      body: { note, expectedVersion },
    }),
  );
}
