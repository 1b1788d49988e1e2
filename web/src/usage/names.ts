/** What the groups of usage are called. Pure. */

import type { UsageGroup } from "../api/types";
import { texts } from "../texts";
import type { Group } from "./sums";

const words = texts.usage;

export type Grouping = Exclude<UsageGroup, "day">;

export function nameGroup(grouping: Grouping, { key, name }: Pick<Group, "key" | "name">): string {
  if (name !== null) return name;
  if (key === null) return grouping === "integration" ? words.demo : words.nobody;
  if (grouping === "purpose") return words.purposes[key] ?? key;
  return grouping === "person" || grouping === "integration" ? words.gone : key;
}
