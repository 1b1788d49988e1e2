/** Facts that every prompt has: one's own, the workspace's, the tenant's and the platform's. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { may, mayAnywhere } from "../access/rules";
import { BUSINESS, businessQuery, setFacts, setOwnFacts } from "../api/knowledge";
import type { BusinessContext, LevelFacts } from "../api/types";
import { ChangedNotice } from "../forms/changed-notice";
import { TextField } from "../forms/form";
import { FormCard } from "../forms/form-card";
import { useAct } from "../forms/use-act";
import { useVersionedForm } from "../forms/use-versioned-form";
import { invalidOf } from "../forms/validate";
import { useMe, useWorkspace } from "../session/me";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { Lead, Section } from "../ui/page";
import { type Facts, factsOf, linesOf } from "./facts";

const words = texts.knowledge.business;
const ROWS = 5;

export function BusinessPage() {
  const me = useMe();
  const { workspace } = useWorkspace();
  const id = workspace?.id ?? null;
  const query = useQuery(businessQuery(id));
  return (
    <>
      <Lead body={words.about} />
      <Loaded query={query}>
        {({ user, workspace: near, tenant, platform }) => (
          <div key={id} className="flex flex-col gap-8">
            <Level
              title={words.own}
              level={user}
              pick={(found) => found.user}
              workspaceId={id}
              save={setOwnFacts}
              mayChange={mayAnywhere(me, "ai.memory.manage")}
            />
            {near !== null && workspace !== null && (
              <Level
                title={words.workspace(workspace.name)}
                level={near}
                pick={(found) => found.workspace}
                workspaceId={id}
                save={(facts, version) => setFacts(facts, version, id)}
                mayChange={may(me, "ai.context.manage", workspace.id)}
              />
            )}
            <Level
              title={words.tenant}
              level={tenant}
              pick={(found) => found.tenant}
              workspaceId={id}
              save={(facts, version) => setFacts(facts, version, null)}
              mayChange={may(me, "ai.context.manage")}
            />
            <Platform facts={platform} />
          </div>
        )}
      </Loaded>
    </>
  );
}

interface PlatformProps {
  facts: Facts;
}

function Platform({ facts }: PlatformProps) {
  if (Object.keys(facts).length === 0) return null;
  return (
    <Section title={words.platform}>
      <pre className="max-w-3xl overflow-x-auto font-mono text-[0.8125rem] whitespace-pre-wrap text-muted">
        {linesOf(facts)}
      </pre>
    </Section>
  );
}

interface LevelProps {
  title: string;
  level: LevelFacts;
  pick: (found: BusinessContext) => LevelFacts | null;
  workspaceId: string | null;
  save: (facts: Facts, version: number) => Promise<unknown>;
  mayChange: boolean;
}

function Level({ title, level, pick, workspaceId, save, mayChange }: LevelProps) {
  const client = useQueryClient();
  const act = useAct({ run: save, touches: [BUSINESS], says: () => words.saved });
  const { form, state, loadNewest } = useVersionedForm<{ facts: string }>({
    loaded: { values: { facts: linesOf(level.facts) }, version: level.version },
    validate: ({ facts }) =>
      invalidOf({ facts: factsOf(facts) === null ? words.notFacts : undefined }),
    reload: async () => {
      const found = await client.fetchQuery({ ...businessQuery(workspaceId), staleTime: 0 });
      const newest = pick(found) ?? level;
      return { values: { facts: linesOf(newest.facts) }, version: newest.version };
    },
    save: async ({ facts }, version) => act(factsOf(facts) ?? {}, version),
  });
  return (
    <FormCard key={level.version} form={form} label={title} mayChange={mayChange}>
      <ChangedNotice state={state} onLoad={loadNewest} />
      <TextField
        form={form}
        name="facts"
        kind="area"
        rows={ROWS}
        label={title}
        hint={words.hint}
        optional
      />
    </FormCard>
  );
}
