/** What one can do with a message, below it: copy, edit, try again, branch and rate. */

import { Check, Copy, GitBranch, Pencil, RotateCcw } from "lucide-react";
import { useState } from "react";
import { describeFailure } from "../api/failure";
import { branchConversation } from "../api/messages";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import { copyText } from "../ui/copy-text";
import { useToast } from "../ui/toast";
import { type ChatMessage, textOf } from "./message";
import { usePlace } from "./place";
import { useRating } from "./rating";
import { ReadAloudButton } from "./read-aloud-button";

const words = texts.chat;
const HIDDEN =
  "opacity-0 transition-opacity duration-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100";

interface SaidDeedsProps {
  message: ChatMessage;
  /** Only what was said last can be written anew. */
  onEdit: (() => void) | null;
}

export function SaidDeeds({ message, onEdit }: SaidDeedsProps) {
  return (
    <fieldset aria-label={words.deeds} className={classes("flex gap-0.5", HIDDEN)}>
      <CopyButton message={message} />
      {onEdit !== null && (
        <IconButton data-edit-said="" label={words.edit} icon={Pencil} onClick={onEdit} />
      )}
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
    <div className="flex flex-col gap-2">
      <fieldset
        aria-label={words.deeds}
        className={classes("-ml-1.5 flex gap-0.5", !last && HIDDEN)}
      >
        {textOf(message) !== "" && <CopyButton message={message} />}
        <ReadAloudButton message={message} />
        {buttons}
        {last && <IconButton label={words.tryAgain} icon={RotateCcw} onClick={onRetry} />}
        <BranchButton message={message} />
      </fieldset>
      {panel}
    </div>
  );
}

interface OneProps {
  message: ChatMessage;
}

function CopyButton({ message }: OneProps) {
  const [copied, setCopied] = useState(false);
  return (
    <IconButton
      label={copied ? words.copied : words.copy}
      icon={copied ? Check : Copy}
      onClick={() => void copyText(textOf(message)).then(setCopied)}
    />
  );
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
