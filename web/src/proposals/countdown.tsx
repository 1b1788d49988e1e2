/** The time that is left, by the server's clock. It is read out only near its end. */

import { Clock } from "lucide-react";
import { texts } from "../texts";
import { formatLeft, secondsUntil } from "../time/countdown";
import { formatAbsolute } from "../time/format";
import { useServerNow } from "../time/use-server-now";
import { classes } from "../ui/classes";

const SOON_SECONDS = 60;
const SAID_AT = [10, 60];

/** The last threshold that was passed: the text changes, and is read out, once for each. */
function saidAt(seconds: number): string {
  const passed = SAID_AT.find((threshold) => seconds > 0 && seconds <= threshold);
  return passed === undefined ? "" : texts.card.aboutToEnd(passed);
}

interface CountdownProps {
  expiresAt: string;
}

export function Countdown({ expiresAt }: CountdownProps) {
  const seconds = secondsUntil(expiresAt, useServerNow(1_000));
  const soon = seconds <= SOON_SECONDS;
  return (
    <span
      title={formatAbsolute(expiresAt)}
      className={classes(
        "inline-flex items-center gap-1.5 text-[0.8125rem] tabular-nums",
        soon ? "font-medium text-on-caution-soft" : "text-muted",
      )}
    >
      <Clock size={14} aria-hidden="true" />
      <span role="timer">{texts.card.left(formatLeft(seconds))}</span>
      <span role="status" className="sr-only">
        {saidAt(seconds)}
      </span>
    </span>
  );
}
