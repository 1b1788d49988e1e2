/** Chats by the day on which they were last used, in the viewer's zone. Pure. */

import type { Conversation } from "../api/types";

export type Day = "today" | "yesterday" | "week" | "older";

const DAY_MS = 86_400_000;

function startOfDay(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
}

export function dayOf(iso: string, now: Date): Day {
  const at = Date.parse(iso);
  const today = startOfDay(now);
  if (at >= today) return "today";
  // Half a day back from midnight is yesterday, also when a day has 23 or 25 hours.
  const yesterday = startOfDay(new Date(today - DAY_MS / 2));
  if (at >= yesterday) return "yesterday";
  return at >= today - 7 * DAY_MS ? "week" : "older";
}

interface DayGroup {
  day: Day;
  conversations: Conversation[];
}

/** The list comes with the latest first, and so do the groups. */
export function groupByDay(conversations: readonly Conversation[], now: Date): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const conversation of conversations) {
    const day = dayOf(conversation.activeAt, now);
    const last = groups.at(-1);
    if (last?.day === day) last.conversations.push(conversation);
    else groups.push({ day, conversations: [conversation] });
  }
  return groups;
}
