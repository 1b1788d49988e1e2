/** Reading answers aloud, one at a time, with the voice of the browser. */

import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { texts } from "../texts";
import { useToast } from "../ui/toast";
import { sentencesOf } from "./spoken";

interface Reading {
  /** The message that is being read. */
  readingId: string | null;
  read: (id: string, markdown: string) => void;
  stop: () => void;
}

const ReadingContext = createContext<Reading | null>(null);

function findVoice(): SpeechSynthesis | null {
  return (window.speechSynthesis as SpeechSynthesis | undefined) ?? null;
}

/** Being ended by hand, or by the next one, is no fault. */
const ENDED: ReadonlySet<string> = new Set(["canceled", "interrupted"]);

interface Listener {
  onEnd: () => void;
  onFault: () => void;
}

function speak(voice: SpeechSynthesis, sentences: readonly string[], listener: Listener): void {
  for (const [index, sentence] of sentences.entries()) {
    const utterance = new SpeechSynthesisUtterance(sentence);
    utterance.onerror = ({ error }) => !ENDED.has(error) && listener.onFault();
    if (index === sentences.length - 1) utterance.onend = listener.onEnd;
    voice.speak(utterance);
  }
}

interface ReadingProviderProps {
  children: ReactNode;
}

export function ReadingProvider({ children }: ReadingProviderProps) {
  const [readingId, setReadingId] = useState<string | null>(null);
  const say = useToast();
  const latest = useRef(0);

  const stop = useCallback(() => {
    latest.current += 1;
    findVoice()?.cancel();
    setReadingId(null);
  }, []);
  useEffect(() => () => findVoice()?.cancel(), []);

  const read = useCallback(
    (id: string, markdown: string) => {
      stop();
      const voice = findVoice();
      const sentences = sentencesOf(markdown);
      if (voice === null || sentences.length === 0) return;
      const own = latest.current;
      const end = (act: () => void) => () => own === latest.current && act();
      setReadingId(id);
      speak(voice, sentences, {
        onEnd: end(stop),
        onFault: end(() => {
          stop();
          say(texts.chat.voice.unreadable, "failed");
        }),
      });
    },
    [stop, say],
  );

  const reading = useMemo(() => ({ readingId, read, stop }), [readingId, read, stop]);
  return <ReadingContext value={reading}>{children}</ReadingContext>;
}

/** Nothing where the browser has no voice. */
export function useReading(): Reading | null {
  const reading = use(ReadingContext);
  return findVoice() === null ? null : reading;
}
