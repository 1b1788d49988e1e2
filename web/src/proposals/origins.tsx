/** Where the values on a card came from, and what makes it red. */

import {
  Bot,
  type LucideIcon,
  MessageSquare,
  Paperclip,
  Search,
  TriangleAlert,
  User,
} from "lucide-react";
import type { Proposal } from "../api/types";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { encodePath, type Path } from "../values/path";
import { Visible } from "../values/visible";

const words = texts.origins;

type Match = Proposal["provenance"]["marks"][number]["matches"][number];
type Origin = Match["origin"];

const ICONS: Record<Origin, LucideIcon> = {
  typed: User,
  tool: Search,
  document: Paperclip,
  attachment: Paperclip,
  message: MessageSquare,
  model: Bot,
};

/** A note for each value of the arguments; nothing where it is not known. */
export function annotateWith({ provenance }: Proposal) {
  const marks = new Map(provenance.marks.map((mark) => [mark.path, mark.matches]));
  return (path: Path) => {
    const matches = marks.get(encodePath(path));
    return matches && <OriginNote matches={matches} />;
  };
}

interface OriginNoteProps {
  matches: readonly Match[];
}

function OriginNote({ matches }: OriginNoteProps) {
  return (
    <ul className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
      {matches.map((match) => (
        <OriginLine key={`${match.origin} ${match.name} ${match.trusted}`} match={match} />
      ))}
    </ul>
  );
}

interface OriginLineProps {
  match: Match;
}

function OriginLine({ match }: OriginLineProps) {
  const Icon = match.trusted ? ICONS[match.origin] : TriangleAlert;
  return (
    <li
      className={classes(
        "inline-flex items-center gap-1",
        match.trusted ? "text-muted" : "font-medium text-danger",
      )}
    >
      <Icon size={12} aria-hidden="true" className="shrink-0" />
      <span className="wrap-anywhere">
        <Visible text={words.describe(match)} />
      </span>
    </li>
  );
}

interface RedNoticeProps {
  proposal: Proposal;
}

export function RedNotice({ proposal }: RedNoticeProps) {
  const { alarms } = proposal.provenance;
  if (alarms.length === 0) return null;
  return (
    <section
      role="note"
      aria-label={words.red}
      className="rounded-lg border border-danger/40 bg-danger-soft px-3 py-2.5 text-on-danger-soft"
    >
      <h3 className="flex items-center gap-2 font-medium">
        <TriangleAlert size={16} aria-hidden="true" className="shrink-0" />
        {words.red}
      </h3>
      <ul className="mt-1.5 flex flex-col gap-1 text-[0.8125rem]">
        {alarms.map((alarm) => (
          <li key={`${alarm.path} ${alarm.code}`} className="text-pretty wrap-anywhere">
            {alarm.path !== "" && (
              <>
                <code className="font-mono font-medium">
                  <Visible text={alarm.path} />
                </code>
                {": "}
              </>
            )}
            <Visible text={alarm.sentence} />
          </li>
        ))}
      </ul>
    </section>
  );
}
