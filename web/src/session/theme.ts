/** Light, dark or as the system says. `public/theme.js` applies the same choice before the first paint. */

import { useCallback } from "react";
import { useStored } from "./stored";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "assent.theme";

function isTheme(value: string | null): value is Theme {
  return THEMES.some((theme) => theme === value);
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [stored, setStored] = useStored(KEY);
  const choose = useCallback(
    (theme: Theme) => {
      applyTheme(theme);
      setStored(theme === "system" ? null : theme);
    },
    [setStored],
  );
  return [isTheme(stored) ? stored : "system", choose];
}
