/** Dialogs: a form or a message above the page. Focus goes in, stays in and comes back. */

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { texts } from "../texts";
import { classes } from "./classes";
import { Confirm } from "./confirm";

const BACKDROP =
  "fixed inset-0 z-40 bg-backdrop transition-opacity duration-150 " +
  "data-starting-style:opacity-0 data-ending-style:opacity-0";

const POPUP =
  "relative flex max-h-full w-full flex-col overflow-hidden rounded-xl bg-raised shadow-float outline-none " +
  "transition-[opacity,translate,scale] duration-200 ease-calm " +
  "data-starting-style:translate-y-2 data-starting-style:scale-[0.985] data-starting-style:opacity-0 " +
  "data-ending-style:translate-y-1 data-ending-style:opacity-0";

export type DialogWidth = "narrow" | "normal" | "wide";

const WIDTHS: Record<DialogWidth, string> = {
  narrow: "sm:max-w-md",
  normal: "sm:max-w-lg",
  wide: "sm:max-w-2xl",
};

/** Back to what opened it; to the page where that has gone, as with the first entry of a list. */
function useReturn(open: boolean) {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return () => (opener.current?.isConnected ? true : document.querySelector("main"));
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  width?: DialogWidth;
  /** A stray click beside a dialog must not throw away what was typed or shown once. */
  closesOutside?: boolean;
  children: ReactNode;
}

export function Dialog({
  open,
  onClose,
  title,
  description,
  width = "normal",
  closesOutside = false,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState(false);
  const finalFocus = useReturn(open);
  const isTyped = () => popup.current?.querySelector("form[data-unsaved]") !== null;
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={!closesOutside}
      onOpenChange={(next) => !next && (isTyped() ? setLeaving(true) : onClose())}
    >
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Viewport className="fixed inset-0 z-40 flex items-end justify-center p-2 sm:items-center sm:p-6">
          <Base.Popup ref={popup} finalFocus={finalFocus} className={classes(POPUP, WIDTHS[width])}>
            <header className="px-5 pt-4.5 pr-14">
              <div>
                <Base.Title className="text-base font-semibold tracking-tight text-balance">
                  {title}
                </Base.Title>
                {description && (
                  <Base.Description className="mt-1 text-muted">{description}</Base.Description>
                )}
              </div>
            </header>
            {children}
            <Base.Close
              aria-label={texts.actions.close}
              className="absolute top-3.5 right-3.5 flex size-7 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-9"
            >
              <X size={16} aria-hidden="true" />
            </Base.Close>
            <Confirm
              open={leaving}
              onClose={() => setLeaving(false)}
              title={texts.forms.leaveTitle}
              body={texts.forms.leaveBody}
              action={texts.forms.discard}
              keep={texts.forms.keepEditing}
              onConfirm={async () => onClose()}
            />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

interface SlotProps {
  children: ReactNode;
}

export function DialogBody({ children }: SlotProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5">
      {children}
    </div>
  );
}

export function DialogFooter({ children }: SlotProps) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
      {children}
    </footer>
  );
}
