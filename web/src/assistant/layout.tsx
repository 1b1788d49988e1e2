/** Who answers in chats and with which models: the sections that the person may open. */

import { Navigate, Outlet } from "react-router";
import { may } from "../access/rules";
import type { Me } from "../api/types";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Page, Tabs } from "../ui/page";
import { Forbidden } from "../ui/states";
import {
  AGENTS_PATH,
  APPROVALS_PATH,
  CREDITS_PATH,
  DESTINATIONS_PATH,
  INTEGRATIONS_PATH,
  WEBHOOK_PATH,
} from "./paths";

const words = texts.assistant;

const SECTIONS = [
  { to: INTEGRATIONS_PATH, label: words.tabs.integrations, rule: "ai.integration.read" },
  { to: AGENTS_PATH, label: words.tabs.agents, rule: "ai.agent.read" },
  { to: APPROVALS_PATH, label: words.tabs.approvals, rule: "ai.approval.read" },
  { to: DESTINATIONS_PATH, label: words.tabs.destinations, rule: "ai.egress.read" },
  { to: CREDITS_PATH, label: words.tabs.credits, rule: "ai.credit.read" },
  { to: WEBHOOK_PATH, label: words.tabs.webhook, rule: "ai.webhook.read" },
];

const sectionsFor = (me: Me) => SECTIONS.filter(({ rule }) => may(me, rule));

export function AssistantLayout() {
  const tabs = sectionsFor(useMe());
  return (
    <Page title={words.title} tabs={tabs.length > 0 && <Tabs label={words.sections} tabs={tabs} />}>
      <Outlet />
    </Page>
  );
}

/** The first section that one may open. */
export function AssistantStart() {
  const [first] = sectionsFor(useMe());
  if (first === undefined) return <Forbidden rule="ai.integration.read" />;
  return <Navigate to={first.to} replace />;
}
