/** One system: what it is, where it runs, what it depends on and who may change it. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { may, mayGrant, mayManage } from "../../access/rules";
import { grantsQuery } from "../../api/grants";
import type { Grant, System } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { deferred, Later } from "../../ui/deferred";
import { Loaded } from "../../ui/loaded";
import { Page, PageSkeleton } from "../../ui/page";
import { Access, SYSTEM_KIND } from "./access";
import { Dependencies } from "./dependencies";
import { SYSTEMS_PATH } from "./paths";
import { deleteSystem, dependenciesQuery, systemQuery } from "./requests";
import { SystemFacts } from "./system-facts";

const EditSystem = deferred(async () => (await import("./system-dialogs")).EditSystem);

interface SystemPageProps {
  id: string;
}

export function SystemPage({ id }: SystemPageProps) {
  const query = useQuery(systemQuery(id));
  return (
    <Loaded query={query} loading={<PageSkeleton />}>
      {(system) => <SystemDetails system={system} />}
    </Loaded>
  );
}

function WayBack() {
  return (
    <Link
      to={SYSTEMS_PATH}
      className="mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-[0.8125rem] text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden="true" />
      {texts.catalog.systems.title}
    </Link>
  );
}

interface SystemDetailsProps {
  system: System;
}

function SystemDetails({ system }: SystemDetailsProps) {
  const me = useMe();
  const { data: grants } = useQuery({
    ...grantsQuery(SYSTEM_KIND, system.id),
    enabled: may(me, "identity.team.read"),
  });
  const [editing, setEditing] = useState(false);
  const { workspaceId } = system;
  const held = { rule: "catalog.system.manage", grants: grants ?? [] };
  const mayChange = mayManage(me, { ...held, workspaceId });
  return (
    <Page
      title={system.name}
      above={<WayBack />}
      actions={
        mayChange && (
          <>
            <Button icon={Pencil} onClick={() => setEditing(true)}>
              {texts.actions.edit}
            </Button>
            <DeleteSystem system={system} />
          </>
        )
      }
    >
      <p className="max-w-2xl whitespace-pre-line text-muted">
        {system.description || texts.catalog.noDescription}
      </p>
      <div className="mt-6 grid items-start gap-x-10 gap-y-8 @[44rem]:grid-cols-[minmax(0,1fr)_17rem]">
        <SystemFacts system={system} owners={ownersOf(grants ?? [])} />
        <div className="min-w-0 @[44rem]:col-start-1 @[44rem]:row-start-1">
          {may(me, "catalog.dependency.read", workspaceId) && (
            <Dependencies
              system={system}
              mayChange={may(me, "catalog.dependency.manage", workspaceId)}
            />
          )}
          {grants && <Access system={system} grants={grants} mayChange={mayGrant(me, held)} />}
        </div>
      </div>
      {editing && (
        <Later>
          <EditSystem system={system} onClose={() => setEditing(false)} />
        </Later>
      )}
    </Page>
  );
}

function ownersOf(grants: readonly Grant[]): string[] {
  return grants.filter((grant) => grant.level === "own").map((grant) => grant.subject.name);
}

interface DeleteSystemProps {
  system: System;
}

function DeleteSystem({ system }: DeleteSystemProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const dependencies = useQuery({ ...dependenciesQuery(system.id), enabled: asking });
  const drop = useAct({
    run: async () => {
      await deleteSystem(system.id);
      await navigate(SYSTEMS_PATH, { replace: true });
    },
    touches: [["catalog"]],
    says: () => texts.catalog.deleted(system.name),
  });
  return (
    <>
      <IconButton
        label={texts.actions.delete}
        icon={Trash2}
        tone="danger"
        onClick={() => setAsking(true)}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={texts.catalog.deleteTitle(system.name)}
        body={texts.catalog.systems.deleteBody({
          dependencies: dependencies.data?.length ?? 0,
          groups: system.groupIds.length,
          environments: system.environmentIds.length,
        })}
        action={texts.actions.delete}
        onConfirm={drop}
      />
    </>
  );
}
