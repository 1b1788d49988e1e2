/** One integration: how it is set up, whether it answers, and what can be done with it. */

import { FlaskConical, Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Integration } from "../api/types";
import { texts } from "../texts";
import { Badge, Badges } from "../ui/badge";
import { Banner } from "../ui/banner";
import { Button, IconButton } from "../ui/button";
import { Card } from "../ui/page";
import { Switch } from "../ui/switch";
import { describePeriod } from "./integration-draft";
import type { TestState } from "./use-test";
import { formatThousands } from "./whole-number";

const words = texts.integrations;
const MOST_MODELS = 6;

export interface IntegrationDeeds {
  onTest: () => void;
  onEdit: () => void;
  onDelete: () => void;
  onEnable: (enabled: boolean) => void;
}

interface IntegrationCardProps {
  integration: Integration;
  isFirst: boolean;
  tested: TestState | undefined;
  /** Nothing for those who may only look. */
  deeds: IntegrationDeeds | null;
}

export function IntegrationCard({ integration, isFirst, tested, deeds }: IntegrationCardProps) {
  const { name, baseUrl, enabled } = integration;
  return (
    <Card className="flex flex-col gap-3.5 p-4">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="flex flex-wrap items-center gap-2 font-medium">
            <span className="min-w-0 truncate">{name}</span>
            {isFirst && <Badge tone="accent">{words.first}</Badge>}
            {!enabled && <Badge>{words.off}</Badge>}
          </h2>
          <p className="mt-0.5 truncate font-mono text-xs text-muted" title={baseUrl}>
            {baseUrl}
          </p>
        </div>
        {deeds !== null && <Deeds integration={integration} tested={tested} deeds={deeds} />}
      </div>
      <Facts integration={integration} />
      {tested !== undefined && <Outcome tested={tested} model={integration.defaultModel} />}
    </Card>
  );
}

interface DeedsProps extends Pick<IntegrationCardProps, "integration" | "tested"> {
  deeds: IntegrationDeeds;
}

function Deeds({ integration: { name, enabled }, tested, deeds }: DeedsProps) {
  return (
    <div className="flex items-center gap-1.5">
      <span aria-hidden="true" className="text-[0.8125rem] text-muted">
        {words.inChats}
      </span>
      <Switch label={words.enabledNamed(name)} checked={enabled} onChange={deeds.onEnable} />
      <Button
        size="small"
        icon={FlaskConical}
        aria-label={words.testNamed(name)}
        busy={tested === "testing"}
        onClick={deeds.onTest}
        className="ml-2"
      >
        {words.test}
      </Button>
      <IconButton label={words.editTitle(name)} icon={Pencil} onClick={deeds.onEdit} />
      <IconButton
        label={words.deleteNamed(name)}
        icon={Trash2}
        tone="danger"
        onClick={deeds.onDelete}
      />
    </div>
  );
}

type FactsProps = Pick<IntegrationCardProps, "integration">;

function Facts({ integration }: FactsProps) {
  const { provider, defaultModel, allowedModels, hasKey, cap, contextWindow } = integration;
  const models = [...new Set([defaultModel, ...allowedModels])];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Fact label={words.models}>
        <Badges names={models} most={MOST_MODELS} wrap />
      </Fact>
      <Fact label={words.provider}>{words.kinds[provider]}</Fact>
      <Fact label={words.key}>{hasKey ? words.keyKept : words.keyNone}</Fact>
      {cap !== null && (
        <Fact label={words.cap}>
          {words.capPer(formatThousands(cap.tokens), describePeriod(cap.seconds))}
        </Fact>
      )}
      {contextWindow !== null && (
        <Fact label={words.window}>{words.windowTokens(formatThousands(contextWindow))}</Fact>
      )}
    </dl>
  );
}

interface FactProps {
  label: string;
  children: ReactNode;
}

export function Fact({ label, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

interface OutcomeProps {
  tested: TestState;
  model: string;
}

function Outcome({ tested, model }: OutcomeProps) {
  if (tested === "testing") {
    return (
      <p role="status" className="text-[0.8125rem] text-muted">
        <span className="shimmer">{words.testing}</span>
      </p>
    );
  }
  if (!tested.works) {
    return (
      <Banner tone="danger" title={words.worksNot}>
        {tested.problem}
      </Banner>
    );
  }
  const listed = tested.models ?? [];
  return (
    <Banner tone="good" title={words.works(model)}>
      {listed.length > 0 && (
        <details>
          <summary className="text-[0.8125rem]">{words.listsModels(listed.length)}</summary>
          <p className="mt-1.5 max-h-40 overflow-y-auto font-mono text-xs leading-5 wrap-anywhere">
            {listed.join(", ")}
          </p>
        </details>
      )}
    </Banner>
  );
}
