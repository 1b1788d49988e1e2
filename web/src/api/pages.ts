/** The plugin pages that the signed-in person may open. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "./client";

export const pagesQuery = queryOptions({
  queryKey: ["pages"],
  queryFn: async ({ signal }) => take(await api.GET("/api/pages", { signal })).items,
  staleTime: 300_000,
});
