/** What came of each of several decisions. */

import { CircleAlert, CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Visible } from "../values/visible";
import type { BatchResult } from "./batch";
import { proposalPath } from "./paths";

const words = texts.inbox;

interface BatchResultsProps {
  results: readonly BatchResult[];
  onDismiss: () => void;
}

export function BatchResults({ results, onDismiss }: BatchResultsProps) {
  return (
    <section aria-label={words.results} className="rounded-xl border border-line bg-raised">
      <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="font-medium">{words.results}</h2>
        <Button size="small" variant="ghost" onClick={onDismiss} className="ml-auto">
          {words.dismiss}
        </Button>
      </div>
      <ul role="status" className="flex flex-col gap-1.5 px-4 py-3">
        {results.map(({ id, summary, good, says }) => (
          <li key={id} className="flex items-start gap-2">
            {good ? (
              <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
            ) : (
              <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-danger" />
            )}
            <span className="min-w-0 wrap-anywhere">
              <Link to={proposalPath(id)} className="font-medium hover:underline">
                <Visible text={summary} />
              </Link>{" "}
              <span className="text-muted">{says}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
