/** Trying a script before it is saved, beside what it can use. Nothing where a strategy runs none. */

import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { describeFailure } from "../../api/failure";
import type { ScriptContextName, ScriptOutcome } from "../../api/types";
import { texts } from "../../texts";
import { Banner, type BannerTone } from "../../ui/banner";
import { Button } from "../../ui/button";
import { Fold } from "../../ui/fold";
import { JsonTree } from "../../values/json-tree";
import { readConfig, type SchemaField, type Shown } from "./config-schema";
import type { CheckDraft } from "./draft";
import { contextOf, contextQuery, sourceField, testScript } from "./script";

const words = texts.healthcheck.script;

interface ScriptTestProps {
  draft: CheckDraft;
  fields: readonly SchemaField[];
  shown: Shown;
  onSource: (name: string, source: string) => void;
}

export function ScriptTest({ draft, fields, shown, onSource }: ScriptTestProps) {
  const context = contextOf(draft.kind);
  const source = sourceField(fields);
  if (context === null || source === undefined) return null;
  return (
    <div className="flex flex-col gap-3">
      <Trying draft={draft} fields={fields} shown={shown} context={context} />
      <Around
        context={context}
        onStarter={(starter) => onSource(source.name, starter)}
        empty={shown[source.name] === "" || shown[source.name] === undefined}
      />
    </div>
  );
}

const LONGEST_MS = 30_000;

/** What a run of the check would have besides the script's own configuration. */
function surroundings({ timeoutMs, egress }: CheckDraft) {
  return {
    timeoutMs: Math.min(Number(timeoutMs) || LONGEST_MS, LONGEST_MS),
    reach: egress.split(/\s+/u).filter((origin) => origin !== ""),
  };
}

interface TryingProps extends Omit<ScriptTestProps, "onSource"> {
  context: ScriptContextName;
}

function Trying({ draft, fields, shown, context }: TryingProps) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<ScriptOutcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function test(): Promise<void> {
    setBusy(true);
    setResult(null);
    setFailure(null);
    const { config, unreadable } = readConfig(fields, shown);
    try {
      if (unreadable.length > 0)
        setFailure(`${unreadable.join(", ")}: ${texts.healthcheck.form.unreadable}`);
      else setResult(await testScript({ context, ...surroundings(draft) }, config));
    } catch (error) {
      setFailure(describeFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={FlaskConical} busy={busy} onClick={() => void test()}>
          {words.test}
        </Button>
        <p className="min-w-0 flex-1 text-[0.8125rem] text-muted">{words.hint}</p>
      </div>
      {failure !== null && <Banner tone="danger">{failure}</Banner>}
      {result !== null && <Tested result={result} />}
    </>
  );
}

function judge(result: ScriptOutcome): { tone: BannerTone; says: string } {
  if (result.timedOut) return { tone: "danger", says: words.timedOut };
  if (result.error !== null) return { tone: "danger", says: result.error || words.failed };
  if (result.exitCode !== null && result.exitCode !== 0) {
    return { tone: "danger", says: words.exitCode(result.exitCode) };
  }
  return { tone: "good", says: words.ok(result.durationMs) };
}

interface TestedProps {
  result: ScriptOutcome;
}

function Tested({ result }: TestedProps) {
  const { tone, says } = judge(result);
  return (
    <div className="flex flex-col gap-3">
      <Banner tone={tone}>{says}</Banner>
      {result.sandboxDowngraded && <Banner tone="caution">{words.weaker}</Banner>}
      {result.result !== undefined && result.result !== null && (
        <Part label={words.result}>
          <JsonTree value={result.result} />
        </Part>
      )}
      {result.stdout !== "" && <Printed label={words.output} text={result.stdout} />}
      {result.stderr !== "" && <Printed label={words.errors} text={result.stderr} />}
    </div>
  );
}

interface PartProps {
  label: string;
  children: React.ReactNode;
}

function Part({ label, children }: PartProps) {
  return (
    <section aria-label={label} className="min-w-0">
      <h3 className="mb-1 text-xs text-muted">{label}</h3>
      <div className="overflow-x-auto">{children}</div>
    </section>
  );
}

interface PrintedProps {
  label: string;
  text: string;
}

function Printed({ label, text }: PrintedProps) {
  return (
    <Part label={label}>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-lg border border-line bg-canvas px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed"
      >
        {text}
      </pre>
    </Part>
  );
}

interface AroundProps {
  context: ScriptContextName;
  empty: boolean;
  onStarter: (starter: string) => void;
}

function Around({ context, empty, onStarter }: AroundProps) {
  const query = useQuery(contextQuery(context));
  if (query.error) return <Banner tone="caution">{describeFailure(query.error)}</Banner>;
  if (query.data === undefined) return null;
  const { starter, ...rest } = query.data;
  return (
    <>
      {empty && typeof starter === "string" && (
        <div>
          <Button size="small" onClick={() => onStarter(starter)}>
            {words.starter}
          </Button>
        </div>
      )}
      <Fold title={words.context} open={false}>
        <ContextParts context={rest} />
      </Fold>
    </>
  );
}

interface ContextPartsProps {
  context: Record<string, unknown>;
}

/** Whatever the server says about it: texts as they are, anything else as a tree. */
function ContextParts({ context }: ContextPartsProps) {
  return Object.entries(context).map(([name, value]) =>
    typeof value === "string" && value.includes("\n") ? (
      <Printed key={name} label={name} text={value} />
    ) : (
      <Part key={name} label={name}>
        <JsonTree value={value} />
      </Part>
    ),
  );
}
