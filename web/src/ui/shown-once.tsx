/** Something secret that is shown once: it closes only on purpose, and nothing keeps it. */

import { texts } from "../texts";
import { Button } from "./button";
import { CopyField } from "./copy-field";
import { Dialog, DialogBody, DialogFooter } from "./dialog";
import { Time } from "./time";

interface ShownOnceProps {
  title: string;
  body: string;
  label: string;
  value: string;
  expiresAt: string | null;
  done?: string;
  onClose: () => void;
}

export function ShownOnce({
  title,
  body,
  label,
  value,
  expiresAt,
  done = texts.actions.done,
  onClose,
}: ShownOnceProps) {
  return (
    <Dialog open onClose={onClose} title={title} description={body}>
      <DialogBody>
        <CopyField label={label} value={value} />
        {expiresAt !== null && (
          <p className="text-[0.8125rem] text-muted">
            {texts.people.linkExpires} <Time value={expiresAt} />.
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
