/** Which words of two texts differ. Pure. */

export interface Piece {
  text: string;
  changed: boolean;
}

export interface TextDiff {
  before: Piece[];
  after: Piece[];
}

const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
/** A table of this size is filled in a few milliseconds; larger middles are marked as a whole. */
const MOST_CELLS = 400_000;
/** With less in common than this, marking single words only confuses. */
const LEAST_COMMON = 0.25;

function commonLength(one: string[], other: string[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

/** Lengths of the longest common subsequence of each pair of tails. */
function fillTable(one: string[], other: string[]): Uint32Array {
  const width = other.length + 1;
  const table = new Uint32Array((one.length + 1) * width);
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const here = row * width + column;
      table[here] =
        one[row] === other[column]
          ? (table[here + width + 1] ?? 0) + 1
          : Math.max(table[here + width] ?? 0, table[here + 1] ?? 0);
    }
  }
  return table;
}

/** For each side, whether the word at a position has a partner on the other one. */
function pairUp(one: string[], other: string[]): [Set<number>, Set<number>] {
  const kept: [Set<number>, Set<number>] = [new Set(), new Set()];
  if (one.length * other.length > MOST_CELLS) return kept;
  const table = fillTable(one, other);
  const width = other.length + 1;
  let row = 0;
  let column = 0;
  while (row < one.length && column < other.length) {
    const here = row * width + column;
    if (one[row] === other[column]) {
      kept[0].add(row++);
      kept[1].add(column++);
    } else if ((table[here + width] ?? 0) >= (table[here + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return kept;
}

/** A blank between two changed words belongs to the change. */
function join(words: string[], isKept: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = [];
  words.forEach((text, index) => {
    const inside = index > 0 && index < words.length - 1;
    const blank = inside && text.trim() === "" && !isKept(index - 1) && !isKept(index + 1);
    const changed = blank || !isKept(index);
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else pieces.push({ text, changed });
  });
  return pieces;
}

function lengthOf(words: string[]): number {
  return words.reduce((sum, word) => sum + word.trim().length, 0);
}

export function compareTexts(before: string, after: string): TextDiff {
  const one = before.match(WORDS) ?? [];
  const other = after.match(WORDS) ?? [];
  const start = commonLength(one, other);
  const end = commonLength(one.slice(start).reverse(), other.slice(start).reverse());
  const [keptOne, keptOther] = pairUp(
    one.slice(start, one.length - end),
    other.slice(start, other.length - end),
  );
  const keeps = (words: string[], kept: Set<number>) => (index: number) =>
    index < start || index >= words.length - end || kept.has(index - start);
  const isKept = keeps(one, keptOne);
  const common = lengthOf(one.filter((_, index) => isKept(index)));
  const longest = Math.max(lengthOf(one), lengthOf(other));
  if (longest > 0 && common / longest < LEAST_COMMON) return whole(before, after);
  return { before: join(one, isKept), after: join(other, keeps(other, keptOther)) };
}

function whole(before: string, after: string): TextDiff {
  const piece = (text: string) => (text === "" ? [] : [{ text, changed: true }]);
  return { before: piece(before), after: piece(after) };
}
