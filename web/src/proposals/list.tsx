/** A list of proposals: one's own, or all, narrowed to a state. What waits is in `inbox.tsx`. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Stamp } from "lucide-react";
import { useSearchParams } from "react-router";
import { proposalsPaged } from "../api/proposals";
import type { ProposalState } from "../api/types";
import { useSafetyNet } from "../live/live";
import { texts } from "../texts";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { LoadMore, Toolbar } from "../ui/page";
import { Select } from "../ui/select";
import { ProposalTable } from "./table";

const words = texts.proposals;

export type ListKind = keyof typeof words.emptyTitle;

const STATES = Object.keys(words.states) as ProposalState[];
const ANY = "any";
const CHOICES = [
  { value: ANY, label: words.anyState },
  ...STATES.map((state) => ({ value: state, label: words.states[state] })),
];

function parseState(value: string | null): ProposalState | null {
  return STATES.find((state) => state === value) ?? null;
}

interface ProposalListProps {
  kind: ListKind;
}

export function ProposalList({ kind }: ProposalListProps) {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parseState(parameters.get("state"));
  const query = useInfiniteQuery({
    ...proposalsPaged({ state: chosen, mine: kind === "mine" }),
    refetchInterval: useSafetyNet(),
  });
  const choose = (value: string) =>
    setParameters(value === ANY ? {} : { state: value }, { replace: true });
  return (
    <>
      <Toolbar>
        <Select
          compact
          label={words.state}
          value={chosen ?? ANY}
          choices={CHOICES}
          onChange={choose}
        />
      </Toolbar>
      <Loaded query={query}>
        {(proposals) =>
          proposals.length > 0 ? (
            <ProposalTable proposals={proposals} />
          ) : (
            <EmptyList
              icon={Stamp}
              title={words.emptyTitle[kind]}
              body={words.emptyBody[kind]}
              onClear={chosen === null ? null : () => choose(ANY)}
            />
          )
        }
      </Loaded>
      <LoadMore list={query} />
    </>
  );
}
