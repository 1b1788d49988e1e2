import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Objective } from "../../../src/api/types";
import { ObjectivesPage } from "../../../src/plugins/slo/objectives";
import { ADA, renderPage } from "../../render";
import { problem, stubServer } from "../../server";

const ALL = "/api/p/slo/objectives";
const PAGE = "/p/slo/objectives";
const MANAGER = {
  ...ADA,
  rules: ["slo.objective.manage", "catalog.system.read", "healthcheck.check.read"],
};

function makeObjective(fields: Partial<Objective> = {}): Objective {
  return {
    id: "one",
    workspaceId: "payments",
    name: "Checkout works",
    description: "",
    systemId: "system-1",
    checkId: null,
    target: 99.9,
    windowDays: 30,
    version: 2,
    createdAt: "2026-03-01T09:00:00Z",
    updatedAt: "2026-03-01T09:00:00Z",
    about: "checkout",
    budget: {
      state: "met",
      runs: 1000,
      failed: 0,
      attained: 99.95,
      left: 0.5,
      burn: 0,
      reason: "",
    },
    ...fields,
  };
}

function serve(items: Objective[], more: Parameters<typeof stubServer>[0] = {}) {
  return stubServer({
    [`GET ${ALL}`]: { body: { items } },
    [`GET ${ALL}/one`]: { body: items[0] },
    "GET /api/p/catalog/systems": { body: { items: [{ id: "system-1", name: "checkout" }] } },
    "GET /api/p/healthcheck/checks": { body: { items: [{ id: "check-1", name: "answers" }] } },
    ...more,
  });
}

function open(me = MANAGER, at = PAGE) {
  return renderPage(
    <Routes>
      <Route path={`${PAGE}/*`} element={<ObjectivesPage />} />
    </Routes>,
    { me, at },
  );
}

describe("objectives", () => {
  it.each([
    [{ state: "met" as const, left: 0.5 }, "50 % left", "Met"],
    [{ state: "burning" as const, left: 0.04 }, "4 % left", "Burns fast"],
    [{ state: "exhausted" as const, left: -2 }, "200 % overspent", "Missed"],
  ])("shows what is left: %o", async (fields, left, state) => {
    const { budget } = makeObjective();
    serve([makeObjective({ budget: { ...budget, ...fields } })]);
    open();
    const table = within(await screen.findByRole("table", { name: "Objectives" }));
    expect(
      table.getByRole("img", { name: `Error budget of Checkout works: ${left}` }),
    ).toBeVisible();
    expect(table.getByText(state)).toBeVisible();
  });

  it("says why nothing is known", async () => {
    const reason = "Nothing ran in this window.";
    const budget = { state: "unknown" as const, runs: 0, failed: 0, attained: null, left: null };
    serve([makeObjective({ about: null, budget: { ...budget, burn: null, reason } })]);
    open();
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.getByText("Not visible to you")).toBeVisible();
  });

  it("sets one for a check, after saying what is missing", async () => {
    const asked = serve([], { [`POST ${ALL}`]: { status: 201, body: makeObjective() } });
    open();
    await screen.findByText("No objectives yet");
    await userEvent.click(screen.getByRole("button", { name: "New objective" }));
    const form = within(await screen.findByRole("dialog"));
    await userEvent.type(form.getByLabelText("Name"), "Answers");
    await userEvent.click(form.getByRole("button", { name: "Create" }));
    expect(await form.findByText("Choose what it is about.")).toBeVisible();
    await userEvent.click(form.getByRole("combobox", { name: "It is about" }));
    await userEvent.click(await screen.findByRole("option", { name: "A check" }));
    await userEvent.click(form.getByRole("combobox", { name: "Check" }));
    await userEvent.click(await screen.findByRole("option", { name: "answers" }));
    await userEvent.click(form.getByRole("button", { name: "Create" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      name: "Answers",
      description: "",
      target: 99.9,
      windowDays: 30,
      checkId: "check-1",
    });
  });

  it("changes one, and says at the field what is wrong", async () => {
    const asked = serve([makeObjective()], {
      [`PATCH ${ALL}/one`]: problem(422, {
        issues: [{ path: "target", message: "Less than 100." }],
      }),
    });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Edit Checkout works" }));
    const form = within(await screen.findByRole("dialog"));
    const target = form.getByLabelText("Target in percent");
    await userEvent.clear(target);
    await userEvent.type(target, "often");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("This needs a number.")).toBeVisible();
    await userEvent.clear(target);
    await userEvent.type(target, "100");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Less than 100.")).toBeVisible();
    expect(asked.find(({ method }) => method === "PATCH")?.body).toMatchObject({
      target: 100,
      expectedVersion: 2,
    });
  });

  it("opens one by its address, and deletes after asking", async () => {
    const asked = serve([makeObjective()], { [`DELETE ${ALL}/one`]: { status: 204 } });
    open(MANAGER, `${PAGE}/one`);
    const shown = within(await screen.findByRole("dialog", { name: "Checkout works" }));
    expect(await shown.findByText("99.95 %")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Delete Checkout works" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
  });

  it("offers nothing to those who may only look", async () => {
    serve([makeObjective()]);
    open({ ...ADA, rules: ["slo.objective.read"] });
    await screen.findByRole("table", { name: "Objectives" });
    expect(screen.queryByRole("button", { name: /New|Edit|Delete/u })).toBeNull();
  });
});
