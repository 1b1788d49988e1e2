/** The person's sessions, and ending them. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { endOtherSessions, endSession, SESSIONS, sessionsQuery } from "../api/session";
import type { Session } from "../api/types";
import { useAct } from "../forms/use-act";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Loaded } from "../ui/loaded";
import { Card, Section } from "../ui/page";
import { SkeletonRows } from "../ui/states";
import { describeDevice } from "./device";
import { SessionRow } from "./session-row";

export function SessionsPage() {
  const query = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session | null>(null);
  const [endingOthers, setEndingOthers] = useState(false);
  const others = (query.data ?? []).filter((session) => !session.current).length;
  const end = useAct({ run: endSession, touches: [SESSIONS], says: () => texts.sessions.ended });
  const endOthers = useAct({
    run: endOtherSessions,
    touches: [SESSIONS],
    says: ({ revoked }) => texts.sessions.othersEnded(revoked),
  });
  return (
    <Section
      title={texts.sessions.heading}
      body={texts.sessions.body}
      action={
        others > 0 && (
          <Button onClick={() => setEndingOthers(true)}>{texts.sessions.endOthers}</Button>
        )
      }
    >
      <Card>
        <Loaded query={query} loading={<SkeletonRows count={3} />}>
          {(sessions) => (
            <ul className="divide-y divide-line">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      <Confirm
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={texts.sessions.endTitle}
        body={texts.sessions.endBody(describeDevice(ending?.userAgent ?? ""))}
        action={texts.sessions.end}
        onConfirm={() => end(ending?.id ?? "")}
      />
      <Confirm
        open={endingOthers}
        onClose={() => setEndingOthers(false)}
        title={texts.sessions.endOthersTitle}
        body={texts.sessions.endOthersBody(others)}
        action={texts.sessions.endOthers}
        onConfirm={endOthers}
      />
    </Section>
  );
}
