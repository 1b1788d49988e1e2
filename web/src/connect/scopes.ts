/** What a program asks for, sorted for a person who decides about it. Pure. */

import { gives } from "../access/rules";
import type { ConsentScope } from "../api/types";
import { texts } from "../texts";

const words = texts.connect;

const READ = ".read";
const MANAGE = ".manage";
const EVERYTHING = "*";
/** All that is asked for is on the screen, so nothing of it can be overlooked. */
const FEW = 6;

export const GROUPS = ["see", "prepare", "assent"] as const;
export type GroupName = (typeof GROUPS)[number];

export interface ScopeGroup {
  name: GroupName;
  places: { name: string; scopes: ConsentScope[] }[];
  rules: string[];
}

export interface Asked {
  groups: ScopeGroup[];
  notHeld: ConsentScope[];
  /** So little that it is all shown from the start. */
  isShort: boolean;
}

function placeOf(rule: string): string {
  return rule.split(".")[0] ?? rule;
}

/** Where rules are about Assent itself. */
function isOwn(place: string): place is keyof typeof words.own {
  return Object.hasOwn(words.own, place);
}

const NAMES: Readonly<Record<string, string>> = { ...words.places, ...words.own };

export function namePlace(place: string): string {
  if (Object.hasOwn(NAMES, place)) return NAMES[place] ?? place;
  return place.charAt(0).toLocaleUpperCase() + place.slice(1);
}

/** A program prepares what a person would change. */
export function describeScope({ rule, title }: Omit<ConsentScope, "held">): string {
  if (rule === EVERYTHING) return words.everything;
  const things = /^Change (.+)$/u.exec(title)?.[1];
  return things === undefined || rule.endsWith(READ) ? title : words.prepare(things);
}

/** Where it sees something, and where it prepares changes, by name. */
export function findPlaces(scopes: readonly { rule: string }[]) {
  const name = (rules: readonly { rule: string }[]) => [
    ...new Set(rules.map(({ rule }) => namePlace(placeOf(rule)))),
  ];
  return {
    isEverything: scopes.some(({ rule }) => rule === EVERYTHING),
    seen: name(scopes),
    prepared: name(scopes.filter(({ rule }) => rule.endsWith(MANAGE))),
  };
}

function groupOf({ rule }: ConsentScope): GroupName {
  if (isOwn(placeOf(rule))) return "assent";
  return rule.endsWith(READ) ? "see" : "prepare";
}

function buildGroup(name: GroupName, scopes: ConsentScope[]): ScopeGroup {
  const places = [...new Set(scopes.map(({ rule }) => placeOf(rule)))];
  return {
    name,
    places: places.map((place) => ({
      name: place,
      scopes: scopes.filter(({ rule }) => placeOf(rule) === place),
    })),
    rules: scopes.map(({ rule }) => rule),
  };
}

export function sortScopes(scopes: readonly ConsentScope[]): Asked {
  const held = scopes.filter((scope) => scope.held);
  const groups = GROUPS.map((name) =>
    buildGroup(
      name,
      held.filter((scope) => groupOf(scope) === name),
    ),
  );
  return {
    groups: groups.filter(({ rules }) => rules.length > 0),
    notHeld: scopes.filter((scope) => !scope.held),
    isShort: held.length <= FEW,
  };
}

/** What concerns Assent itself is not chosen for anybody who may not have seen that it is there. */
export function chooseAtFirst({ groups, isShort }: Asked, allowed: readonly string[]): string[] {
  return groups.flatMap(({ name, rules }) =>
    name === "assent" && !isShort ? rules.filter((rule) => gives(allowed, rule)) : rules,
  );
}

/** Preparing changes to something includes seeing it, so the two go together. */
export function toggle(
  chosen: readonly string[],
  { rules, on, offered }: { rules: readonly string[]; on: boolean; offered: readonly string[] },
): string[] {
  const [from, to] = on ? [MANAGE, READ] : [READ, MANAGE];
  const along = rules
    .filter((rule) => rule.endsWith(from))
    .map((rule) => rule.slice(0, -from.length) + to);
  const touched = new Set([...rules, ...along]);
  return offered.filter((rule) => (touched.has(rule) ? on : chosen.includes(rule)));
}
