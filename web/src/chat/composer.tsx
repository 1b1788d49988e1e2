/** Where one writes. Enter sends, Shift and Enter make a new line; what was typed survives leaving. */

import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, type RefObject, type SubmitEvent, useEffect, useId } from "react";
import { texts } from "../texts";
import { IconButton } from "../ui/button";

const words = texts.chat;
const MOST_CHARACTERS = 100_000;

/** On a phone the keyboard would cover what one came to read. */
function hasKeyboard(): boolean {
  return window.matchMedia?.("(pointer: fine)").matches ?? true;
}

function useFocusOnOpening(input: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    // After the frame has put the focus on the page, as it does on every change of address.
    const timer = setTimeout(() => hasKeyboard() && input.current?.focus(), 0);
    return () => clearTimeout(timer);
  }, [input]);
}

function whyNot({ text, online, blocked }: ComposerProps): string | null {
  if (!online) return words.offline;
  if (blocked !== null) return blocked;
  return text.length > MOST_CHARACTERS ? words.tooLong(MOST_CHARACTERS.toLocaleString()) : null;
}

interface ComposerProps {
  input: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onChange: (text: string) => void;
  onSend: (text: string) => void;
  onStop: () => void;
  busy: boolean;
  stopping: boolean;
  online: boolean;
  begun: boolean;
  /** Why nothing can be said at all. */
  blocked: string | null;
  /** What the permission mode means. */
  hint: string;
}

export function Composer(props: ComposerProps) {
  const { input, text, onChange, onSend, hint } = props;
  const hintId = useId();
  useFocusOnOpening(input);
  const reason = whyNot(props);

  function send() {
    if (reason !== null || text.trim() === "") return;
    onSend(text.trim());
    onChange("");
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const writes = event.nativeEvent.isComposing || event.shiftKey || event.altKey;
    if (event.key !== "Enter" || writes) return;
    event.preventDefault();
    send();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    send();
  }

  return (
    <form onSubmit={submit} className="mx-auto w-full max-w-3xl px-3 pb-2 sm:px-6 sm:pb-3">
      <div className="flex items-end gap-2 rounded-2xl border border-line-strong bg-raised p-1.5 shadow-soft transition-[border-color,box-shadow] duration-150 focus-within:border-accent focus-within:ring-3 focus-within:ring-accent/15">
        <textarea
          ref={input}
          disabled={props.blocked !== null}
          rows={1}
          dir="auto"
          aria-label={words.composer}
          aria-describedby={hintId}
          placeholder={props.begun ? words.placeholderAgain : words.placeholder}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-48 min-h-9 min-w-0 flex-1 resize-none bg-transparent px-2.5 py-2 text-base leading-5 outline-none! sm:text-[0.9375rem]"
        />
        <Deeds {...props} blocked={reason !== null || text.trim() === ""} />
      </div>
      <p
        id={hintId}
        role="status"
        className="mt-1.5 px-2 text-xs text-pretty text-muted sm:text-center"
      >
        {reason ?? hint}
      </p>
    </form>
  );
}

interface DeedsProps extends Pick<ComposerProps, "busy" | "stopping" | "text" | "onStop"> {
  blocked: boolean;
}

function Deeds({ busy, stopping, text, onStop, blocked }: DeedsProps) {
  return (
    <>
      {busy && (
        <IconButton
          label={stopping ? words.stopping : words.stop}
          icon={Square}
          aria-disabled={stopping || undefined}
          onClick={stopping ? undefined : onStop}
          className="size-9! rounded-xl! bg-hover text-ink! aria-disabled:opacity-50 [&_svg]:fill-current"
        />
      )}
      {(!busy || text.trim() !== "") && (
        <IconButton
          type="submit"
          label={words.send}
          icon={ArrowUp}
          aria-disabled={blocked || undefined}
          className="size-9! rounded-xl! bg-accent text-on-accent! hover:bg-accent-strong aria-disabled:bg-hover aria-disabled:text-faint!"
        />
      )}
    </>
  );
}
