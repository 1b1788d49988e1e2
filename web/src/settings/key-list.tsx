/** The keys of one application. The secret itself is never here. */

import type { Application, ApplicationKey } from "../api/types";
import { texts } from "../texts";
import { Badge, type BadgeTone } from "../ui/badge";
import { Button } from "../ui/button";
import { Time } from "../ui/time";
import { type KeyStatus, statusOf } from "./key-status";

const TONES: Record<KeyStatus, BadgeTone> = {
  active: "accent",
  revoked: "danger",
  expired: "caution",
};

interface KeyListProps {
  application: Application;
  onRevoke: ((key: ApplicationKey) => void) | null;
}

export function KeyList({ application, onRevoke }: KeyListProps) {
  if (application.keys.length === 0) {
    return <p className="border-t border-line px-4 py-3 text-muted">{texts.keys.noKeys}</p>;
  }
  return (
    <ul
      aria-label={texts.keys.keysOf(application.name)}
      className="divide-y divide-line border-t border-line"
    >
      {application.keys.map((key) => (
        <KeyRow key={key.id} entry={key} onRevoke={onRevoke} />
      ))}
    </ul>
  );
}

interface KeyRowProps {
  entry: ApplicationKey;
  onRevoke: ((key: ApplicationKey) => void) | null;
}

function KeyRow({ entry, onRevoke }: KeyRowProps) {
  const status = statusOf(entry, new Date());
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <code className="font-mono text-[0.8125rem]">{entry.hint}</code>
      <Badge tone={TONES[status]}>{texts.keys.status[status]}</Badge>
      <p className="order-last basis-full text-[0.8125rem] text-muted sm:order-none sm:ml-auto sm:basis-auto">
        {texts.keys.lastUsed}{" "}
        {entry.lastUsedAt === null ? (
          texts.keys.never.toLowerCase()
        ) : (
          <Time value={entry.lastUsedAt} />
        )}
        {status === "active" && entry.expiresAt !== null && (
          <>
            {" · "}
            {texts.keys.expires} <Time value={entry.expiresAt} />
          </>
        )}
      </p>
      {status === "active" && onRevoke !== null && (
        <Button
          size="small"
          aria-label={texts.keys.revokeNamed(entry.hint)}
          onClick={() => onRevoke(entry)}
          className="max-sm:ml-auto"
        >
          {texts.keys.revoke}
        </Button>
      )}
    </li>
  );
}
