/** Where one can go: the entries of the sidebar and their shortcut letters. Pure. */

import { type LucideIcon, Settings, Users } from "lucide-react";
import { may } from "../access/rules";
import type { Me, Page } from "../api/types";
import { texts } from "../texts";
import { pageIcon } from "./page-icons";

export interface Destination {
  to: string;
  label: string;
  icon: LucideIcon;
  letter: string | null;
}

export interface Navigation {
  /** Plugin pages, under a heading when a plugin has several. */
  sections: { heading: string | null; destinations: Destination[] }[];
  fixed: Destination[];
  /** Whether the plugin pages are known already. */
  complete: boolean;
}

const PEOPLE_RULES = [
  "identity.user.read",
  "identity.role.read",
  "identity.team.read",
  "identity.workspace.read",
];

export function pagePath(page: Pick<Page, "plugin" | "slug">): string {
  return `/p/${encodeURIComponent(page.plugin)}/${encodeURIComponent(page.slug)}`;
}

/** Each label gets the first of its letters that is still free, or none. */
export function assignLetters(labels: readonly string[]): (string | null)[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const letter = [...label.toLowerCase()].find(
      (character) => /[a-z]/u.test(character) && !taken.has(character),
    );
    if (letter === undefined) return null;
    taken.add(letter);
    return letter;
  });
}

function headingOf(plugin: string): string {
  const words = plugin.replaceAll(/[-_]/gu, " ");
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

type Unlettered = Omit<Destination, "letter">;

function fixedFor(me: Me): Unlettered[] {
  const settings = { to: "/settings", label: texts.shell.settings, icon: Settings };
  if (!PEOPLE_RULES.some((rule) => may(me, rule))) return [settings];
  return [{ to: "/people", label: texts.shell.people, icon: Users }, settings];
}

export function buildNavigation(me: Me, known: readonly Page[] | undefined): Navigation {
  const pages = known ?? [];
  const fixed = fixedFor(me);
  const letters = assignLetters(
    [...pages, ...fixed].map((entry) => ("title" in entry ? entry.title : entry.label)),
  );
  const lettered = pages.map((page, index) => ({
    plugin: page.plugin,
    to: pagePath(page),
    label: page.title,
    icon: pageIcon(page.icon),
    letter: letters[index] ?? null,
  }));
  const of = (plugin: string) => lettered.filter((entry) => entry.plugin === plugin);
  const plugins = [...new Set(pages.map((page) => page.plugin))];
  const several = plugins.filter((plugin) => of(plugin).length > 1);
  const alone = lettered.filter((entry) => !several.includes(entry.plugin));
  return {
    complete: known !== undefined,
    sections: [
      ...several.map((plugin) => ({ heading: headingOf(plugin), destinations: of(plugin) })),
      ...(alone.length > 0 ? [{ heading: null, destinations: alone }] : []),
    ],
    fixed: fixed.map((entry, index) => ({
      ...entry,
      letter: letters[pages.length + index] ?? null,
    })),
  };
}

export function allDestinations(navigation: Navigation): Destination[] {
  return [...navigation.sections.flatMap((section) => section.destinations), ...navigation.fixed];
}
