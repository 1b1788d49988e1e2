/** What the browser's speech recognition hears, as far as it is used here. */

interface Heard {
  readonly isFinal: boolean;
  readonly [alternative: number]: { readonly transcript: string };
}

export interface HeardEvent {
  readonly results: ArrayLike<Heard>;
}

export interface Recognition {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: HeardEvent) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start: () => void;
  stop: () => void;
  abort: () => void;
}

export type RecognitionMaker = new () => Recognition;

/** Not every browser has it, and some under a name of their own. */
export function findRecognition(): RecognitionMaker | null {
  const browser = window as unknown as Record<string, RecognitionMaker | undefined>;
  return browser.SpeechRecognition ?? browser.webkitSpeechRecognition ?? null;
}

export type Deafness = "denied" | "noMicrophone" | "network" | "silent" | "failed";

const DEAFNESS: Record<string, Deafness | null> = {
  aborted: null,
  "not-allowed": "denied",
  "service-not-allowed": "denied",
  "audio-capture": "noMicrophone",
  network: "network",
  "no-speech": "silent",
};

/** Why nothing is heard; nothing when it was ended here. */
export function deafnessOf(error: string): Deafness | null {
  const known = DEAFNESS[error];
  return known === undefined ? "failed" : known;
}

/** All that was heard in one go, after what stood there before; what is not final yet included. */
export function withHeard(before: string, { results }: HeardEvent): string {
  const said = Array.from(results, (one) => one[0]?.transcript.trim() ?? "")
    .filter((words) => words !== "")
    .join(" ");
  const gap = before === "" || /\s$/u.test(before) || said === "" ? "" : " ";
  return before + gap + said;
}
