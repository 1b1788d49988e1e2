/** Where a value stands in JSON, written as the server writes it: `items.0.name`. Pure. */

export type Path = readonly (string | number)[];

const PLAIN = /^[\p{L}\p{M}_][\p{L}\p{M}\p{N}_-]*$/u;

export function encodePath(path: Path): string {
  return path.map(encodeStep).join(".");
}

function encodeStep(step: string | number): string {
  return typeof step === "number" || PLAIN.test(step) ? String(step) : JSON.stringify(step);
}
