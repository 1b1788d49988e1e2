/** What of an answer can be read aloud: its sentences, without code, tables and addresses. Pure. */

const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gmu;
const TABLE_ROW = /^\s*\|.*$/gmu;
const RULE = /^\s*(?:[-*_]\s*){3,}$/gmu;
const IMAGE = /!\[[^\]]*\]\([^)]*\)/gu;
const LINK = /\[([^\]]*)\]\([^)]*\)/gu;
const ADDRESS = /<?https?:\/\/[^\s>)]+>?/gu;
const TAG = /<\/?[a-z][^>]*>/giu;
const LINE_START = /^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ x]\]\s+)?|\d+[.)]\s+)/gmu;
const EMPHASIS = /(\*\*|__|~~|`+|\*|(?<!\p{Letter})_|_(?!\p{Letter}))/gu;

function plainOf(markdown: string): string {
  return markdown
    .replace(FENCED, "\n")
    .replace(TABLE_ROW, "")
    .replace(RULE, "")
    .replace(IMAGE, "")
    .replace(LINK, "$1")
    .replace(ADDRESS, "")
    .replace(TAG, "")
    .replace(LINE_START, "")
    .replace(EMPHASIS, "");
}

const SPEAKABLE = /[\p{Letter}\p{Number}]/u;

/** One by one, so that speaking can be stopped between them; a line of its own is one too. */
export function sentencesOf(markdown: string, locale?: string): string[] {
  const segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  return plainOf(markdown)
    .split(/\n\s*\n|\n(?=\S)/u)
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter((sentence) => SPEAKABLE.test(sentence));
}
