import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../src/api/types";
import { AgentsPage } from "../../src/assistant/agents";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";
import { CLOUD, makeAgent, makeTool } from "./make";

const ALL = "/api/admin/agents";
const ONE = `${ALL}/agent-1`;
const MANAGER = { ...ADA, rules: ["ai.agent.manage"] };
const TOOLS = [
  makeTool("catalog.listSystems", "List systems"),
  makeTool("catalog.deleteSystem", "Delete system", "destructive"),
];

function serve(items: Agent[], more: Parameters<typeof stubServer>[0] = {}) {
  return stubServer({
    [`GET ${ALL}`]: { body: { items } },
    "GET /api/agents": { body: { items: [] } },
    "GET /api/integrations": { body: { items: [CLOUD] } },
    "GET /api/tools": { body: { items: TOOLS } },
    ...more,
  });
}

const open = (me = MANAGER) => renderPage(<AgentsPage />, { me });
const dialog = () => screen.findByRole("dialog");

async function choose(form: ReturnType<typeof within>, label: string, option: string) {
  await userEvent.click(form.getByRole("combobox", { name: label }));
  await userEvent.click(await screen.findByRole("option", { name: option }));
}

describe("agents", () => {
  it("adds one with the tools that were found and ticked", async () => {
    const asked = serve([], { [`POST ${ALL}`]: { status: 201, body: makeAgent() } });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Add agent" }));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText("Name"), "Bank teller");
    await userEvent.type(form.getByLabelText(/^Instructions/u), "Speak like a bank.");
    expect(form.getByRole("combobox", { name: "Model" })).toHaveAttribute("data-disabled");
    await choose(form, "Integration", "Cloud");
    await choose(form, "Model", "small");
    await userEvent.click(form.getByRole("checkbox", { name: /^All tools/u }));
    await userEvent.type(form.getByLabelText("Find a tool"), "delete");
    expect(form.queryByText("List systems")).toBeNull();
    await userEvent.click(form.getByRole("checkbox", { name: /^Delete system/u }));
    expect(form.getByText("1 of 2 chosen")).toBeVisible();
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      slug: "bank-teller",
      name: "Bank teller",
      prompt: "Speak like a bank.",
      integrationId: "cloud",
      model: "small",
      tools: ["catalog.deleteSystem"],
      stepCap: 16,
      enabled: true,
    });
  });

  it("says that a short name is taken, beside it", async () => {
    const issue = { path: "slug", message: "Another agent has this slug." };
    serve([], { [`POST ${ALL}`]: problem(409, { issues: [issue] }) });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Add agent" }));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText("Name"), "Teller");
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    expect(await form.findByText("Another agent has this slug.")).toBeVisible();
  });

  it("gives everything back: all tools, and whatever model the chat has", async () => {
    const limited = makeAgent({ tools: ["gone.tool"], integrationId: "cloud", model: "small" });
    const asked = serve([limited], { [`PATCH ${ONE}`]: { body: makeAgent() } });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Edit Teller" }));
    const form = within(await dialog());
    expect(form.getByText("Not installed, or not yours to use")).toBeVisible();
    await userEvent.click(form.getByRole("checkbox", { name: /^All tools/u }));
    await choose(form, "Integration", "As the chat or the tenant has it");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "PATCH")?.body).toMatchObject({
      tools: null,
      integrationId: null,
      model: null,
      expectedVersion: 2,
    });
  });

  it("deletes after a question", async () => {
    const asked = serve([makeAgent()], { [`DELETE ${ONE}`]: { status: 204 } });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Delete Teller" }));
    const question = await screen.findByRole("alertdialog");
    await userEvent.click(within(question).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
  });

  it("only shows them to those who may only read", async () => {
    serve([makeAgent()]);
    open({ ...ADA, rules: ["ai.agent.read"] });
    expect(await screen.findByText("Teller")).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
