/** Requests of the objectives. */

import { api, given, take } from "../../api/client";
import { pagedQuery } from "../../api/paging";

export const OBJECTIVES = ["slo", "objectives"] as const;

interface Search {
  workspaceId: string | null;
  q: string;
}

export const objectivesPaged = (search: Search) =>
  pagedQuery([...OBJECTIVES, search], async (paging) =>
    take(
      await api.GET("/api/p/slo/objectives", {
        params: { query: { ...paging, ...given(search) } },
      }),
    ),
  );

export async function readObjective(id: string) {
  return take(
    await api.GET("/api/p/slo/objectives/{objectiveId}", {
      params: { path: { objectiveId: id } },
    }),
  );
}

interface NewObjective {
  name: string;
  description: string;
  systemId?: string;
  checkId?: string;
  target: number;
  windowDays: number;
}

export async function addObjective(body: NewObjective) {
  return take(await api.POST("/api/p/slo/objectives", { body }));
}

type Change = Pick<NewObjective, "name" | "description" | "target" | "windowDays">;

export async function changeObjective(id: string, change: Change, expectedVersion: number) {
  return take(
    await api.PATCH("/api/p/slo/objectives/{objectiveId}", {
      params: { path: { objectiveId: id } },
      body: { ...change, expectedVersion },
    }),
  );
}

export async function deleteObjective(id: string) {
  return take(
    await api.DELETE("/api/p/slo/objectives/{objectiveId}", {
      params: { path: { objectiveId: id } },
    }),
  );
}
