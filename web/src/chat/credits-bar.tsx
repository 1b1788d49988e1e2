/** Above the composer: that credits run low, are used up, or that the chat is switched off. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { agentChoicesQuery, integrationChoicesQuery } from "../api/assistant";
import type { ConversationView, CreditsNow } from "../api/types";
import { CREDITS, creditsQuery } from "../api/usage";
import { CREDITS_PATH } from "../assistant/paths";
import { useMayEverywhere } from "../session/me";
import { useStored } from "../session/stored";
import { texts } from "../texts";
import { Banner, type BannerTone } from "../ui/banner";
import { Button, LinkButton } from "../ui/button";
import { showDay } from "../usage/days";
import { isProvided } from "./models";

const words = texts.credits;
const PUT_AWAY = "assent:credits-put-away";

type Spoken = Pick<ConversationView, "agent" | "integrationId" | "model">;

export type CreditState = "fine" | "low" | "exhausted" | "off";

export function creditStateOf(now: CreditsNow | undefined): CreditState {
  if (now === undefined) return "fine";
  if (!now.chatEnabled) return "off";
  return now.state === "none" ? "fine" : now.state;
}

/** Why nothing can be said, or nothing. Used-up credits only count for models that are provided. */
export function useBlocked({ agent, integrationId, model }: Spoken): string | null {
  const { data } = useQuery(creditsQuery);
  const { data: integrations = [] } = useQuery(integrationChoicesQuery);
  const { data: agents = [] } = useQuery(agentChoicesQuery);
  const state = creditStateOf(data);
  if (state === "off") return words.offTitle;
  if (state !== "exhausted") return null;
  const answers = agents.find(({ slug, isDefault }) =>
    agent === null ? isDefault : slug === agent,
  );
  const wishes = [{ integrationId, model }, ...(answers === undefined ? [] : [answers])];
  return isProvided(wishes, integrations) ? words.blocked : null;
}

/** A turn that is over has taken of them. */
export function useFreshCredits(busy: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!busy) void client.invalidateQueries({ queryKey: CREDITS });
  }, [busy, client]);
}

/** Whether the chat is on, as far as is known. */
export function useChatOn(): boolean {
  return creditStateOf(useQuery(creditsQuery).data) !== "off";
}

export function CreditsBar() {
  const { data } = useQuery(creditsQuery);
  const [away, putAway] = useStored(PUT_AWAY);
  const mayRaise = useMayEverywhere("ai.credit.manage");
  if (data === undefined) return null;
  const resets = showDay(data.resetsAt.slice(0, 10));
  const raise = mayRaise && (
    <LinkButton size="small" to={CREDITS_PATH}>
      {words.raise}
    </LinkButton>
  );
  const dismiss = (
    <Button
      size="small"
      variant="ghost"
      onClick={() => putAway(data.resetsAt)}
      className="text-inherit!"
    >
      {words.dismiss}
    </Button>
  );
  switch (creditStateOf(data)) {
    case "fine":
      return null;
    case "off":
      return (
        <Bar tone="caution" title={words.offTitle} action={raise}>
          {mayRaise ? words.offAdmin : words.off}
        </Bar>
      );
    case "exhausted":
      return (
        <Bar tone="danger" title={words.outTitle} action={raise}>
          {mayRaise ? words.outAdmin(resets) : words.out(resets)}
        </Bar>
      );
    case "low":
      if (away === data.resetsAt) return null;
      return (
        <Bar
          tone="caution"
          title={words.lowTitle}
          action={
            <div className="flex gap-2">
              {raise}
              {dismiss}
            </div>
          }
        >
          {words.low(data.percent ?? 0, resets)}
        </Bar>
      );
  }
}

interface BarProps {
  tone: BannerTone;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Bar({ tone, title, action, children }: BarProps) {
  return (
    <div className="mx-auto w-full max-w-3xl px-3 pb-2 sm:px-6">
      <Banner tone={tone} title={title} action={action}>
        {children}
      </Banner>
    </div>
  );
}
