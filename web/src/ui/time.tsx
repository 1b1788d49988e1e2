/** A moment as people say it, with the exact time at hand. */

import { useEffect, useState } from "react";
import { formatAbsolute, formatExact, formatRelative } from "../time/format";

const REFRESH_MS = 30_000;

function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface TimeProps {
  value: string;
  /** To the second, for a log; how long ago is at hand instead. */
  exact?: boolean;
}

export function Time({ value, exact = false }: TimeProps) {
  const ago = formatRelative(value, useNow());
  return (
    <time
      dateTime={value}
      title={exact ? ago : formatAbsolute(value)}
      className="whitespace-nowrap"
    >
      {exact ? formatExact(value) : ago}
    </time>
  );
}
