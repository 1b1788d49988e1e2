/** The pages of health checks before a server that answers. */

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import type { Check } from "../../../src/api/types";
import { ChecksPage } from "../../../src/plugins/healthcheck/checks";
import { ADA, renderPage } from "../../render";
import { stubServer } from "../../server";
import { ALL, CAPABILITIES, makeCheck, makeRun, makeStats } from "./make";

export const BASE = "/api/p/healthcheck";
export const PAGE = "/p/healthcheck/checks";
export const MANAGER = { ...ADA, rules: ["healthcheck.check.manage"] };
export const READER = { ...ADA, rules: ["healthcheck.check.read"] };

type Answers = Parameters<typeof stubServer>[0];

export function serve(check: Check = makeCheck(), more: Answers = {}) {
  const schemas = Object.fromEntries(
    ALL.map((schema) => [`GET ${BASE}/capabilities/${schema.kind}`, { body: schema }]),
  );
  return stubServer({
    [`GET ${BASE}/checks`]: { body: { items: [check] } },
    [`GET ${BASE}/checks/${check.id}`]: { body: check },
    [`GET ${BASE}/checks/${check.id}/runs`]: {
      body: {
        items: [
          makeRun(),
          makeRun({ dueAt: "2026-03-01T11:59:00Z", status: "down", reason: "No answer." }),
        ],
      },
    },
    [`GET ${BASE}/checks/${check.id}/stats`]: { body: makeStats() },
    [`GET ${BASE}/capabilities`]: { body: CAPABILITIES },
    ...schemas,
    ...more,
  });
}

export function open(at = PAGE, me = MANAGER) {
  return renderPage(
    <Routes>
      <Route path={`${PAGE}/*`} element={<ChecksPage />} />
    </Routes>,
    { me, at },
  );
}

export async function choose(label: string, option: RegExp): Promise<void> {
  await userEvent.click(await screen.findByRole("combobox", { name: label }));
  await userEvent.click(await screen.findByRole("option", { name: option }));
}
