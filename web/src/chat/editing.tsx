/** Writing the last message anew, in its place. */

import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";

const words = texts.chat;

interface EditingProps {
  text: string;
  /** There are files, so that nothing has to be written. */
  mayBeEmpty: boolean;
  onSend: (text: string) => void;
  onCancel: () => void;
}

export function Editing({ text, mayBeEmpty, onSend, onCancel }: EditingProps) {
  const [written, setWritten] = useState(text);
  const input = useRef<HTMLTextAreaElement>(null);
  const blocked = written.trim() === "" && !mayBeEmpty;
  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(text.length, text.length);
  }, [text]);

  function send() {
    if (!blocked) onSend(written.trim());
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    send();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
    const writes = event.nativeEvent.isComposing || event.shiftKey || event.altKey;
    if (event.key !== "Enter" || writes) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      onSubmit={submit}
      className="flex w-full flex-col gap-2 rounded-2xl border border-accent bg-raised p-2 ring-3 ring-accent/15"
    >
      <textarea
        ref={input}
        rows={1}
        dir="auto"
        aria-label={words.editLabel}
        value={written}
        onChange={(event) => setWritten(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-64 min-h-9 w-full resize-none bg-transparent px-2.5 py-1.5 text-base leading-relaxed outline-none! sm:text-[0.9375rem]"
      />
      <div className="flex justify-end gap-2">
        <Button size="small" variant="ghost" onClick={onCancel}>
          {texts.actions.cancel}
        </Button>
        <Button size="small" variant="primary" type="submit" disabled={blocked}>
          {words.editSend}
        </Button>
      </div>
    </form>
  );
}
