/** Single calls of models, the newest first. */

import { useInfiniteQuery } from "@tanstack/react-query";
import type { ModelCall } from "../api/types";
import { callsPaged, type Days } from "../api/usage";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Loaded } from "../ui/loaded";
import { LoadMore, Section } from "../ui/page";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { showMoney, showNumber } from "./sums";

const words = texts.usage;

interface CallsProps {
  days: Days;
  person: { id: string; name: string } | null;
  onAll: () => void;
}

export function Calls({ days, person, onAll }: CallsProps) {
  const query = useInfiniteQuery(callsPaged(days, person?.id ?? null));
  return (
    <Section
      title={person === null ? words.singleTitle : words.singleOf(person.name)}
      action={
        person !== null && (
          <Button size="small" onClick={onAll}>
            {words.all}
          </Button>
        )
      }
    >
      <Loaded query={query}>{(calls) => <CallTable calls={calls} />}</Loaded>
      <LoadMore list={query} />
    </Section>
  );
}

function CallTable({ calls }: { calls: readonly ModelCall[] }) {
  return (
    <Table
      label={words.singleTitle}
      rows={calls}
      columns={[
        { key: "when", label: words.when, cell: (call) => <When call={call} /> },
        {
          key: "model",
          label: words.columns.model,
          from: "tablet",
          className: "wrap-anywhere",
          cell: ({ model }) => model,
        },
        {
          key: "purpose",
          label: words.columns.purpose,
          from: "desktop",
          className: "text-muted",
          cell: ({ purpose }) => words.purposes[purpose] ?? purpose,
        },
        {
          key: "outcome",
          label: words.outcome,
          from: "tablet",
          cell: (call) => <Outcome call={call} />,
        },
        {
          key: "tokens",
          label: words.tokens,
          figures: true,
          cell: ({ inputTokens, outputTokens }) => showNumber(inputTokens + outputTokens),
        },
        {
          key: "cost",
          label: words.cost,
          from: "tablet",
          figures: true,
          cell: ({ cost, currency }) =>
            cost === null || currency === null ? words.noCost : showMoney(Number(cost), currency),
        },
      ]}
    />
  );
}

function When({ call }: { call: ModelCall }) {
  return (
    <>
      <Time value={call.startedAt} />
      <span className="block text-[0.8125rem] text-muted">{call.principalName ?? words.gone}</span>
    </>
  );
}

function Outcome({ call }: { call: ModelCall }) {
  return (
    <>
      {words.outcomes[call.outcome]}
      {call.estimated && <span className="block text-xs text-muted">{words.estimate}</span>}
    </>
  );
}
