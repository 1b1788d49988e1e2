/** A moment as people say it, with the exact time at hand. */

import { useEffect, useState } from "react";
import { formatAbsolute, formatRelative } from "../time/format";

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
}

export function Time({ value }: TimeProps) {
  return (
    <time dateTime={value} title={formatAbsolute(value)} className="whitespace-nowrap">
      {formatRelative(value, useNow())}
    </time>
  );
}
