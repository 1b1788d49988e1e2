/** Shown when a page throws or its code cannot be loaded, as after an update of the server. */

import { RefreshCw } from "lucide-react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Notice } from "../ui/states";

export function Crashed() {
  return (
    <>
      <title>{texts.title(texts.states.crashedTitle)}</title>
      <Notice
        on="page"
        icon={RefreshCw}
        title={texts.states.crashedTitle}
        action={<Button onClick={() => window.location.reload()}>{texts.actions.reload}</Button>}
      >
        {texts.states.crashedBody}
      </Notice>
    </>
  );
}
