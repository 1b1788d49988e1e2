/** People and what they may do: the sections that the person may open. */

import { Outlet } from "react-router";
import { may } from "../access/rules";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Page, Tabs } from "../ui/page";

const SECTIONS = [
  { to: "/people", label: texts.people.tabs.people, rule: "identity.user.read", end: true },
  { to: "/people/roles", label: texts.people.tabs.roles, rule: "identity.role.read" },
  { to: "/people/teams", label: texts.people.tabs.teams, rule: "identity.team.read" },
  {
    to: "/people/workspaces",
    label: texts.people.tabs.workspaces,
    rule: "identity.workspace.read",
  },
];

export function PeopleLayout() {
  const me = useMe();
  const tabs = SECTIONS.filter(({ rule }) => may(me, rule));
  return (
    <Page
      title={texts.people.title}
      tabs={tabs.length > 0 && <Tabs label={texts.people.sections} tabs={tabs} />}
    >
      <Outlet />
    </Page>
  );
}
