/** In a chat: which system needs which, as links to them. */

import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import type { Dependency, System } from "../../api/types";
import { texts } from "../../texts";
import { Badge } from "../../ui/badge";
import { OutputView } from "../../values/output-view";
import type { ToolViewProps } from "../views";
import { systemPath } from "./paths";
import { nameOf, useSystems } from "./use-directory";

type Edge = Pick<Dependency, "id" | "systemId" | "dependsOnId" | "strength">;

function isEdge(value: unknown): value is Edge {
  const edge = value as Partial<Edge> | null;
  return (
    typeof edge?.id === "string" &&
    typeof edge.systemId === "string" &&
    typeof edge.dependsOnId === "string" &&
    (edge.strength === "hard" || edge.strength === "soft")
  );
}

/** The dependencies of a result, or nothing if it is something else. Pure. */
export function edgesOf(output: unknown): Edge[] | null {
  const items = (output as { items?: unknown } | null)?.items;
  return Array.isArray(items) && items.length > 0 && items.every(isEdge) ? items : null;
}

export function DependencyView({ output }: ToolViewProps) {
  const edges = edgesOf(output);
  const systems = useSystems(null);
  if (edges === null) return <OutputView value={output} />;
  return (
    <ul className="flex flex-col gap-1.5">
      {edges.map((edge) => (
        <li key={edge.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <SystemLink id={edge.systemId} systems={systems} />
          <ArrowRight
            size={14}
            aria-label={texts.catalog.dependencies.needs}
            className="shrink-0 text-muted"
          />
          <SystemLink id={edge.dependsOnId} systems={systems} />
          <Badge tone={edge.strength === "hard" ? "caution" : "plain"}>
            {texts.catalog.dependencies.strengths[edge.strength]}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

interface SystemLinkProps {
  id: string;
  systems: readonly System[];
}

function SystemLink({ id, systems }: SystemLinkProps) {
  return (
    <Link to={systemPath(id)} className="font-medium underline-offset-2 hover:underline">
      {nameOf(id, systems)}
    </Link>
  );
}
