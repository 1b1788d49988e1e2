/** What one can do with a message, below it: copy, edit, try again, branch and rate. */

import { Check, Copy, GitBranch, Link, type LucideIcon, Pencil, RotateCcw } from "lucide-react";
import { useState } from "react";
import { describeFailure } from "../api/failure";
import { branchConversation } from "../api/messages";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import { copyText } from "../ui/copy-text";
import { useToast } from "../ui/toast";
import { type ChatMessage, textOf } from "./message";
import { messagePath } from "./message-link";
import { usePlace } from "./place";
import { useRating } from "./rating";
import { ReadAloudButton } from "./read-aloud-button";

const words = texts.chat;
const HIDDEN =
  "opacity-0 transition-opacity duration-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100";
/** Where they come up only under a pointer, they stand in the gap before the next message. */
export const IN_GAP = "-mb-5 pointer-coarse:mb-0";

interface SaidDeedsProps {
  message: ChatMessage;
  /** Only what was said last can be written anew. */
  onEdit: (() => void) | null;
}

export function SaidDeeds({ message, onEdit }: SaidDeedsProps) {
  return (
    <fieldset aria-label={words.deeds} className={classes("flex gap-0.5", HIDDEN)}>
      {onEdit !== null && (
        <IconButton data-edit-said="" label={words.edit} icon={Pencil} onClick={onEdit} />
      )}
      <LinkCopy message={message} />
      <CopyButton message={message} />
    </fieldset>
  );
}

interface AnswerDeedsProps {
  message: ChatMessage;
  last: boolean;
  onRetry: () => void;
}

export function AnswerDeeds({ message, last, onRetry }: AnswerDeedsProps) {
  const { buttons, panel } = useRating(message);
  return (
    <div className={classes("flex flex-col gap-2", !panel && IN_GAP)}>
      <fieldset
        aria-label={words.deeds}
        className={classes("-ml-1.5 flex gap-0.5", !last && HIDDEN)}
      >
        {textOf(message) !== "" && <CopyButton message={message} />}
        <ReadAloudButton message={message} />
        {buttons}
        <BranchButton message={message} />
        <LinkCopy message={message} />
        {last && <IconButton label={words.tryAgain} icon={RotateCcw} onClick={onRetry} />}
      </fieldset>
      {panel}
    </div>
  );
}

interface OneProps {
  message: ChatMessage;
}

/** Of an older version. */
export function ReadDeeds({ message }: OneProps) {
  return (
    <fieldset aria-label={words.deeds} className={classes("flex gap-0.5", HIDDEN)}>
      {textOf(message) !== "" && <CopyButton message={message} />}
    </fieldset>
  );
}

interface CopyingProps {
  label: string;
  icon: LucideIcon;
  text: () => string;
  disabled?: boolean;
}

function Copying({ label, icon, text, disabled = false }: CopyingProps) {
  const [copied, setCopied] = useState(false);
  return (
    <IconButton
      label={copied ? words.copied : label}
      icon={copied ? Check : icon}
      disabled={disabled}
      onClick={() => void copyText(text()).then(setCopied)}
    />
  );
}

function CopyButton({ message }: OneProps) {
  return <Copying label={words.copy} icon={Copy} text={() => textOf(message)} />;
}

/** What is not stored yet has no address; its button is there all the same, or the others would move. */
function LinkCopy({ message: { id, metadata } }: OneProps) {
  const { shownId } = usePlace();
  const text = () => window.location.origin + messagePath(shownId ?? "", id);
  const isStored = metadata?.seq !== undefined;
  return <Copying label={words.copyLink} icon={Link} text={text} disabled={!isStored} />;
}

function BranchButton({ message }: OneProps) {
  const { shownId, open } = usePlace();
  const say = useToast();

  async function branch() {
    try {
      if (shownId !== null) open(await branchConversation(shownId, message.id));
    } catch (error) {
      say(describeFailure(error), "failed");
    }
  }

  return <IconButton label={words.branch} icon={GitBranch} onClick={() => void branch()} />;
}
