/** A question before something goes away. It names what goes and reports a failure in place. */

import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef, useState } from "react";
import { describeFailure } from "../api/failure";
import { texts } from "../texts";
import { Banner } from "./banner";
import { Button } from "./button";

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  body: ReactNode;
  action: string;
  /** The way back, where "Cancel" would be unclear. */
  keep?: string;
  onConfirm: () => Promise<unknown>;
}

export function Confirm({
  open,
  onClose,
  title,
  body,
  action,
  keep = texts.actions.cancel,
  onConfirm,
}: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // While it fades out its subject may already be gone; it keeps saying what it asked.
  const asked = useRef({ title, body, action });
  if (open) asked.current = { title, body, action };

  function close() {
    setFailure(null);
    onClose();
  }

  async function confirm() {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(describeFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 z-40 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <AlertDialog.Viewport className="fixed inset-0 z-40 flex items-end justify-center p-2 sm:items-center sm:p-6">
          <AlertDialog.Popup className="surface-popup flex w-full flex-col gap-3 rounded-xl! p-5 sm:max-w-md">
            <AlertDialog.Title className="text-base font-semibold tracking-tight text-balance">
              {asked.current.title}
            </AlertDialog.Title>
            <AlertDialog.Description className="text-muted">
              {asked.current.body}
            </AlertDialog.Description>
            {failure !== null && <Banner tone="danger">{failure}</Banner>}
            <div className="mt-2 flex flex-wrap justify-end gap-2">
              <Button onClick={close}>{keep}</Button>
              <Button variant="danger" busy={busy} onClick={confirm}>
                {asked.current.action}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
