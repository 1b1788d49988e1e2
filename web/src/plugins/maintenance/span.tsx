/** From when to when, in the zone of whoever looks; the end without its date where that is the same. */

interface SpanProps {
  startsAt: string;
  endsAt: string;
}

const BOTH = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function Span({ startsAt, endsAt }: SpanProps) {
  return <>{BOTH.formatRange(new Date(startsAt), new Date(endsAt))}</>;
}
