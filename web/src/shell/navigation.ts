/** Where one can go: the entries of the sidebar and their shortcut letters. Pure. */

import {
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  type LucideIcon,
  ScrollText,
  Settings,
  Stamp,
  Users,
} from "lucide-react";
import { may, mayAnywhere } from "../access/rules";
import type { Me, Page } from "../api/types";
import { KNOWLEDGE_PATH, KNOWLEDGE_RULES } from "../knowledge/paths";
import { texts } from "../texts";
import { pageIcon } from "./page-icons";

export interface Destination {
  to: string;
  label: string;
  icon: LucideIcon;
  letter: string | null;
  /** How much waits there, as shown. */
  waiting: string | null;
}

export interface Navigation {
  /** What every signed-in person has, above the plugin pages. */
  top: Destination[];
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

const ASSISTANT_RULES = [
  "ai.agent.read",
  "ai.approval.read",
  "ai.credit.read",
  "ai.egress.read",
  "ai.integration.read",
  "ai.webhook.read",
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

type Unlettered = Pick<Destination, "to" | "label" | "icon">;

const PROPOSALS = { to: "/proposals", label: texts.shell.proposals, icon: Stamp };
const AUDIT = { to: "/audit", label: texts.shell.audit, icon: ScrollText };
const USAGE = { to: "/usage", label: texts.shell.usage, icon: ChartNoAxesColumn };
const ASSISTANT = { to: "/assistant", label: texts.shell.assistant, icon: Bot };
const KNOWLEDGE = { to: KNOWLEDGE_PATH, label: texts.shell.knowledge, icon: BookOpen };
const PEOPLE = { to: "/people", label: texts.shell.people, icon: Users };
const SETTINGS = { to: "/settings", label: texts.shell.settings, icon: Settings };

function fixedFor(me: Me): Unlettered[] {
  return [
    ...(may(me, "audit.entry.read") ? [AUDIT] : []),
    ...(may(me, "ai.usage.read") ? [USAGE] : []),
    ...(KNOWLEDGE_RULES.some((rule) => mayAnywhere(me, rule)) ? [KNOWLEDGE] : []),
    ...(ASSISTANT_RULES.some((rule) => may(me, rule)) ? [ASSISTANT] : []),
    ...(PEOPLE_RULES.some((rule) => may(me, rule)) ? [PEOPLE] : []),
    SETTINGS,
  ];
}

function linkOf(page: Page) {
  return {
    plugin: page.plugin,
    to: pagePath(page),
    label: page.title,
    icon: pageIcon(page.icon),
    waiting: null,
  };
}

export function buildNavigation(
  me: Me,
  known: readonly Page[] | undefined,
  waiting: string | null = null,
): Navigation {
  const pages = (known ?? []).map(linkOf);
  const fixed = fixedFor(me);
  const letters = assignLetters([PROPOSALS, ...pages, ...fixed].map(({ label }) => label));
  const lettered = pages.map((page, index) => ({ ...page, letter: letters[1 + index] ?? null }));
  const of = (plugin: string) => lettered.filter((entry) => entry.plugin === plugin);
  const plugins = [...new Set(pages.map((page) => page.plugin))];
  const several = plugins.filter((plugin) => of(plugin).length > 1);
  const alone = lettered.filter((entry) => !several.includes(entry.plugin));
  return {
    complete: known !== undefined,
    top: [{ ...PROPOSALS, letter: letters[0] ?? null, waiting }],
    sections: [
      ...several.map((plugin) => ({ heading: headingOf(plugin), destinations: of(plugin) })),
      ...(alone.length > 0 ? [{ heading: null, destinations: alone }] : []),
    ],
    fixed: fixed.map((entry, index) => ({
      ...entry,
      letter: letters[1 + pages.length + index] ?? null,
      waiting: null,
    })),
  };
}

export function allDestinations(navigation: Navigation): Destination[] {
  const { top, sections, fixed } = navigation;
  return [...top, ...sections.flatMap((section) => section.destinations), ...fixed];
}
