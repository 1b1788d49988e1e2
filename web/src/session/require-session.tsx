/** Lets only signed-in people in. Everybody else goes to sign-in and comes back afterwards. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { Problem } from "../api/problem";
import { meQuery } from "../api/session";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { Mark } from "../ui/logo";
import { MeProvider } from "./me";
import { loginPath } from "./next-path";

function Splash() {
  return (
    <div
      role="status"
      aria-label={texts.states.loading}
      className="flex h-dvh items-center justify-center"
    >
      <span className="animate-[breathe_1.8s_ease-in-out_infinite]">
        <Mark size={36} />
      </span>
    </div>
  );
}

/** Somebody who is typing keeps the page; the form itself says that the session has ended. */
function hasUnsavedForm(): boolean {
  return document.querySelector("form[data-unsaved]") !== null;
}

interface RequireSessionProps {
  children: ReactNode;
}

export function RequireSession({ children }: RequireSessionProps) {
  const location = useLocation();
  const query = useQuery(meQuery);
  const signedOut = query.error instanceof Problem && query.error.status === 401;
  if (signedOut && !hasUnsavedForm()) return <Navigate to={loginPath(location)} replace />;
  return (
    <Loaded query={query} loading={<Splash />}>
      {(me) => <MeProvider me={me}>{children}</MeProvider>}
    </Loaded>
  );
}
