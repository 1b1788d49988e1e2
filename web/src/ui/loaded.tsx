/** Shows a query: its data, or the state it is in. A new state does not compile until it is handled. */

import type { ReactNode } from "react";
import { describeFailure } from "../api/failure";
import { Problem } from "../api/problem";
import { Card } from "./page";
import { Failed, Forbidden, Missing, Offline, SkeletonRows } from "./states";

/** The part of a TanStack query result that decides what is shown. */
export interface QueryView<Data> {
  data: Data | undefined;
  error: unknown;
  fetchStatus: "fetching" | "paused" | "idle";
  refetch: () => unknown;
}

type WaitState = "loading" | "offline" | "forbidden" | "missing" | "failed";

function waitStateOf(query: QueryView<unknown>): WaitState {
  if (query.error instanceof Problem && query.error.status === 403) return "forbidden";
  if (query.error instanceof Problem && query.error.status === 404) return "missing";
  if (query.error) return "failed";
  return query.fetchStatus === "paused" ? "offline" : "loading";
}

type View = (query: QueryView<unknown>, loading: ReactNode) => ReactNode;

const VIEWS: Record<WaitState, View> = {
  loading: (_, loading) => loading,
  offline: () => <Offline />,
  forbidden: ({ error }) => <Forbidden rule={error instanceof Problem ? error.rule : null} />,
  missing: () => <Missing />,
  failed: ({ error, refetch }) => (
    <Failed
      detail={describeFailure(error)}
      requestId={error instanceof Problem ? error.requestId : null}
      onRetry={() => void refetch()}
    />
  ),
};

function Rows() {
  return (
    <Card>
      <SkeletonRows />
    </Card>
  );
}

interface LoadedProps<Data> {
  query: QueryView<Data>;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, loading = <Rows />, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return VIEWS[waitStateOf(query)](query, loading);
}
