/** A link in an answer: inside it navigates, to the outside it asks first, else it is just text. */

import { ExternalLink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { deferred, Later } from "../ui/deferred";
import { Tooltip } from "../ui/tooltip";
import { decideLink } from "./link-target";

const LeaveDialog = deferred(async () => (await import("./leave-dialog")).LeaveDialog);

const LOOK =
  "font-medium text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-accent";

interface SafeLinkProps {
  href: string | undefined;
  children: ReactNode;
}

/** Isolated, so that a direction set in its text does not reorder what stands beside it. */
export function SafeLink({ href, children }: SafeLinkProps) {
  const target = decideLink(href, window.location.origin);
  const text = <bdi>{children}</bdi>;
  switch (target.kind) {
    case "inside":
      return (
        <Link to={target.to} className={LOOK}>
          {text}
        </Link>
      );
    case "outside":
      return <OutsideLink url={target.url}>{text}</OutsideLink>;
    case "nowhere":
      return text;
  }
}

interface OutsideLinkProps {
  url: string;
  children: ReactNode;
}

/** No link to the browser, which could look its host up or open it in another tab unasked. */
function OutsideLink({ url, children }: OutsideLinkProps) {
  const [state, setState] = useState<"never" | "open" | "closed">("never");
  return (
    <>
      <Tooltip
        label={<span className="line-clamp-6 max-w-72 wrap-anywhere sm:max-w-lg">{url}</span>}
      >
        <button type="button" onClick={() => setState("open")} className={LOOK}>
          {children}
          <ExternalLink size={12} aria-hidden="true" className="mb-0.5 ml-1 inline" />
        </button>
      </Tooltip>
      {state !== "never" && (
        <Later>
          <LeaveDialog url={url} open={state === "open"} onClose={() => setState("closed")} />
        </Later>
      )}
    </>
  );
}
