/** Where tools may send data without a card. */

import { useQuery } from "@tanstack/react-query";
import { Globe, Trash2 } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { DESTINATIONS, destinationsQuery, forbidDestination, toolsQuery } from "../api/assistant";
import type { Destination } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { ManagedList } from "../ui/managed-list";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { NewDestination } from "./destination-dialog";

const words = texts.destinations;

export function DestinationsPage() {
  return (
    <RequireRule rule="ai.egress.read">
      <Destinations />
    </RequireRule>
  );
}

/** Tools by their titles, those that are gone by their names. */
function useTitles(): (tool: string) => string {
  const { data: tools = [] } = useQuery(toolsQuery);
  return (name) => tools.find((tool) => tool.name === name)?.title ?? name;
}

function Destinations() {
  const query = useQuery(destinationsQuery);
  const mayManage = useMayEverywhere("ai.egress.manage");
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Destination | null>(null);
  const remove = useAct({
    run: ({ id }: Destination) => forbidDestination(id),
    touches: [DESTINATIONS],
    says: (_, { origin }) => words.removed(origin),
  });
  return (
    <>
      <ManagedList
        query={query}
        about={words.about}
        empty={{ icon: Globe, title: words.emptyTitle, body: words.emptyBody }}
        create={mayManage ? { label: words.new, onClick: () => setAdding(true) } : null}
        removal={{
          item: removing,
          title: ({ origin }) => words.removeTitle(origin),
          body: () => words.removeBody,
          action: words.remove,
          run: remove,
          onClose: () => setRemoving(null),
        }}
      >
        {(destinations) => (
          <List destinations={destinations} onRemove={mayManage ? setRemoving : null} />
        )}
      </ManagedList>
      {adding && <NewDestination onClose={() => setAdding(false)} />}
    </>
  );
}

interface ListProps {
  destinations: readonly Destination[];
  onRemove: ((destination: Destination) => void) | null;
}

function List({ destinations, onRemove }: ListProps) {
  const titleOf = useTitles();
  const forTool = ({ tool }: Destination) => (tool === null ? words.everyTool : titleOf(tool));
  const muted = { from: "tablet", className: "text-muted" } as const;
  return (
    <Table
      label={words.list}
      rows={destinations.map((one) => ({ ...one, key: one.id }))}
      columns={[
        {
          key: "origin",
          label: words.origin,
          cell: (one) => <Origin destination={one} tool={forTool(one)} />,
        },
        { key: "tool", label: words.tool, ...muted, cell: forTool },
        {
          key: "added",
          label: words.added,
          ...muted,
          cell: ({ addedAt, addedByName }) => (
            <>
              <Time value={addedAt} />
              <span className="block whitespace-nowrap">{words.by(addedByName)}</span>
            </>
          ),
        },
        {
          key: "actions",
          label: words.remove,
          actions: true,
          cell: (one) =>
            onRemove !== null && (
              <IconButton
                label={words.removeNamed(one.origin)}
                icon={Trash2}
                tone="danger"
                onClick={() => onRemove(one)}
              />
            ),
        },
      ]}
    />
  );
}

interface OriginProps {
  destination: Destination;
  tool: string;
}

function Origin({ destination, tool }: OriginProps) {
  return (
    <div className="min-w-0">
      <p className="font-mono text-[0.8125rem] wrap-anywhere">{destination.origin}</p>
      {destination.note !== "" && (
        <p className="text-[0.8125rem] text-muted wrap-anywhere">{destination.note}</p>
      )}
      <p className="text-[0.8125rem] text-muted sm:hidden">{tool}</p>
    </div>
  );
}
