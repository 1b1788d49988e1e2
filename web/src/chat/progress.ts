/** How far tools have come, by the id of their call: known only while the page is open. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { ProgressData } from "./message";

/** Anything of our own that the stream says beside the message. */
interface Told {
  type: string;
  id?: string;
  data: unknown;
}

export type OnProgress = (told: Told) => void;

function isProgress(data: unknown): data is ProgressData {
  return typeof (data as Partial<ProgressData> | null)?.done === "number";
}

const keyOf = (callId: string) => ["progress", callId] as const;

export function useKeepProgress(): OnProgress {
  const client = useQueryClient();
  return useCallback(
    ({ type, id, data }) => {
      if (type === "data-progress" && id !== undefined && isProgress(data)) {
        client.setQueryData(keyOf(id), data);
      }
    },
    [client],
  );
}

export function useProgress(callId: string): ProgressData | null {
  const { data } = useQuery<ProgressData>({ queryKey: keyOf(callId), enabled: false });
  return data ?? null;
}

/** In percent, where it is known how much there is to do. Pure. */
export function shareOf({ done, total }: ProgressData): number | null {
  return total === undefined || total === 0 ? null : Math.min(100, (100 * done) / total);
}
