/** Proposals: what waits, one's own, and all. */

import { Outlet } from "react-router";
import { texts } from "../texts";
import { Page, Tabs } from "../ui/page";
import { PROPOSALS_PATH } from "./paths";

const words = texts.proposals;

const TABS = [
  { to: PROPOSALS_PATH, label: words.tabs.waiting, end: true },
  { to: `${PROPOSALS_PATH}/mine`, label: words.tabs.mine },
  { to: `${PROPOSALS_PATH}/all`, label: words.tabs.all },
];

export function ProposalsLayout() {
  return (
    <Page title={words.title} tabs={<Tabs label={words.sections} tabs={TABS} />}>
      <Outlet />
    </Page>
  );
}
