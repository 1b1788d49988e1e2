import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Destination } from "../../src/api/types";
import { DestinationsPage } from "../../src/assistant/destinations";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";
import { makeTool } from "./make";

const ALL = "/api/admin/destinations";
const MANAGER = { ...ADA, rules: ["ai.egress.manage"] };
const PROBE = { ...makeTool("ai.probeUrl", "Look at a web address"), egress: true };

function makeDestination(fields: Partial<Destination> = {}): Destination {
  return {
    id: "one",
    origin: "https://status.example.com:443",
    tool: null,
    note: "Our status page.",
    addedByName: "Ada",
    addedAt: "2026-01-02T03:04:05Z",
    ...fields,
  };
}

function serve(items: Destination[], more: Parameters<typeof stubServer>[0] = {}) {
  return stubServer({
    [`GET ${ALL}`]: { body: { items } },
    "GET /api/tools": { body: { items: [PROBE, makeTool("catalog.listSystems", "List systems")] } },
    ...more,
  });
}

const open = (me = MANAGER) => renderPage(<DestinationsPage />, { me });
const dialog = async () => within(await screen.findByRole("dialog"));

describe("destinations", () => {
  it("allows one for a tool that sends data out", async () => {
    const asked = serve([], { [`POST ${ALL}`]: { status: 201, body: makeDestination() } });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Allow destination" }));
    const form = await dialog();
    await userEvent.type(form.getByLabelText(/^Destination/u), "https://status.example.com");
    await userEvent.click(form.getByRole("combobox", { name: "Tool" }));
    expect(screen.queryByRole("option", { name: /List systems/u })).toBeNull();
    await userEvent.click(await screen.findByRole("option", { name: /Look at a web address/u }));
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      origin: "https://status.example.com",
      tool: "ai.probeUrl",
      note: "",
    });
  });

  it("says what is wrong beside the field", async () => {
    const message = "10.0.0.1 is a private address and may not be reached.";
    serve([], { [`POST ${ALL}`]: problem(409, { issues: [{ path: "origin", message }] }) });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Allow destination" }));
    const form = await dialog();
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    expect(form.getByLabelText(/^Destination/u)).toHaveAccessibleDescription(/This is needed/u);
    await userEvent.type(form.getByLabelText(/^Destination/u), "http://10.0.0.1");
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    expect(await form.findByText(message)).toBeVisible();
    expect(form.getByLabelText(/^Destination/u)).toHaveAccessibleDescription(
      expect.stringContaining(message),
    );
  });

  it("takes one away after asking", async () => {
    const asked = serve([makeDestination({ tool: "ai.probeUrl" })], {
      [`DELETE ${ALL}/one`]: { status: 204, body: null },
    });
    open();
    const table = within(await screen.findByRole("table", { name: "Allowed destinations" }));
    expect(await table.findByRole("cell", { name: "Look at a web address" })).toBeVisible();
    await userEvent.click(table.getByRole("button", { name: /^Take away https/u }));
    await userEvent.click(
      within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Take away" }),
    );
    await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
  });

  it("offers nothing to those who may only look", async () => {
    serve([makeDestination()]);
    open({ ...ADA, rules: ["ai.egress.read"] });
    expect(await screen.findByText("https://status.example.com:443")).toBeVisible();
    expect(screen.getByText("Our status page.")).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
