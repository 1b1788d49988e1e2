/** The settings and their sections. */

import { Outlet } from "react-router";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Page, Tabs } from "../ui/page";

export function SettingsLayout() {
  const mayReadKeys = useMayEverywhere("identity.application.read");
  const mayReadPrograms = useMayEverywhere("identity.program.read");
  const tabs = [
    { to: "/settings/profile", label: texts.settings.profile },
    { to: "/settings/sessions", label: texts.settings.sessions },
    ...(mayReadPrograms ? [{ to: "/settings/programs", label: texts.settings.programs }] : []),
    ...(mayReadKeys ? [{ to: "/settings/keys", label: texts.settings.keys }] : []),
  ];
  return (
    <Page
      title={texts.settings.title}
      width="text"
      tabs={<Tabs label={texts.settings.sections} tabs={tabs} />}
    >
      <Outlet />
    </Page>
  );
}
