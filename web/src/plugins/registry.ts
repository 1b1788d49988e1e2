/** Pages of bundled plugins, compiled in and loaded when opened. Keyed `plugin/slug`. */

import type { ComponentType } from "react";
import { deferredPage } from "../ui/deferred";

const BUNDLED: Record<string, ComponentType> = {
  "catalog/systems": deferredPage(() => import("./catalog/systems"), "SystemsPage"),
  "catalog/groups": deferredPage(() => import("./catalog/groups"), "GroupsPage"),
  "catalog/environments": deferredPage(() => import("./catalog/environments"), "EnvironmentsPage"),
};

export function findBundledPage(plugin: string, slug: string): ComponentType | null {
  return BUNDLED[`${plugin}/${slug}`] ?? null;
}
