/** Below an answer: has it read aloud, and stops that again. Absent where there is nothing to read. */

import { CircleStop, Volume2 } from "lucide-react";
import { useMemo } from "react";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { type ChatMessage, textOf } from "./message";
import { useReading } from "./reading";
import { sentencesOf } from "./spoken";

const words = texts.chat.voice;

interface ReadAloudButtonProps {
  message: ChatMessage;
}

export function ReadAloudButton({ message }: ReadAloudButtonProps) {
  const reading = useReading();
  const text = textOf(message);
  const speakable = useMemo(() => sentencesOf(text).length > 0, [text]);
  if (reading === null || !speakable) return null;
  const reads = reading.readingId === message.id;
  return (
    <IconButton
      label={reads ? words.stopReading : words.read}
      icon={reads ? CircleStop : Volume2}
      aria-pressed={reads}
      onClick={reads ? reading.stop : () => reading.read(message.id, text)}
    />
  );
}
