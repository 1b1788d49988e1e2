/** What the assistant is told for later: the sections that the person may open. */

import { Navigate, Outlet } from "react-router";
import { mayAnywhere } from "../access/rules";
import type { Me } from "../api/types";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Page, Tabs } from "../ui/page";
import { Forbidden } from "../ui/states";
import {
  BUSINESS_PATH,
  CORRECTIONS_PATH,
  DOCUMENTS_PATH,
  MEMORIES_PATH,
  SKILLS_PATH,
} from "./paths";

const words = texts.knowledge;

const SECTIONS = [
  { to: MEMORIES_PATH, label: words.tabs.memories, rule: "ai.memory.read" },
  { to: SKILLS_PATH, label: words.tabs.skills, rule: "ai.skill.read" },
  { to: DOCUMENTS_PATH, label: words.tabs.documents, rule: "ai.document.read" },
  { to: BUSINESS_PATH, label: words.tabs.business, rule: "ai.context.read" },
  { to: CORRECTIONS_PATH, label: words.tabs.corrections, rule: "ai.correction.read" },
];

const sectionsFor = (me: Me) => SECTIONS.filter(({ rule }) => mayAnywhere(me, rule));

export function KnowledgeLayout() {
  const tabs = sectionsFor(useMe());
  return (
    <Page title={words.title} tabs={tabs.length > 0 && <Tabs label={words.sections} tabs={tabs} />}>
      <Outlet />
    </Page>
  );
}

/** The first section that one may open. */
export function KnowledgeStart() {
  const [first] = sectionsFor(useMe());
  if (first === undefined) return <Forbidden rule="ai.memory.read" />;
  return <Navigate to={first.to} replace />;
}
