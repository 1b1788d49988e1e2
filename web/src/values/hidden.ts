/**
 * Finds characters that a reader would not see or that change how others are read. Pure.
 *
 * A person approves what they see, so what cannot be seen must not stay unseen.
 */

export interface Run {
  text: string;
  kind: "plain" | "hidden" | "space";
}

const HIDDEN = /(?![ \n\t])[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u2800]/gu;
const EDGES = /^[ \t\n]+|[ \t\n]+$/gu;
/** The joiners and the look selector that emoji are made of, between the parts of one. */
const OF_EMOJI =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

export function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

interface Found {
  at: number;
  text: string;
  kind: Run["kind"];
}

function findHidden(text: string): Found[] {
  const harmless = new Set([...text.matchAll(OF_EMOJI)].map(({ index }) => index));
  return [...text.matchAll(HIDDEN)]
    .filter(({ index }) => !harmless.has(index))
    .map((match) => ({ at: match.index, text: match[0], kind: "hidden" }));
}

function findEdges(text: string): Found[] {
  return [...text.matchAll(EDGES)].map((match) => ({
    at: match.index,
    text: match[0],
    kind: "space",
  }));
}

/** `edges`: blanks at the beginning and at the end count as not visible. */
export function splitVisible(text: string, { edges = false } = {}): Run[] {
  const marks = [...findHidden(text), ...(edges ? findEdges(text) : [])];
  marks.sort((one, other) => one.at - other.at);
  const runs: Run[] = [];
  let position = 0;
  for (const { at, text: marked, kind } of marks) {
    if (at > position) runs.push({ text: text.slice(position, at), kind: "plain" });
    runs.push({ text: marked, kind });
    position = at + marked.length;
  }
  if (position < text.length) runs.push({ text: text.slice(position), kind: "plain" });
  return runs;
}
