/** Pages of bundled plugins, compiled in and loaded when opened. Keyed `plugin/slug`. */

import { type ComponentType, type LazyExoticComponent, lazy } from "react";

type BundledPage = LazyExoticComponent<ComponentType>;

const BUNDLED: Record<string, BundledPage> = {
  "catalog/systems": lazy(async () => ({
    default: (await import("./catalog/systems")).SystemsPage,
  })),
  "catalog/groups": lazy(async () => ({
    default: (await import("./catalog/groups")).GroupsPage,
  })),
  "catalog/environments": lazy(async () => ({
    default: (await import("./catalog/environments")).EnvironmentsPage,
  })),
};

export function findBundledPage(plugin: string, slug: string): BundledPage | null {
  return BUNDLED[`${plugin}/${slug}`] ?? null;
}
