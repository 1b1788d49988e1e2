/** Wires the pages: providers and routes. Everything is loaded when it is first opened. */

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { createQueryClient } from "./session/query-client";
import { ErrorBoundary } from "./shell/error-boundary";
import { deferredPage } from "./ui/deferred";
import { Toasts } from "./ui/toast";

const LoginPage = deferredPage(() => import("./login/page"), "LoginPage");
const Shell = deferredPage(() => import("./shell/shell"), "Shell");
const Home = deferredPage(() => import("./shell/home"), "Home");
const PageMissing = deferredPage(() => import("./shell/page-missing"), "PageMissing");
const PluginPage = deferredPage(() => import("./plugins/page"), "PluginPage");
const SettingsLayout = deferredPage(() => import("./settings/layout"), "SettingsLayout");
const ProfilePage = deferredPage(() => import("./settings/profile"), "ProfilePage");
const SessionsPage = deferredPage(() => import("./settings/sessions"), "SessionsPage");
const KeysPage = deferredPage(() => import("./settings/keys"), "KeysPage");
const PeopleLayout = deferredPage(() => import("./people/layout"), "PeopleLayout");
const UsersPage = deferredPage(() => import("./people/users"), "UsersPage");
const RolesPage = deferredPage(() => import("./people/roles"), "RolesPage");
const TeamsPage = deferredPage(() => import("./people/teams"), "TeamsPage");
const WorkspacesPage = deferredPage(() => import("./people/workspaces"), "WorkspacesPage");

function Pages() {
  return (
    <Routes>
      <Route path="/login" element={<LoginPage />} />
      <Route path="/" element={<Shell />}>
        <Route index element={<Home />} />
        <Route path="settings" element={<SettingsLayout />}>
          <Route index element={<Navigate to="profile" replace />} />
          <Route path="profile" element={<ProfilePage />} />
          <Route path="sessions" element={<SessionsPage />} />
          <Route path="keys" element={<KeysPage />} />
        </Route>
        <Route path="people" element={<PeopleLayout />}>
          <Route index element={<UsersPage />} />
          <Route path="roles" element={<RolesPage />} />
          <Route path="teams" element={<TeamsPage />} />
          <Route path="workspaces" element={<WorkspacesPage />} />
        </Route>
        <Route path="p/:plugin/:slug/*" element={<PluginPage />} />
        <Route path="*" element={<PageMissing />} />
      </Route>
    </Routes>
  );
}

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={400}>
          <Toasts>
            <BrowserRouter>
              <ErrorBoundary>
                <Suspense fallback={null}>
                  <Pages />
                </Suspense>
              </ErrorBoundary>
            </BrowserRouter>
          </Toasts>
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
