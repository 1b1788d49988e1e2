/** A program wants to act for a person: what it asks for, and the person's answer. */

import { useQuery } from "@tanstack/react-query";
import { Link2Off } from "lucide-react";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { consentQuery } from "../api/connections";
import { Problem } from "../api/problem";
import type { ConsentRequest } from "../api/types";
import { RequireSession } from "../session/require-session";
import { LonePage } from "../shell/lone-page";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { Card } from "../ui/page";
import { Notice, SkeletonRows } from "../ui/states";
import { Consent } from "./consent";

const words = texts.connect;

type Leave = (address: string) => void;

interface ConnectPageProps {
  leave?: Leave;
}

function leaveHere(address: string): void {
  window.location.assign(address);
}

export function ConnectPage({ leave = leaveHere }: ConnectPageProps) {
  return (
    <RequireSession>
      <Asking leave={leave} />
    </RequireSession>
  );
}

interface AskingProps {
  leave: Leave;
}

function Asking({ leave }: AskingProps) {
  const [parameters] = useSearchParams();
  const request = Object.fromEntries(parameters) as ConsentRequest;
  const query = useQuery(consentQuery(request));
  const fault = faultOf(query.error, request);
  return (
    <LonePage title={words.title} width="narrow">
      {fault === null ? (
        <Loaded query={query} loading={<Waiting />}>
          {(asked) => <Consent asked={asked} request={request} leave={leave} />}
        </Loaded>
      ) : (
        <Fault>{fault}</Fault>
      )}
    </LonePage>
  );
}

/** Not signed in, not allowed, too often: none of these is the program's fault. */
const TO_WAIT_FOR = new Set([401, 403, 429]);

/** The program asked wrongly; trying again would change nothing. Pure. */
function faultOf(error: unknown, request: ConsentRequest): string | null {
  if (!(error instanceof Problem) || error.status < 400 || error.status >= 500) return null;
  if (TO_WAIT_FOR.has(error.status)) return null;
  return error.status === 422 && !request.client_id ? words.incomplete : error.detail;
}

function Waiting() {
  return (
    <Card>
      <SkeletonRows count={6} />
    </Card>
  );
}

interface FaultProps {
  children: ReactNode;
}

function Fault({ children }: FaultProps) {
  return (
    <Card>
      <Notice on="page" icon={Link2Off} title={words.faultTitle}>
        <p role="alert" className="wrap-anywhere text-ink">
          {children}
        </p>
        <p className="mt-2">{words.faultBody}</p>
      </Notice>
    </Card>
  );
}
