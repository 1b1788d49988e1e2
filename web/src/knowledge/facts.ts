/** Facts as lines that one types, `name: value`, and as they are kept. Pure. */

export type Facts = Record<string, unknown>;

/** A text stays as it is, unless it would be read as something else. */
function show(value: unknown): string {
  if (typeof value !== "string" || value === "" || /^\s|\s$|\n/u.test(value)) {
    return JSON.stringify(value);
  }
  return parse(value) === value ? value : JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function linesOf(facts: Facts): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${show(value)}`)
    .join("\n");
}

const LINE = /^\s*([^:]*[^:\s])\s*:\s*(\S.*?)\s*$/u;

/** Nothing when a line is no fact. */
export function factsOf(lines: string): Facts | null {
  const facts: Facts = {};
  for (const line of lines.split("\n")) {
    if (line.trim() === "") continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    facts[name] = parse(value);
  }
  return facts;
}
