/** One session: which device, where from, how long. */

import { Laptop, Smartphone } from "lucide-react";
import type { Session } from "../api/types";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Time } from "../ui/time";
import { describeDevice, isHandheld } from "./device";

interface SessionRowProps {
  session: Session;
  onEnd: () => void;
}

export function SessionRow({ session, onEnd }: SessionRowProps) {
  const device = describeDevice(session.userAgent);
  const Icon = isHandheld(session.userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-3.5 px-4 py-3.5">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-hover text-muted">
        <Icon size={16} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium" title={session.userAgent}>
          {device}
          {session.current && <Badge tone="accent">{texts.sessions.thisDevice}</Badge>}
        </p>
        <p className="text-[0.8125rem] text-muted">
          {session.address !== "" && (
            <span className="mr-2 font-mono text-xs">{session.address}</span>
          )}
          {texts.sessions.lastSeen} <Time value={session.lastSeenAt} />
          <span className="max-sm:hidden">
            {" · "}
            {texts.sessions.started} <Time value={session.createdAt} />
          </span>
        </p>
      </div>
      {!session.current && (
        <Button size="small" aria-label={texts.sessions.endNamed(device)} onClick={onEnd}>
          {texts.sessions.end}
        </Button>
      )}
    </li>
  );
}
