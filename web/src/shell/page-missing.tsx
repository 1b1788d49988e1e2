/** For addresses that lead nowhere. */

import { Compass } from "lucide-react";
import { texts } from "../texts";
import { LinkButton } from "../ui/button";
import { Notice } from "../ui/states";

export function PageMissing() {
  return (
    <>
      <title>{texts.title(texts.states.pageMissingTitle)}</title>
      <Notice
        on="page"
        icon={Compass}
        title={texts.states.pageMissingTitle}
        action={<LinkButton to="/">{texts.states.goHome}</LinkButton>}
      >
        {texts.states.pageMissingBody}
      </Notice>
    </>
  );
}
