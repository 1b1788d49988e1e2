/** Where one writes, or dictates. What was typed survives leaving. */

import { ArrowUp, Paperclip, Square } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Skill } from "../api/types";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { AttachmentList } from "./attachment-list";
import { DictateButton } from "./dictate-button";
import { parseAnchor } from "./message-link";
import { usePlace } from "./place";
import { ChosenSkill, SkillButton } from "./skill-picker";
import type { Attachments } from "./use-attachments";
import { type Dictation, useDictation } from "./use-dictation";

const words = texts.chat;
const MOST_CHARACTERS = 100_000;

/** On a phone the keyboard would cover what one came to read. */
function hasKeyboard(): boolean {
  return window.matchMedia?.("(pointer: fine)").matches ?? true;
}

function useFocusWhenAsked(input: RefObject<HTMLTextAreaElement | null>) {
  const { focus } = usePlace();
  useEffect(() => {
    if (focus === 0 || parseAnchor(window.location.hash) !== null) return;
    // After the frame has put the focus on the page, as it does on every change of address.
    const timer = setTimeout(() => hasKeyboard() && input.current?.focus(), 0);
    return () => clearTimeout(timer);
  }, [input, focus]);
}

function whyNot({ text, online, blocked, files }: ComposerProps): string | null {
  if (!online) return words.offline;
  if (blocked !== null) return blocked;
  if (files.all.some(({ state }) => state === "sending")) return words.files.wait;
  if (files.all.some(({ state }) => state === "failed")) return words.files.failed;
  return text.length > MOST_CHARACTERS ? words.tooLong(MOST_CHARACTERS.toLocaleString()) : null;
}

interface ComposerProps {
  input: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onChange: (text: string) => void;
  files: Attachments;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Writes what was said last anew; says whether there is such a thing. */
  onEditLast: () => boolean;
  skill: Skill | null;
  onSkill: (skill: Skill | null) => void;
  busy: boolean;
  stopping: boolean;
  online: boolean;
  begun: boolean;
  /** Why nothing can be said at all. */
  blocked: string | null;
  /** What the permission mode means. */
  hint: string;
}

function hintOf(props: ComposerProps, { listening, deafness }: Dictation): string {
  const reason = whyNot(props);
  if (reason !== null) return reason;
  if (deafness !== null) return words.voice.deafness[deafness];
  if (listening) return words.voice.listening;
  return props.files.tooMany ? words.files.tooMany : props.hint;
}

export function Composer(props: ComposerProps) {
  const { input, text, files, onChange } = props;
  const hintId = useId();
  useFocusWhenAsked(input);
  const dictation = useDictation(text, onChange);
  const [picking, setPicking] = useState(false);
  const { send, onKeyDown, empty, blocked } = useWriting(props, dictation, () => setPicking(true));

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    send();
  }

  function paste(event: ClipboardEvent) {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    files.add(pasted);
  }

  return (
    <form onSubmit={submit} className="mx-auto w-full max-w-3xl px-3 pb-2 sm:px-6 sm:pb-3">
      <div className="rounded-2xl border border-line-strong bg-raised p-1.5 shadow-soft transition-[border-color,box-shadow] duration-150 focus-within:border-accent focus-within:ring-3 focus-within:ring-accent/15">
        <AttachmentList attachments={files.all} onRemove={files.remove} />
        {props.skill !== null && (
          <ChosenSkill skill={props.skill} onDrop={() => props.onSkill(null)} />
        )}
        <div className="flex items-end gap-1.5">
          <AttachButton onChoose={files.add} />
          <SkillButton
            open={picking}
            onOpen={setPicking}
            onChoose={props.onSkill}
            disabled={props.blocked !== null}
          />
          <textarea
            ref={input}
            data-composer=""
            disabled={props.blocked !== null}
            rows={1}
            dir="auto"
            aria-label={words.composer}
            aria-describedby={hintId}
            placeholder={props.begun ? words.placeholderAgain : words.placeholder}
            value={text}
            onChange={(event) => {
              dictation.drop();
              onChange(event.target.value);
            }}
            onKeyDown={onKeyDown}
            onPaste={paste}
            className="field-sizing-content max-h-48 min-h-9 min-w-0 flex-1 resize-none bg-transparent px-1.5 py-2 text-base placeholder:truncate leading-5 outline-none! sm:text-[0.9375rem]"
          />
          <DictateButton dictation={dictation} disabled={props.blocked !== null} />
          <Deeds {...props} empty={empty} blocked={blocked} />
        </div>
      </div>
      <p
        id={hintId}
        role="status"
        className="mt-1.5 px-2 text-xs text-pretty text-muted @xl:text-center"
      >
        {hintOf(props, dictation)}
      </p>
    </form>
  );
}

/** Sending, and what the keys do: Enter sends, Escape ends what goes on, Up edits what was said,
 * and a slash at the beginning chooses a skill. */
function useWriting(props: ComposerProps, dictation: Dictation, onPick: () => void) {
  const { input, text, files, onChange, onSend } = props;
  const empty = text.trim() === "" && files.ready.length === 0;
  const blocked = whyNot(props) !== null || empty;

  function send() {
    if (blocked) return;
    dictation.drop();
    onSend(text.trim());
    onChange("");
    input.current?.focus();
  }

  function end(): boolean {
    if (dictation.listening) dictation.stop();
    else if (props.busy && !props.stopping) props.onStop();
    else return false;
    return true;
  }

  const keys: Record<string, () => boolean> = {
    Enter: () => {
      send();
      return true;
    },
    Escape: end,
    ArrowUp: () => text === "" && props.onEditLast(),
    "/": () => {
      if (text === "" && props.skill === null) onPick();
      return text === "" && props.skill === null;
    },
  };

  function onKeyDown(event: KeyboardEvent) {
    const writes = event.nativeEvent.isComposing || event.shiftKey || event.altKey;
    if (!writes && keys[event.key]?.()) event.preventDefault();
  }

  return { send, onKeyDown, empty, blocked };
}

interface AttachButtonProps {
  onChoose: (files: File[]) => void;
}

function AttachButton({ onChoose }: AttachButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton
        label={words.files.attach}
        icon={Paperclip}
        onClick={() => chooser.current?.click()}
        className="size-9! rounded-xl!"
      />
    </>
  );
}

interface DeedsProps extends Pick<ComposerProps, "busy" | "stopping" | "onStop"> {
  empty: boolean;
  blocked: boolean;
}

function Deeds({ busy, stopping, empty, onStop, blocked }: DeedsProps) {
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
      {(!busy || !empty) && (
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
