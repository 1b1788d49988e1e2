/** Everything that waits for the signed-in person; what may be is decided together. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Inbox as InboxIcon } from "lucide-react";
import { useState } from "react";
import { describeFailure } from "../api/failure";
import { PROPOSALS, waitingQuery } from "../api/proposals";
import type { ProposalLine } from "../api/types";
import { useSafetyNet } from "../live/live";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { Tick } from "../ui/tick";
import { type BatchKind, type BatchResult, decideAll, whyAlone } from "./batch";
import { BatchResults } from "./batch-results";
import { InboxItem } from "./inbox-item";

const words = texts.inbox;

export function Inbox() {
  const query = useQuery({ ...waitingQuery, refetchInterval: useSafetyNet() });
  return <Loaded query={query}>{({ items }) => <Waiting items={items} />}</Loaded>;
}

/** What comes while one looks is not chosen: nobody decides about what they have not seen. */
function useChoice(items: readonly ProposalLine[]) {
  const together = items.filter((line) => whyAlone(line) === null);
  const [ids, setIds] = useState(() => new Set(together.map(({ id }) => id)));
  return {
    together,
    chosen: together.filter(({ id }) => ids.has(id)),
    set: (lines: readonly ProposalLine[], on: boolean) =>
      setIds((before) => {
        const after = new Set(before);
        for (const { id } of lines) {
          if (on) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
  };
}

function useBatch() {
  const client = useQueryClient();
  const [busy, setBusy] = useState<BatchKind | null>(null);
  const [results, setResults] = useState<BatchResult[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  async function decide(lines: readonly ProposalLine[], kind: BatchKind) {
    if (busy !== null) return;
    setBusy(kind);
    setFailure(null);
    try {
      setResults(await decideAll(lines, kind));
    } catch (error) {
      setFailure(describeFailure(error));
    } finally {
      await client.invalidateQueries({ queryKey: PROPOSALS });
      setBusy(null);
    }
  }

  return { busy, results, failure, decide, dismiss: () => setResults([]) };
}

interface WaitingProps {
  items: readonly ProposalLine[];
}

function Waiting({ items }: WaitingProps) {
  const { together, chosen, set } = useChoice(items);
  const { busy, results, failure, decide, dismiss } = useBatch();
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Banner tone="danger">{failure}</Banner>}
      {results.length > 0 && <BatchResults results={results} onDismiss={dismiss} />}
      {items.length === 0 && (
        <EmptyList icon={InboxIcon} title={words.emptyTitle} body={words.emptyBody} />
      )}
      {together.length > 1 && (
        <BatchBar
          all={together.length}
          chosen={chosen.length}
          busy={busy}
          onAll={(on) => set(together, on)}
          onDecide={(kind) => void decide(chosen, kind)}
        />
      )}
      {items.length > 0 && (
        <ul
          aria-label={words.list}
          className="divide-y divide-line rounded-xl border border-line bg-raised"
        >
          {items.map((line) => (
            <InboxItem
              key={line.id}
              line={line}
              choosable={together.length > 1}
              chosen={chosen.includes(line)}
              onChoose={(on) => set([line], on)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface BatchBarProps {
  all: number;
  chosen: number;
  busy: BatchKind | null;
  onAll: (on: boolean) => void;
  onDecide: (kind: BatchKind) => void;
}

function BatchBar({ all, chosen, busy, onAll, onDecide }: BatchBarProps) {
  const none = chosen === 0;
  return (
    <div className="sticky top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-raised py-1.5 pr-2 shadow-soft">
      <Tick
        checked={chosen === all}
        partly={!none && chosen < all}
        onChange={onAll}
        className="rounded-lg"
      >
        <span>{words.all}</span>
      </Tick>
      <span role="status" className="text-xs text-muted tabular-nums max-sm:pl-3">
        {words.chosen(chosen, all)}
      </span>
      <div className="ml-auto flex gap-2 pl-2 max-sm:w-full max-sm:*:flex-1">
        <Button
          disabled={none || busy !== null}
          busy={busy === "decline"}
          onClick={() => onDecide("decline")}
        >
          {words.decline(chosen)}
        </Button>
        <Button
          variant="primary"
          disabled={none || busy !== null}
          busy={busy === "apply"}
          onClick={() => onDecide("apply")}
        >
          {words.apply(chosen)}
        </Button>
      </div>
    </div>
  );
}
