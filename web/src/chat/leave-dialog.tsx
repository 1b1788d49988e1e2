/** Before leaving for another site: the whole address, to copy or to open. */

import { useState } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { copyText } from "../ui/copy-text";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { Visible } from "../values/visible";
import { splitAddress } from "./link-target";

const words = texts.chat;

interface LeaveDialogProps {
  url: string;
  open: boolean;
  onClose: () => void;
}

export function LeaveDialog({ url, open, onClose }: LeaveDialogProps) {
  const [copied, setCopied] = useState(false);
  const { before, host, after, foreign } = splitAddress(url);

  function leave() {
    window.open(url, "_blank", "noopener,noreferrer");
    onClose();
  }

  return (
    <Dialog open={open} onClose={onClose} title={words.externalTitle} width="narrow" closesOutside>
      <DialogBody>
        <p className="text-muted">{words.externalBody}</p>
        <p className="rounded-lg bg-hover px-3 py-2 font-mono text-[0.8125rem] wrap-anywhere">
          <span className="text-muted">{before}</span>
          <strong className="font-semibold">{host}</strong>
          <span className="text-muted">
            <Visible text={after} />
          </span>
        </p>
        {foreign && <p className="text-muted">{words.externalForeign}</p>}
      </DialogBody>
      <DialogFooter>
        <Button onClick={async () => setCopied(await copyText(url))}>
          {copied ? texts.actions.copied : words.externalCopy}
        </Button>
        <Button variant="primary" onClick={leave}>
          {words.externalOpen}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
