/** One check: how it stands, how it did over a time, and its last runs. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Pause, Pencil, Play, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { may } from "../../access/rules";
import { describeFailure } from "../../api/failure";
import type { Assertion, Check } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import { Banner } from "../../ui/banner";
import { Button, IconButton, LinkButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Loaded } from "../../ui/loaded";
import { Page, PageSkeleton, Section } from "../../ui/page";
import { CheckFacts } from "./check-facts";
import { Figures } from "./figures";
import { CHECKS_PATH, editCheckPath } from "./paths";
import {
  CHECKS,
  changeCheck,
  checkQuery,
  deleteCheck,
  REFRESH_MS,
  runCheck,
  schemaQuery,
} from "./requests";
import { Runs } from "./runs";
import { CheckStanding } from "./status";

const words = texts.healthcheck;

interface CheckPageProps {
  id: string;
}

export function CheckPage({ id }: CheckPageProps) {
  const query = useQuery({ ...checkQuery(id), refetchInterval: REFRESH_MS });
  return (
    <Loaded query={query} loading={<PageSkeleton />}>
      {(check) => <CheckDetails check={check} />}
    </Loaded>
  );
}

export function WayBack() {
  return (
    <Link
      to={CHECKS_PATH}
      className="mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-[0.8125rem] text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden="true" />
      {words.title}
    </Link>
  );
}

interface CheckDetailsProps {
  check: Check;
}

function CheckDetails({ check }: CheckDetailsProps) {
  const mayChange = may(useMe(), "healthcheck.check.manage", check.workspaceId);
  const [failure, setFailure] = useState<string | null>(null);
  return (
    <Page
      title={check.name}
      above={<WayBack />}
      beside={
        <span role="status">
          <CheckStanding check={check} />
        </span>
      }
      actions={mayChange && <Deeds check={check} onFailure={setFailure} />}
    >
      {failure !== null && (
        <div className="mb-4">
          <Banner tone="danger">{failure}</Banner>
        </div>
      )}
      {check.description !== "" && (
        <p className="mb-3 max-w-2xl whitespace-pre-line text-muted">{check.description}</p>
      )}
      {check.enabled && check.status !== "up" && check.reason !== "" && (
        <div className="mb-4 max-w-2xl">
          <Banner tone={check.status === "down" ? "danger" : "caution"}>{check.reason}</Banner>
        </div>
      )}
      <div className="mt-2 grid items-start gap-x-10 gap-y-8 @[44rem]:grid-cols-[minmax(0,1fr)_17rem]">
        <CheckFacts check={check} />
        <div className="min-w-0 @[44rem]:col-start-1 @[44rem]:row-start-1">
          <Figures check={check} />
          <Expectations check={check} />
          <Runs check={check} />
        </div>
      </div>
    </Page>
  );
}

interface DeedsProps {
  check: Check;
  onFailure: (message: string | null) => void;
}

function Deeds({ check, onFailure }: DeedsProps) {
  const [busy, setBusy] = useState(false);
  const touches = [CHECKS];
  const run = useAct({ run: () => runCheck(check.id), touches, says: () => words.running });
  const turn = useAct({
    run: () => changeCheck(check.id, { enabled: !check.enabled }),
    touches,
    says: ({ enabled, name }) => (enabled ? words.resumed(name) : words.paused(name)),
  });

  async function attempt(deed: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    onFailure(null);
    try {
      await deed();
    } catch (error) {
      onFailure(describeFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {check.enabled && (
        <Button icon={RotateCw} disabled={busy} onClick={() => void attempt(run)}>
          {words.runNow}
        </Button>
      )}
      <Button
        icon={check.enabled ? Pause : Play}
        disabled={busy}
        onClick={() => void attempt(turn)}
      >
        {check.enabled ? words.pause : words.resume}
      </Button>
      <LinkButton to={editCheckPath(check.id)} icon={Pencil}>
        {texts.actions.edit}
      </LinkButton>
      <DeleteCheck check={check} />
    </>
  );
}

function DeleteCheck({ check }: CheckDetailsProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const drop = useAct({
    run: async () => {
      await deleteCheck(check.id);
      await navigate(CHECKS_PATH, { replace: true });
    },
    touches: [["healthcheck"]],
    says: () => words.deleted(check.name),
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
        title={words.deleteTitle(check.name)}
        body={words.deleteBody}
        action={texts.actions.delete}
        onConfirm={drop}
      />
    </>
  );
}

function describeAssertion({ field, operator, value }: Assertion): string {
  const said = words.form.operators[operator] ?? operator;
  const compared = value === undefined || value === null ? "" : ` ${JSON.stringify(value)}`;
  return `${field} ${said}${compared}`;
}

function Expectations({ check }: CheckDetailsProps) {
  const schema = useQuery(schemaQuery(check.strategy.kind));
  const own = check.assertions.length > 0;
  const shown = own ? check.assertions : (schema.data?.expects ?? []);
  return (
    <Section title={words.expects}>
      {shown.length === 0 ? (
        <p className="text-muted">{words.expectsNothing}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {shown.map((assertion) => (
            <li
              key={describeAssertion(assertion)}
              className="font-mono text-[0.8125rem] wrap-anywhere"
            >
              {describeAssertion(assertion)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
