/** Shown instead of the model picker while no model is connected: what answers, and the way on. */

import { useState } from "react";
import { INTEGRATIONS_PATH } from "../assistant/paths";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Button, LinkButton } from "../ui/button";
import { CopyField } from "../ui/copy-field";
import { Dialog, DialogBody } from "../ui/dialog";

const words = texts.chat;
const SETTING = "OPENAI_API_KEY=sk-…";

export function DemoModel() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" className="-ml-3 @2xl:ml-0" onClick={() => setOpen(true)}>
        {words.demoModel}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.demoTitle} closesOutside>
        <DialogBody>
          <p className="text-pretty text-muted">{words.demoBody}</p>
          <WayOn />
        </DialogBody>
      </Dialog>
    </>
  );
}

function WayOn() {
  const mayConnect = useMayEverywhere("ai.integration.manage");
  if (!mayConnect) return <p className="text-pretty text-muted">{words.demoAsk}</p>;
  return (
    <>
      <div>
        <LinkButton variant="primary" to={INTEGRATIONS_PATH}>
          {words.demoConnect}
        </LinkButton>
      </div>
      <CopyField label={words.demoKey} value={SETTING} />
    </>
  );
}
