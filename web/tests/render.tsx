/** Renders a component with everything around it that the pages give it. */

import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import type { Me } from "../src/api/types";
import { MeProvider } from "../src/session/me";
import { createQueryClient } from "../src/session/query-client";
import { Toasts } from "../src/ui/toast";

export const ADA: Me = {
  id: "user-ada",
  name: "Ada Okafor",
  email: "ada@example.com",
  hasPassword: true,
  tenant: { id: "tenant-1", slug: "example", name: "Example" },
  workspaces: [
    { id: "payments", slug: "payments", name: "Payments" },
    { id: "platform", slug: "platform", name: "Platform" },
  ],
  teams: [{ id: "team-core", slug: "core", name: "Core" }],
  rules: [],
  workspaceRules: {},
};

interface Surroundings {
  me?: Me;
  at?: string;
}

export function renderPage(children: ReactNode, { me = ADA, at = "/" }: Surroundings = {}) {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <Toasts>
        <MemoryRouter initialEntries={[at]}>
          <MeProvider me={me}>{children}</MeProvider>
        </MemoryRouter>
      </Toasts>
    </QueryClientProvider>,
  );
}
