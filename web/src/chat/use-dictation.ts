/** Writing by speaking: what is heard is written at once, until somebody types, sends or stops. */

import { useEffect, useRef, useState } from "react";
import {
  type Deafness,
  deafnessOf,
  findRecognition,
  type Recognition,
  withHeard,
} from "./dictation";

function silence(recognition: Recognition): void {
  recognition.onresult = null;
  recognition.onerror = null;
  recognition.onend = null;
  recognition.abort();
}

export function useDictation(text: string, onChange: (text: string) => void) {
  const [listening, setListening] = useState(false);
  const [deafness, setDeafness] = useState<Deafness | null>(null);
  const current = useRef<Recognition | null>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const Maker = findRecognition();

  /** Whatever is heard from now on is not wanted any more. */
  function drop() {
    if (current.current !== null) silence(current.current);
    current.current = null;
    setListening(false);
    setDeafness(null);
  }
  useEffect(() => () => void (current.current && silence(current.current)), []);

  function start() {
    drop();
    if (Maker === null) return;
    const recognition = new Maker();
    const before = text;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.lang = navigator.language;
    recognition.onresult = (event) => latest.current(withHeard(before, event));
    recognition.onerror = ({ error }) => setDeafness(deafnessOf(error));
    recognition.onend = () => {
      current.current = null;
      setListening(false);
    };
    current.current = recognition;
    try {
      recognition.start();
      setListening(true);
    } catch {
      drop();
      setDeafness("failed");
    }
  }

  /** The last words may still come. */
  function stop() {
    current.current?.stop();
    setListening(false);
  }

  return { available: Maker !== null, listening, deafness, start, stop, drop };
}

export type Dictation = ReturnType<typeof useDictation>;
