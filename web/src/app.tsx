/** Wires the pages: providers and routes. Everything is loaded when it is first opened. */

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createQueryClient } from "./session/query-client";
import { Crashed } from "./shell/crashed";
import { Toasts } from "./ui/toast";

const settings: RouteObject = {
  path: "settings",
  lazy: async () => ({ Component: (await import("./settings/layout")).SettingsLayout }),
  children: [
    { index: true, element: <Navigate to="profile" replace /> },
    {
      path: "profile",
      lazy: async () => ({ Component: (await import("./settings/profile")).ProfilePage }),
    },
    {
      path: "sessions",
      lazy: async () => ({ Component: (await import("./settings/sessions")).SessionsPage }),
    },
    {
      path: "keys",
      lazy: async () => ({ Component: (await import("./settings/keys")).KeysPage }),
    },
  ],
};

const people: RouteObject = {
  path: "people",
  lazy: async () => ({ Component: (await import("./people/layout")).PeopleLayout }),
  children: [
    { index: true, lazy: async () => ({ Component: (await import("./people/users")).UsersPage }) },
    {
      path: "roles",
      lazy: async () => ({ Component: (await import("./people/roles")).RolesPage }),
    },
    {
      path: "teams",
      lazy: async () => ({ Component: (await import("./people/teams")).TeamsPage }),
    },
    {
      path: "workspaces",
      lazy: async () => ({ Component: (await import("./people/workspaces")).WorkspacesPage }),
    },
  ],
};

const routes: RouteObject[] = [
  {
    path: "/login",
    lazy: async () => ({ Component: (await import("./login/page")).LoginPage }),
    ErrorBoundary: Crashed,
    HydrateFallback: () => null,
  },
  {
    path: "/",
    lazy: async () => ({ Component: (await import("./shell/shell")).Shell }),
    ErrorBoundary: Crashed,
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: Crashed,
        children: [
          { index: true, lazy: async () => ({ Component: (await import("./shell/home")).Home }) },
          settings,
          people,
          {
            path: "p/:plugin/:slug/*",
            lazy: async () => ({ Component: (await import("./plugins/page")).PluginPage }),
          },
          {
            path: "*",
            lazy: async () => ({ Component: (await import("./shell/page-missing")).PageMissing }),
          },
        ],
      },
    ],
  },
];

export function App() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createBrowserRouter(routes));
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={400}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
