/** Asks before a way out of the page throws away what was typed on it: a link, back, or the window. */

import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { texts } from "../texts";
import { Confirm } from "../ui/confirm";
import { guardBack } from "./back";

interface LeaveGuardProps {
  active: boolean;
}

/** Where a plain click on a link of ours leads; nothing for one that opens elsewhere. */
function pathOf(event: MouseEvent): string | null {
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!plain || !(link instanceof HTMLAnchorElement) || link.target !== "") return null;
  if (link.hasAttribute("download") || link.origin !== window.location.origin) return null;
  return link.pathname === window.location.pathname ? null : link.pathname + link.search;
}

export function LeaveGuard({ active }: LeaveGuardProps) {
  const [to, setTo] = useState<string | number | null>(null);
  const release = useRef(() => {});
  const navigate = useNavigate();
  useEffect(() => {
    if (!active) return;
    const onClick = (event: MouseEvent) => {
      const path = pathOf(event);
      if (path === null) return;
      event.preventDefault();
      event.stopPropagation();
      setTo(path);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", onClick, true);
    window.addEventListener("beforeunload", onUnload);
    release.current = guardBack(setTo);
    return () => {
      release.current();
      document.removeEventListener("click", onClick, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [active]);

  async function leave() {
    release.current();
    if (typeof to === "number") window.history.go(to);
    else if (to !== null) await navigate(to);
  }

  return (
    <Confirm
      open={to !== null}
      onClose={() => setTo(null)}
      title={texts.forms.leaveTitle}
      body={texts.forms.leaveBody}
      action={texts.forms.discard}
      keep={texts.forms.keepEditing}
      onConfirm={leave}
    />
  );
}
