/** Which notifications were sent, and which could not be. */

import type { Delivery } from "../../api/types";
import { texts } from "../../texts";
import { Badge, type BadgeTone } from "../../ui/badge";
import { Card, Section } from "../../ui/page";
import { Time } from "../../ui/time";

const words = texts.timeline.deliveries;

const TONES: Record<Delivery["state"], BadgeTone> = {
  waiting: "caution",
  sent: "accent",
  failed: "danger",
};

interface DeliveriesProps {
  deliveries: Delivery[];
}

export function Deliveries({ deliveries }: DeliveriesProps) {
  if (deliveries.length === 0) return null;
  return (
    <Section title={words.heading}>
      <Card>
        <ul className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <li
              key={delivery.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5"
            >
              <Badge tone={TONES[delivery.state]}>{words.states[delivery.state]}</Badge>
              <span className="min-w-0 flex-1 truncate">{delivery.origin}</span>
              <span className="text-[0.8125rem] text-muted">
                <Time value={delivery.triedAt ?? delivery.createdAt} />
              </span>
              {delivery.reason !== "" && (
                <p className="basis-full text-[0.8125rem] text-muted">
                  {words.reason(delivery.reason, delivery.tries)}
                </p>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
