/** Who answers in chats: the tenant's own agents, and the built-in one. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import {
  AGENTS,
  agentChoicesQuery,
  agentsQuery,
  deleteAgent,
  integrationChoicesQuery,
  toolsQuery,
} from "../api/assistant";
import type { Agent } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { ManagedList } from "../ui/managed-list";
import { RowActions } from "../ui/row-actions";
import { Table } from "../ui/table";
import { EditAgent, NewAgent } from "./agent-dialog";
import type { Offer } from "./agent-fields";
import { type AgentRow, buildRows } from "./agent-rows";

const words = texts.agents;

export function AgentsPage() {
  return (
    <RequireRule rule="ai.agent.read">
      <Agents />
    </RequireRule>
  );
}

function useOffer(): Offer {
  const { data: integrations = [] } = useQuery(integrationChoicesQuery);
  const { data: tools = [] } = useQuery(toolsQuery);
  return { integrations, tools };
}

function Agents() {
  const query = useQuery(agentsQuery);
  const { data: choices = [] } = useQuery(agentChoicesQuery);
  const offer = useOffer();
  const mayManage = useMayEverywhere("ai.agent.manage");
  const [edited, setEdited] = useState<Agent | "new" | null>(null);
  const [deleting, setDeleting] = useState<Agent | null>(null);
  const close = () => setEdited(null);
  const drop = useAct({
    run: ({ id }: Agent) => deleteAgent(id),
    touches: [AGENTS],
    says: (_, { name }) => words.deleted(name),
  });
  return (
    <>
      <ManagedList
        query={query}
        about={words.about}
        empty={null}
        create={mayManage ? { label: words.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: deleting,
          title: ({ name }) => words.deleteTitle(name),
          body: () => words.deleteBody,
          run: drop,
          onClose: () => setDeleting(null),
        }}
      >
        {(agents) => (
          <AgentTable
            rows={buildRows(agents, choices, offer.integrations)}
            mayManage={mayManage}
            onEdit={setEdited}
            onDelete={setDeleting}
          />
        )}
      </ManagedList>
      {edited === "new" && <NewAgent offer={offer} onClose={close} />}
      {edited !== null && edited !== "new" && (
        <EditAgent agent={edited} offer={offer} onClose={close} />
      )}
    </>
  );
}

interface AgentTableProps {
  rows: readonly AgentRow[];
  mayManage: boolean;
  onEdit: (agent: Agent) => void;
  onDelete: (agent: Agent) => void;
}

function AgentTable({ rows, mayManage, onEdit, onDelete }: AgentTableProps) {
  const muted = { from: "tablet", className: "text-muted" } as const;
  return (
    <Table
      label={words.list}
      rows={rows}
      columns={[
        { key: "name", label: words.name, cell: (row) => <AgentName row={row} /> },
        { key: "model", label: words.model, ...muted, cell: ({ model }) => model },
        { key: "tools", label: words.tools, ...muted, cell: ({ tools }) => tools },
        { key: "steps", label: words.steps, ...muted, cell: ({ steps }) => steps },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: ({ own }) =>
            mayManage &&
            own !== null && (
              <RowActions
                editLabel={words.editTitle(own.name)}
                deleteLabel={words.deleteNamed(own.name)}
                onEdit={() => onEdit(own)}
                onDelete={() => onDelete(own)}
              />
            ),
        },
      ]}
    />
  );
}

interface AgentNameProps {
  row: AgentRow;
}

function AgentName({ row }: AgentNameProps) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {row.name}
        {row.isDefault && <Badge tone="accent">{words.byDefault}</Badge>}
        {row.own === null && <Badge>{words.builtIn}</Badge>}
        {row.own?.enabled === false && <Badge>{words.off}</Badge>}
      </p>
      <p className="font-mono text-xs text-muted">{row.slug}</p>
    </div>
  );
}
