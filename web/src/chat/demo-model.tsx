/** Shown instead of the model picker while no model is connected: what answers, and the way on. */

import { useState } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { CopyField } from "../ui/copy-field";
import { Dialog, DialogBody } from "../ui/dialog";

const words = texts.chat;
const SETTING = "OPENAI_API_KEY=sk-…";

export function DemoModel() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" className="-ml-3 sm:ml-0" onClick={() => setOpen(true)}>
        {words.demoModel}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.demoTitle} closesOutside>
        <DialogBody>
          <p className="text-pretty text-muted">{words.demoBody}</p>
          <CopyField label={words.demoKey} value={SETTING} />
          <p className="text-pretty text-muted">{words.demoIntegration}</p>
        </DialogBody>
      </Dialog>
    </>
  );
}
