/** A link in an answer: inside it navigates, to the outside it asks first, else it is just text. */

import { ExternalLink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { deferred, Later } from "../ui/deferred";
import { decideLink } from "./link-target";

const LeaveDialog = deferred(async () => (await import("./leave-dialog")).LeaveDialog);

const LOOK =
  "font-medium text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-accent";

interface SafeLinkProps {
  href: string | undefined;
  children: ReactNode;
}

export function SafeLink({ href, children }: SafeLinkProps) {
  const target = decideLink(href, window.location.origin);
  switch (target.kind) {
    case "inside":
      return (
        <Link to={target.to} className={LOOK}>
          {children}
        </Link>
      );
    case "outside":
      return <OutsideLink url={target.url}>{children}</OutsideLink>;
    case "nowhere":
      return <span>{children}</span>;
  }
}

interface OutsideLinkProps {
  url: string;
  children: ReactNode;
}

function OutsideLink({ url, children }: OutsideLinkProps) {
  const [state, setState] = useState<"never" | "open" | "closed">("never");
  return (
    <>
      <button type="button" title={url} onClick={() => setState("open")} className={LOOK}>
        {children}
        <ExternalLink size={12} aria-hidden="true" className="mb-0.5 ml-1 inline" />
      </button>
      {state !== "never" && (
        <Later>
          <LeaveDialog url={url} open={state === "open"} onClose={() => setState("closed")} />
        </Later>
      )}
    </>
  );
}
