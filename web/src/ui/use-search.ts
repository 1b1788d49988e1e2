/** The search of a list: typed at once, asked for when the typing pauses, kept in the address. */

import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";

const PAUSE_MS = 250;

export interface Search {
  typed: string;
  settled: string;
  type: (text: string) => void;
}

export function useSearch(): Search {
  const [parameters, setParameters] = useSearchParams();
  const settled = parameters.get("q") ?? "";
  const [typed, setTyped] = useState(settled);
  useEffect(() => {
    if (typed.trim() === settled) return;
    const timer = setTimeout(() => {
      setParameters(
        (current) => {
          if (typed.trim() === "") current.delete("q");
          else current.set("q", typed.trim());
          return current;
        },
        { replace: true },
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, settled, setParameters]);
  return { typed, settled, type: setTyped };
}
