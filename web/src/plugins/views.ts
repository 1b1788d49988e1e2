/**
 * Views of tools' results in a chat, by the tool's name; loaded when the first is shown.
 *
 * A plugin that is compiled in adds a line here. Whatever has no view is shown in the form that fits
 * (`values/output-view.tsx`).
 */

import type { ComponentType } from "react";
import { deferred } from "../ui/deferred";

export interface ToolViewProps {
  /** The arguments and the result of one call, as the model saw them: never rely on their shape. */
  input: unknown;
  output: unknown;
}

const VIEWS: ReadonlyMap<string, ComponentType<ToolViewProps>> = new Map([
  [
    "dependency.list",
    deferred<ToolViewProps>(async () => (await import("./catalog/dependency-view")).DependencyView),
  ],
]);

export function findToolView(toolName: string): ComponentType<ToolViewProps> | null {
  return VIEWS.get(toolName) ?? null;
}
