/** Programs that act for people: one's own, and for an admin everybody's. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { CONNECTIONS, connectionsPaged, revokeConnection } from "../api/connections";
import type { Connection } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere, useMe } from "../session/me";
import { texts } from "../texts";
import { Confirm } from "../ui/confirm";
import { CopyField } from "../ui/copy-field";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { Card, LoadMore, Section } from "../ui/page";
import { ProgramRow } from "./program-row";

const words = texts.programs;
const READ = "identity.program.read";
const ADMIN = "*";
const CONFIG = "assent mcp config";

export function ProgramsPage() {
  const isAdmin = useMayEverywhere(ADMIN);
  return (
    <RequireRule rule={READ}>
      <Programs everybody={false} />
      {isAdmin && <Programs everybody />}
    </RequireRule>
  );
}

interface ProgramsProps {
  everybody: boolean;
}

function Programs({ everybody }: ProgramsProps) {
  const me = useMe();
  const query = useInfiniteQuery(connectionsPaged(everybody));
  const [leaving, setLeaving] = useState<Connection | null>(null);
  const revoke = useAct({
    run: ({ id }: Connection) => revokeConnection(id),
    touches: [CONNECTIONS],
    says: (_, { clientName }) => words.revoked(clientName),
  });
  return (
    <Section
      title={everybody ? words.everybody : words.heading}
      body={everybody ? words.everybodyBody : words.body}
    >
      <Loaded query={query}>
        {(connections) =>
          connections.length === 0 ? (
            <Empty everybody={everybody} />
          ) : (
            <Card>
              <ul
                aria-label={everybody ? words.everybodyList : words.list}
                className="divide-y divide-line"
              >
                {connections.map((connection) => (
                  <ProgramRow
                    key={connection.id}
                    connection={connection}
                    withPerson={everybody}
                    onRevoke={() => setLeaving(connection)}
                  />
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
      <LoadMore list={query} />
      <Confirm
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={words.revokeTitle(leaving?.clientName ?? "")}
        body={leaving === null ? "" : sayWhatGoes(leaving, me.id)}
        action={words.revoke}
        onConfirm={async () => leaving !== null && revoke(leaving)}
      />
    </Section>
  );
}

function sayWhatGoes({ clientName, user }: Connection, me: string): string {
  return user.id === me ? words.revokeBody(clientName) : words.revokeOther(clientName, user.name);
}

function Empty({ everybody }: ProgramsProps) {
  if (everybody) {
    return (
      <Card className="px-4 py-3.5">
        <p className="text-muted">{words.everybodyEmpty}</p>
      </Card>
    );
  }
  return (
    <EmptyList
      icon={Unplug}
      title={words.emptyTitle}
      body={words.emptyBody}
      action={
        <div className="flex w-80 max-w-full flex-col gap-4 text-left">
          <CopyField label={words.address} value={`${window.location.origin}/mcp`} />
          <p className="text-[0.8125rem] text-pretty text-muted">
            {words.config} <code className="font-mono text-xs text-ink">{CONFIG}</code>
          </p>
        </div>
      }
    />
  );
}
