/** The question in full, and after the answer what came of it. */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useId, useRef, useState } from "react";
import { allowProgram, denyProgram } from "../api/connections";
import { describeFailure } from "../api/failure";
import { Problem } from "../api/problem";
import { ME } from "../api/session";
import type { ConsentRequest, Consent as ConsentView } from "../api/types";
import { Account } from "../session/account";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { Card } from "../ui/page";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { type Answer, Gone } from "./gone";
import { Program } from "./program";
import { isOwnScheme } from "./redirect";
import { ScopeList } from "./scope-list";
import { chooseAtFirst, sortScopes } from "./scopes";

const words = texts.connect;

interface ConsentProps {
  asked: ConsentView;
  request: ConsentRequest;
  leave: (address: string) => void;
}

/** One answer, once: a second click sends nothing. Whoever is signed out signs in and is asked again. */
function useAnswer(request: ConsentRequest) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [gone, setGone] = useState<{ answer: Answer; to: string } | null>(null);
  const underWay = useRef(false);

  async function fail(error: unknown): Promise<void> {
    setFailure(describeFailure(error));
    const signedOut = error instanceof Problem && error.status === 401;
    if (signedOut) await client.invalidateQueries({ queryKey: ME });
  }

  async function give(answer: Answer, scopes: string[]): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(answer);
    setFailure(null);
    try {
      const send = answer === "allow" ? allowProgram(request, scopes) : denyProgram(request);
      setGone({ answer, to: (await send).redirectTo });
    } catch (error) {
      await fail(error);
    } finally {
      underWay.current = false;
      setBusy(null);
    }
  }

  return { busy, failure, gone, give };
}

export function Consent({ asked, request, leave }: ConsentProps) {
  const { busy, failure, gone, give } = useAnswer(request);
  const sorted = sortScopes(asked.scopes);
  const [chosen, setChosen] = useState(() => chooseAtFirst(sorted, asked.alreadyAllowed));
  const [missing, setMissing] = useState(false);
  if (gone !== null) return <Gone asked={asked} leave={leave} {...gone} />;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setMissing(chosen.length === 0);
    if (chosen.length > 0) void give("allow", chosen);
  }

  return (
    <form aria-label={words.title} onSubmit={submit} className="flex flex-col gap-6">
      <Program asked={asked} />
      <Card className="divide-y divide-line">
        <Part title={words.account}>
          <Account />
        </Part>
        <Part title={words.may} body={words.mayBody}>
          <Before asked={asked} />
          <ScopeList
            asked={sorted}
            chosen={chosen}
            allowed={asked.alreadyAllowed}
            onChange={setChosen}
          />
          {missing && chosen.length === 0 && <Banner tone="danger">{words.chooseOne}</Banner>}
        </Part>
        <div className="flex flex-col gap-4 px-4 py-4 sm:px-5">
          {(asked.isLoopback || isOwnScheme(asked.redirectHost)) && (
            <Banner
              tone="caution"
              title={asked.isLoopback ? words.loopbackTitle : words.ownSchemeTitle}
            >
              {words.loopback}
            </Banner>
          )}
          {failure !== null && (
            <Banner tone="danger" title={words.failed}>
              {failure}
            </Banner>
          )}
          <Answers
            busy={busy}
            mayAllow={sorted.groups.length > 0}
            onDeny={() => void give("deny", [])}
          />
          <p className="text-center text-[0.8125rem] text-pretty text-muted">
            {words.redirect}{" "}
            <span className="font-medium wrap-anywhere text-ink">
              <Visible text={asked.redirectHost} />
            </span>
          </p>
        </div>
      </Card>
      <p className="text-center text-[0.8125rem] text-pretty text-muted">{words.takeBack}</p>
    </form>
  );
}

interface AnswersProps {
  busy: Answer | null;
  mayAllow: boolean;
  onDeny: () => void;
}

function Answers({ busy, mayAllow, onDeny }: AnswersProps) {
  return (
    <div className="flex gap-2 *:flex-1">
      <Button size="large" busy={busy === "deny"} disabled={busy === "allow"} onClick={onDeny}>
        {words.deny}
      </Button>
      {mayAllow && (
        <Button
          size="large"
          type="submit"
          variant="primary"
          busy={busy === "allow"}
          disabled={busy === "deny"}
        >
          {words.allow}
        </Button>
      )}
    </div>
  );
}

interface BeforeProps {
  asked: ConsentView;
}

function Before({ asked: { knownSince, alreadyAllowed } }: BeforeProps) {
  if (alreadyAllowed.length === 0) return null;
  return (
    <p className="mb-3 text-[0.8125rem] text-pretty text-muted">
      {knownSince === null ? (
        words.known
      ) : (
        <>
          {words.knownSince} <Time value={knownSince} />.
        </>
      )}{" "}
      {words.replaces}
    </p>
  );
}

interface PartProps {
  title: string;
  body?: string;
  children: ReactNode;
}

function Part({ title, body, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="px-4 py-4 sm:px-5">
      <h2 id={id} className="text-[0.8125rem] font-medium text-muted">
        {title}
      </h2>
      {body !== undefined && <p className="text-[0.8125rem] text-pretty text-muted">{body}</p>}
      <div className="mt-2.5">{children}</div>
    </section>
  );
}
