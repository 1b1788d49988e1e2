/** Wires the pages: providers and routes. Everything is loaded when it is first opened. */

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { createQueryClient } from "./session/query-client";
import { ErrorBoundary } from "./shell/error-boundary";
import { deferred } from "./ui/deferred";
import { Toasts } from "./ui/toast";

const ConnectPage = deferred(async () => (await import("./connect/page")).ConnectPage);
const DecidePage = deferred(async () => (await import("./decide/page")).DecidePage);
const LoginPage = deferred(async () => (await import("./login/page")).LoginPage);
const Shell = deferred(async () => (await import("./shell/shell")).Shell);
const StartPage = deferred(async () => (await import("./chat/start")).StartPage);
const PageMissing = deferred(async () => (await import("./shell/page-missing")).PageMissing);
const PluginPage = deferred(async () => (await import("./plugins/page")).PluginPage);
const SettingsLayout = deferred(async () => (await import("./settings/layout")).SettingsLayout);
const ProfilePage = deferred(async () => (await import("./settings/profile")).ProfilePage);
const SessionsPage = deferred(async () => (await import("./settings/sessions")).SessionsPage);
const ProgramsPage = deferred(async () => (await import("./settings/programs")).ProgramsPage);
const KeysPage = deferred(async () => (await import("./settings/keys")).KeysPage);
const PeopleLayout = deferred(async () => (await import("./people/layout")).PeopleLayout);
const UsersPage = deferred(async () => (await import("./people/users")).UsersPage);
const RolesPage = deferred(async () => (await import("./people/roles")).RolesPage);
const TeamsPage = deferred(async () => (await import("./people/teams")).TeamsPage);
const WorkspacesPage = deferred(async () => (await import("./people/workspaces")).WorkspacesPage);
const ProposalsLayout = deferred(async () => (await import("./proposals/layout")).ProposalsLayout);
const ProposalList = deferred(async () => (await import("./proposals/list")).ProposalList);
const Inbox = deferred(async () => (await import("./proposals/inbox")).Inbox);
const ProposalPage = deferred(async () => (await import("./proposals/proposal-page")).ProposalPage);
const AssistantLayout = deferred(async () => (await import("./assistant/layout")).AssistantLayout);
const AssistantStart = deferred(async () => (await import("./assistant/layout")).AssistantStart);
const AgentsPage = deferred(async () => (await import("./assistant/agents")).AgentsPage);
const ApprovalsPage = deferred(async () => (await import("./approvals/page")).ApprovalsPage);
const IntegrationsPage = deferred(
  async () => (await import("./assistant/integrations")).IntegrationsPage,
);
const DestinationsPage = deferred(
  async () => (await import("./assistant/destinations")).DestinationsPage,
);
const CreditsPage = deferred(async () => (await import("./assistant/credits")).CreditsPage);
const WebhookPage = deferred(async () => (await import("./assistant/webhook")).WebhookPage);
const KnowledgeLayout = deferred(async () => (await import("./knowledge/layout")).KnowledgeLayout);
const KnowledgeStart = deferred(async () => (await import("./knowledge/layout")).KnowledgeStart);
const MemoriesPage = deferred(async () => (await import("./knowledge/memories")).MemoriesPage);
const SkillsPage = deferred(async () => (await import("./knowledge/skills")).SkillsPage);
const DocumentsPage = deferred(async () => (await import("./knowledge/documents")).DocumentsPage);
const BusinessPage = deferred(async () => (await import("./knowledge/business")).BusinessPage);
const CorrectionsPage = deferred(
  async () => (await import("./knowledge/corrections")).CorrectionsPage,
);
const UsagePage = deferred(async () => (await import("./usage/page")).UsagePage);
const CardsPage = deferred(async () => (await import("./dev/cards-page")).CardsPage);
const AuditPage = deferred(async () => (await import("./audit/page")).AuditPage);

function Pages() {
  return (
    <Routes>
      <Route path="/login" element={<LoginPage />} />
      <Route path="/connect" element={<ConnectPage />} />
      <Route path="/decide/:proposalId" element={<DecidePage />} />
      <Route path="/" element={<Shell />}>
        <Route index element={<StartPage />} />
        <Route path="chat/:conversationId" element={null} />
        <Route path="proposals" element={<ProposalsLayout />}>
          <Route index element={<Inbox />} />
          <Route path="mine" element={<ProposalList kind="mine" />} />
          <Route path="all" element={<ProposalList kind="all" />} />
        </Route>
        <Route path="proposals/:proposalId" element={<ProposalPage />} />
        <Route path="audit" element={<AuditPage />} />
        <Route path="usage" element={<UsagePage />} />
        <Route path="assistant" element={<AssistantLayout />}>
          <Route index element={<AssistantStart />} />
          <Route path="agents" element={<AgentsPage />} />
          <Route path="approvals" element={<ApprovalsPage />} />
          <Route path="integrations" element={<IntegrationsPage />} />
          <Route path="destinations" element={<DestinationsPage />} />
          <Route path="credits" element={<CreditsPage />} />
          <Route path="webhook" element={<WebhookPage />} />
        </Route>
        <Route path="knowledge" element={<KnowledgeLayout />}>
          <Route index element={<KnowledgeStart />} />
          <Route path="memories" element={<MemoriesPage />} />
          <Route path="skills" element={<SkillsPage />} />
          <Route path="documents" element={<DocumentsPage />} />
          <Route path="business-context" element={<BusinessPage />} />
          <Route path="corrections" element={<CorrectionsPage />} />
        </Route>
        <Route path="settings" element={<SettingsLayout />}>
          <Route index element={<Navigate to="profile" replace />} />
          <Route path="profile" element={<ProfilePage />} />
          <Route path="sessions" element={<SessionsPage />} />
          <Route path="programs" element={<ProgramsPage />} />
          <Route path="keys" element={<KeysPage />} />
        </Route>
        <Route path="people" element={<PeopleLayout />}>
          <Route index element={<UsersPage />} />
          <Route path="roles" element={<RolesPage />} />
          <Route path="teams" element={<TeamsPage />} />
          <Route path="workspaces" element={<WorkspacesPage />} />
        </Route>
        <Route path="p/:plugin/:slug/*" element={<PluginPage />} />
        <Route path="dev/cards" element={<CardsPage />} />
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
