/** Whether there is room for the dock beside a page; else it lies above it as a sheet. */

import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 75rem)";

export function useWide(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = window.matchMedia?.(WIDE);
      media?.addEventListener("change", notify);
      return () => media?.removeEventListener("change", notify);
    },
    () => window.matchMedia?.(WIDE).matches ?? true,
  );
}
