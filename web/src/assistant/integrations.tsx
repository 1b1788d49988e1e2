/** The model providers that chats may use. */

import { useQuery } from "@tanstack/react-query";
import { Plug, Plus } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import {
  AGENTS,
  changeIntegration,
  deleteIntegration,
  INTEGRATIONS,
  integrationChoicesQuery,
  integrationsQuery,
} from "../api/assistant";
import { describeFailure } from "../api/failure";
import type { Integration, IntegrationChoice } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Badge, Badges } from "../ui/badge";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { Card, Lead } from "../ui/page";
import { useToast } from "../ui/toast";
import { IntegrationCard } from "./integration-card";
import { EditIntegration, NewIntegration } from "./integration-dialog";
import { useTest } from "./use-test";

const words = texts.integrations;
const TOUCHED = [INTEGRATIONS, AGENTS];

export function IntegrationsPage() {
  return (
    <RequireRule rule="ai.integration.read">
      <Integrations />
    </RequireRule>
  );
}

function useEnable() {
  const say = useToast();
  const change = useAct({ run: changeIntegration, touches: TOUCHED });
  return async ({ id, version }: Integration, enabled: boolean) => {
    try {
      await change(id, { enabled, expectedVersion: version });
    } catch (error) {
      say(describeFailure(error), "failed");
    }
  };
}

function Integrations() {
  const query = useQuery(integrationsQuery);
  const mayManage = useMayEverywhere("ai.integration.manage");
  const [adding, setAdding] = useState(false);
  const add = mayManage && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      {words.new}
    </Button>
  );
  const { states, test } = useTest();
  return (
    <>
      {query.data?.length !== 0 && <Lead body={words.about} action={query.data && add} />}
      <FromEnvironment known={query.data} />
      <Loaded query={query}>
        {(integrations) =>
          integrations.length === 0 ? (
            <EmptyList icon={Plug} title={words.emptyTitle} body={words.emptyBody} action={add} />
          ) : (
            <List integrations={integrations} mayManage={mayManage} states={states} test={test} />
          )
        }
      </Loaded>
      {adding && (
        <NewIntegration
          onClose={() => setAdding(false)}
          onSaved={({ id }) => {
            setAdding(false);
            void test(id);
          }}
        />
      )}
    </>
  );
}

interface ListProps extends ReturnType<typeof useTest> {
  integrations: readonly Integration[];
  mayManage: boolean;
}

function List({ integrations, mayManage, states, test }: ListProps) {
  const [edited, setEdited] = useState<Integration | null>(null);
  const [deleting, setDeleting] = useState<Integration | null>(null);
  const enable = useEnable();
  const drop = useAct({
    run: ({ id }: Integration) => deleteIntegration(id),
    touches: TOUCHED,
    says: (_, { name }) => words.deleted(name),
  });
  const first = integrations.find(({ enabled }) => enabled);
  const deedsFor = (integration: Integration) => ({
    onTest: () => void test(integration.id),
    onEdit: () => setEdited(integration),
    onDelete: () => setDeleting(integration),
    onEnable: (enabled: boolean) => void enable(integration, enabled),
  });
  return (
    <>
      <ul aria-label={words.list} className="flex flex-col gap-3">
        {integrations.map((integration) => (
          <li key={integration.id}>
            <IntegrationCard
              integration={integration}
              isFirst={integration === first && integrations.length > 1}
              tested={states[integration.id]}
              deeds={mayManage ? deedsFor(integration) : null}
            />
          </li>
        ))}
      </ul>
      {edited !== null && (
        <EditIntegration
          integration={edited}
          onClose={() => setEdited(null)}
          onSaved={({ id }) => {
            setEdited(null);
            void test(id);
          }}
        />
      )}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={words.deleteTitle(deleting?.name ?? "")}
        body={words.deleteBody}
        action={texts.actions.delete}
        onConfirm={async () => deleting && drop(deleting)}
      />
    </>
  );
}

interface FromEnvironmentProps {
  known: readonly Integration[] | undefined;
}

/** What serves without having been added here. */
function FromEnvironment({ known }: FromEnvironmentProps) {
  const { data = [] } = useQuery(integrationChoicesQuery);
  if (known === undefined) return null;
  const ids = new Set(known.map(({ id }) => id));
  return data
    .filter(({ id }) => !ids.has(id))
    .map((choice) => <EnvironmentCard key={choice.id} choice={choice} />);
}

interface EnvironmentCardProps {
  choice: IntegrationChoice;
}

function EnvironmentCard({ choice: { name, models } }: EnvironmentCardProps) {
  return (
    <Card className="mb-3 flex flex-col gap-2 p-4">
      <h2 className="flex flex-wrap items-center gap-2 font-medium">
        {name}
        <Badge>{words.fromEnvironment}</Badge>
      </h2>
      <Badges names={models} most={6} wrap />
      <p className="text-[0.8125rem] text-muted">{words.fromEnvironmentBody}</p>
    </Card>
  );
}
