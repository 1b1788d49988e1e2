/** Pages of bundled plugins, compiled in and loaded when opened. Keyed `plugin/slug`. */

import type { ComponentType } from "react";
import { deferred } from "../ui/deferred";

const BUNDLED: Record<string, ComponentType> = {
  "catalog/systems": deferred(async () => (await import("./catalog/systems")).SystemsPage),
  "catalog/groups": deferred(async () => (await import("./catalog/groups")).GroupsPage),
  "catalog/environments": deferred(
    async () => (await import("./catalog/environments")).EnvironmentsPage,
  ),
  "healthcheck/checks": deferred(async () => (await import("./healthcheck/checks")).ChecksPage),
  "slo/objectives": deferred(async () => (await import("./slo/objectives")).ObjectivesPage),
  "anomaly/anomalies": deferred(async () => (await import("./anomaly/anomalies")).AnomaliesPage),
  "incident/incidents": deferred(async () => (await import("./incident/incidents")).IncidentsPage),
  "maintenance/windows": deferred(async () => (await import("./maintenance/windows")).WindowsPage),
};

export function findBundledPage(plugin: string, slug: string): ComponentType | null {
  return BUNDLED[`${plugin}/${slug}`] ?? null;
}
