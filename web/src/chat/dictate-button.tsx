/** Speaking instead of typing; absent where the browser cannot listen. */

import { Mic } from "lucide-react";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import type { Dictation } from "./use-dictation";

const words = texts.chat.voice;

interface DictateButtonProps {
  dictation: Dictation;
  disabled: boolean;
}

export function DictateButton({ dictation, disabled }: DictateButtonProps) {
  const { available, listening, start, stop } = dictation;
  if (!available) return null;
  return (
    <IconButton
      label={listening ? words.stop : words.start}
      icon={Mic}
      aria-pressed={listening}
      disabled={disabled}
      onClick={listening ? stop : start}
      className={classes(
        "size-9! rounded-xl!",
        listening &&
          "animate-[breathe_1.6s_ease-in-out_infinite] bg-accent-soft text-on-accent-soft!",
      )}
    />
  );
}
