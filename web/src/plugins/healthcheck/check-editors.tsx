/** A new check, or another shape for one that is there. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import type { Capability, Check } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Loaded } from "../../ui/loaded";
import { Page, PageSkeleton } from "../../ui/page";
import { Forbidden } from "../../ui/states";
import { usePlacement } from "../catalog/placement";
import { CheckForm } from "./check-form";
import { WayBack } from "./check-page";
import { draftOf, emptyDraft } from "./draft";
import { checkPath } from "./paths";
import { addCheck, CHECKS, capabilitiesQuery, changeCheck, checkQuery } from "./requests";

const words = texts.healthcheck;
const MANAGE = "healthcheck.check.manage";

/** Most checks are of web addresses. */
function firstKind(strategies: readonly Capability[]): string {
  const usual = strategies.find(({ kind }) => kind === "http");
  return (usual ?? strategies[0])?.kind ?? "";
}

export function NewCheck() {
  const placement = usePlacement(MANAGE);
  const navigate = useNavigate();
  const capabilities = useQuery(capabilitiesQuery);
  const add = useAct({
    run: addCheck,
    touches: [CHECKS],
    says: ({ name }) => words.added(name),
  });
  return (
    <Page title={words.new} above={<WayBack />}>
      {placement.options.length === 0 ? (
        <Forbidden rule={MANAGE} />
      ) : (
        <Loaded query={capabilities}>
          {({ strategies, collectors }) => (
            <CheckForm
              label={words.new}
              action={texts.actions.create}
              initial={{
                ...emptyDraft(placement.initial),
                kind: firstKind(strategies),
              }}
              places={placement.options}
              strategies={strategies}
              collectors={collectors}
              onSubmit={async (body) => navigate(checkPath((await add(body)).id))}
            />
          )}
        </Loaded>
      )}
    </Page>
  );
}

interface EditCheckProps {
  id: string;
}

export function EditCheck({ id }: EditCheckProps) {
  const query = useQuery({ ...checkQuery(id), refetchOnWindowFocus: false });
  return (
    <Loaded query={query} loading={<PageSkeleton />}>
      {(check) => <Editing check={check} />}
    </Loaded>
  );
}

interface EditingProps {
  check: Check;
}

function Editing({ check }: EditingProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const capabilities = useQuery(capabilitiesQuery);
  const version = useRef(check.version);
  const initial = useRef(draftOf(check)).current;
  const save = useAct({
    run: (body: Record<string, unknown>) =>
      changeCheck(check.id, { ...body, expectedVersion: version.current }),
    touches: [CHECKS],
    says: ({ name }) => words.saved(name),
  });
  return (
    <Page title={words.editTitle(check.name)} above={<WayBack />}>
      <Loaded query={capabilities}>
        {({ strategies, collectors }) => (
          <CheckForm
            label={words.editTitle(check.name)}
            action={texts.actions.save}
            initial={initial}
            places={[]}
            strategies={strategies}
            collectors={collectors}
            onSubmit={async (body) => {
              await save(body);
              await navigate(checkPath(check.id));
            }}
            reload={async () => {
              const newest = await client.fetchQuery({ ...checkQuery(check.id), staleTime: 0 });
              version.current = newest.version;
              return draftOf(newest);
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}
