/** Puts somebody's unsaved changes on top of a newer version of the same entry. Pure. */

type Draft = Record<string, string | string[]>;

function same(one: string | string[] | undefined, other: string | string[] | undefined): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((value) => other.includes(value));
}

export interface Rebased<Values> {
  values: Values;
  /** What both sides changed, as the other side has it. */
  theirs: Partial<Values>;
}

export function rebase<Values extends object>(
  base: Values,
  mine: Values,
  newest: Values,
): Rebased<Values> {
  const [before, typed, now] = [base as Draft, mine as Draft, newest as Draft];
  const values: Draft = {};
  const theirs: Draft = {};
  for (const [name, current] of Object.entries(now)) {
    const own = typed[name] ?? current;
    const touched = !same(own, before[name]);
    values[name] = touched ? own : current;
    if (touched && !same(current, before[name]) && !same(current, own)) theirs[name] = current;
  }
  return { values: values as Values, theirs: theirs as Partial<Values> };
}
