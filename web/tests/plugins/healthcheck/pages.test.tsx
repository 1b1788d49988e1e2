import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { problem } from "../../server";
import { makeCheck, makeStats } from "./make";
import { BASE, choose, MANAGER, open, PAGE, READER, serve } from "./stage";

describe("the list of checks", () => {
  it("says how each stands, in words", async () => {
    serve(makeCheck({ status: "down", reason: "There was no answer." }));
    open();
    const table = within(await screen.findByRole("table", { name: "Health checks" }));
    expect(table.getByRole("link", { name: "web answers" })).toHaveAttribute(
      "href",
      `${PAGE}/check-1`,
    );
    expect(table.getByText("Down")).toBeVisible();
    expect(table.getByText("There was no answer.")).toBeVisible();
  });

  it("shows one that is off as such, whatever it was", async () => {
    serve(makeCheck({ enabled: false, status: "unknown" }));
    open();
    expect(await screen.findByText("Switched off")).toBeVisible();
  });

  it("asks for a status, and keeps it in the address", async () => {
    const asked = serve();
    open();
    await choose("Status", /Degraded/u);
    await waitFor(() => expect(asked.at(-1)?.query.get("status")).toBe("degraded"));
  });

  it("offers nothing new to those who may only look", async () => {
    serve();
    open(PAGE, READER);
    await screen.findByRole("table", { name: "Health checks" });
    expect(screen.queryByRole("button", { name: "New check" })).toBeNull();
  });
});

describe("one check", () => {
  it("shows figures, runs and what has to hold", async () => {
    serve();
    open(`${PAGE}/check-1`);
    expect(await screen.findByRole("heading", { name: "web answers" })).toBeVisible();
    expect(await screen.findByText("90%")).toBeVisible();
    expect(screen.getByText("240 ms")).toBeVisible();
    expect(screen.getByRole("img", { name: /How runs ended/u })).toBeVisible();
    const runs = within(await screen.findByRole("list", { name: "Runs" }));
    expect(runs.getByText("No answer.")).toBeVisible();
    expect(await screen.findByText("statusCode is less than 400")).toBeVisible();
    expect(screen.getByText("http://127.0.0.1:8700")).toBeVisible();
  });

  it("says whom a lookup asks that names no server", async () => {
    const strategy = { kind: "dns", version: 1, config: { name: "example.com" } };
    serve(makeCheck({ strategy, reaches: [] }));
    open(`${PAGE}/check-1`);
    expect(await screen.findByText("The name servers of this machine")).toBeVisible();
  });

  it("runs now, is switched off, and is deleted after asking", async () => {
    const check = makeCheck();
    const asked = serve(check, {
      [`POST ${BASE}/checks/check-1/run`]: { status: 201, body: check },
      [`PATCH ${BASE}/checks/check-1`]: { body: { ...check, enabled: false } },
      [`DELETE ${BASE}/checks/check-1`]: { status: 204 },
    });
    open(`${PAGE}/check-1`);
    await userEvent.click(await screen.findByRole("button", { name: "Run now" }));
    expect(await screen.findByText("It runs now.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Switch off" }));
    await waitFor(() =>
      expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ enabled: false }),
    );
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(asked.some(({ method }) => method === "DELETE")).toBe(false);
    await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
    expect(await screen.findByRole("table", { name: "Health checks" })).toBeVisible();
  });

  it("says why something did not work", async () => {
    serve(makeCheck(), {
      [`POST ${BASE}/checks/check-1/run`]: problem(409, { detail: "This check is switched off." }),
    });
    open(`${PAGE}/check-1`);
    await userEvent.click(await screen.findByRole("button", { name: "Run now" }));
    expect(await screen.findByText("This check is switched off.")).toBeVisible();
  });

  it("offers no deeds to those who may only look", async () => {
    serve();
    open(`${PAGE}/check-1`, READER);
    await screen.findByRole("heading", { name: "web answers" });
    for (const name of ["Run now", "Switch off", "Delete"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
  });
});

describe("the form of a check", () => {
  it("is made from the schema, and sends what it says", async () => {
    const made = makeCheck({ id: "check-2", name: "pages" });
    const asked = serve(makeCheck(), {
      [`POST ${BASE}/checks`]: { status: 201, body: made },
      [`GET ${BASE}/checks/check-2`]: { body: made },
      [`GET ${BASE}/checks/check-2/runs`]: { body: { items: [] } },
      [`GET ${BASE}/checks/check-2/stats`]: { body: makeStats() },
    });
    open(`${PAGE}/new`, { ...MANAGER, workspaces: MANAGER.workspaces.slice(0, 1) });
    await userEvent.type(await screen.findByLabelText("Name"), "pages");
    await userEvent.type(await screen.findByLabelText("Url"), "http://127.0.0.1/");
    await userEvent.click(screen.getByRole("button", { name: "Add a collector" }));
    const collector = within(await screen.findByRole("region", { name: "Collector 1" }));
    await userEvent.type(await collector.findByLabelText("Path"), "$.ok");
    await userEvent.click(screen.getByRole("button", { name: "Add an assertion" }));
    await choose("Field", /json\.value/u);
    await choose("Comparison", /contains/u);
    await userEvent.type(screen.getByLabelText("Value"), "yes");
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByRole("heading", { name: "pages" })).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      workspaceId: "payments",
      name: "pages",
      description: "",
      systemIds: [],
      strategy: {
        kind: "http",
        config: { url: "http://127.0.0.1/", method: "GET", headers: {} },
      },
      collectors: [{ id: "json", kind: "json", config: { path: "$.ok" } }],
      assertions: [{ field: "json.value", operator: "contains", value: "yes", severity: "down" }],
      intervalSeconds: 60,
      timeoutMs: 10_000,
      egress: [],
      enabled: true,
    });
  });

  it("works for a strategy of somebody else", async () => {
    const asked = serve(makeCheck(), {
      [`POST ${BASE}/checks`]: problem(422, {
        issues: [{ path: "strategy.config.host", message: "There is no such host." }],
      }),
    });
    open(`${PAGE}/new`);
    await choose("Strategy", /Redis ping/u);
    await userEvent.type(await screen.findByLabelText("Host"), "cache");
    expect(screen.getByLabelText(/^Port/u)).toHaveValue("6379");
    await userEvent.click(screen.getByRole("checkbox", { name: /^Tls/u }));
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText("There is no such host.")).toBeVisible();
    expect(screen.getByLabelText("Host")).toHaveAccessibleDescription(/no such host/u);
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      strategy: { kind: "redis", config: { host: "cache", port: 6379, tls: true } },
    });
  });

  it("sends nothing that cannot be read", async () => {
    const asked = serve();
    open(`${PAGE}/new`);
    await userEvent.type(await screen.findByLabelText("Name"), "x");
    const headers = await screen.findByLabelText(/^Headers/u);
    await userEvent.clear(headers);
    await userEvent.type(headers, "no json");
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText("This cannot be read.")).toBeVisible();
    expect(asked.some(({ method }) => method === "POST")).toBe(false);
  });

  it("loses nothing when somebody else was faster", async () => {
    let version = 3;
    const asked = serve(makeCheck(), {
      [`GET ${BASE}/checks/check-1`]: () => ({
        body: makeCheck({ version, description: `at ${version}` }),
      }),
      [`PATCH ${BASE}/checks/check-1`]: ({ body }) =>
        (body as { expectedVersion: number }).expectedVersion === 4
          ? { body: makeCheck({ version: 5 }) }
          : problem(412),
    });
    open(`${PAGE}/check-1/edit`);
    const name = await screen.findByLabelText("Name");
    await userEvent.clear(name);
    await userEvent.type(name, "mine");
    version = 4;
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await userEvent.click(await screen.findByRole("button", { name: /newest/u }));
    await waitFor(() => expect(screen.getByLabelText(/^Description/u)).toHaveValue("at 4"));
    expect(screen.getByLabelText("Name")).toHaveValue("mine");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(asked.filter(({ method }) => method === "PATCH").at(-1)?.body).toMatchObject({
        expectedVersion: 4,
        name: "mine",
        description: "at 4",
      }),
    );
  });
});
