import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Anomaly } from "../../../src/api/types";
import { AnomaliesPage } from "../../../src/plugins/anomaly/anomalies";
import { ADA, renderPage } from "../../render";
import { problem, stubServer } from "../../server";

const ALL = "/api/p/anomaly/anomalies";
const PAGE = "/p/anomaly/anomalies";
const MANAGER = { ...ADA, rules: ["anomaly.anomaly.manage"] };

function makeAnomaly(fields: Partial<Anomaly> = {}): Anomaly {
  return {
    id: "one",
    workspaceId: "payments",
    checkId: "check-1",
    checkName: "web answers",
    systemIds: [],
    worst: "down",
    openedAt: "2026-03-01T09:00:00Z",
    closedAt: null,
    acknowledged: null,
    version: 1,
    ...fields,
  };
}

function serve(items: Anomaly[], more: Parameters<typeof stubServer>[0] = {}) {
  return stubServer({
    [`GET ${ALL}`]: { body: { items } },
    [`GET ${ALL}/one`]: { body: items[0] },
    ...more,
  });
}

function open(me = MANAGER, at = PAGE) {
  return renderPage(
    <Routes>
      <Route path={`${PAGE}/*`} element={<AnomaliesPage />} />
    </Routes>,
    { me, at },
  );
}

describe("anomalies", () => {
  it("shows the open ones first, and others when asked", async () => {
    const asked = serve([makeAnomaly()]);
    open();
    const table = within(await screen.findByRole("table", { name: "Anomalies" }));
    expect(table.getByText("Nobody yet")).toBeVisible();
    expect(asked[0]?.query.get("open")).toBe("true");
    await userEvent.click(screen.getByRole("combobox", { name: "Shown" }));
    await userEvent.click(await screen.findByRole("option", { name: "Over" }));
    await waitFor(() => expect(asked.at(-1)?.query.get("open")).toBe("false"));
  });

  it("is acknowledged with a note", async () => {
    const asked = serve([makeAnomaly()], {
      [`POST ${ALL}/one/acknowledge`]: { status: 201, body: makeAnomaly() },
    });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Acknowledge web answers" }));
    const form = within(await screen.findByRole("dialog"));
    await userEvent.type(form.getByLabelText(/^Note/u), "On it.");
    await userEvent.click(form.getByRole("button", { name: "Acknowledge" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      note: "On it.",
      expectedVersion: 1,
    });
  });

  it("says when somebody else was faster", async () => {
    const issues = [{ path: "anomalyId", message: "Bo has acknowledged it already." }];
    serve([makeAnomaly()], { [`POST ${ALL}/one/acknowledge`]: problem(409, { issues }) });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Acknowledge web answers" }));
    const form = within(await screen.findByRole("dialog"));
    await userEvent.click(form.getByRole("button", { name: "Acknowledge" }));
    expect(await form.findByText(/Bo has acknowledged it already/u)).toBeVisible();
  });

  it("opens one by its address, with the way to its check", async () => {
    const acknowledged = { by: "Bo", at: "2026-03-01T09:05:00Z", note: "Restarting." };
    serve([makeAnomaly({ acknowledged })]);
    open(MANAGER, `${PAGE}/one`);
    const shown = within(await screen.findByRole("dialog", { name: "web answers" }));
    expect(await shown.findByText("Restarting.")).toBeVisible();
    expect(shown.getByRole("link", { name: "web answers" })).toHaveAttribute(
      "href",
      "/p/healthcheck/checks/check-1",
    );
  });

  it("offers nothing to those who may only look", async () => {
    serve([makeAnomaly()]);
    open({ ...ADA, rules: ["anomaly.anomaly.read"] });
    await screen.findByRole("table", { name: "Anomalies" });
    expect(screen.queryByRole("button", { name: /Acknowledge/u })).toBeNull();
  });
});
