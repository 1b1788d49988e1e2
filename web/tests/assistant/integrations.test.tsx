import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Integration } from "../../src/api/types";
import { IntegrationsPage } from "../../src/assistant/integrations";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";
import { makeIntegration } from "./make";

const ALL = "/api/admin/integrations";
const ONE = `${ALL}/cloud`;
const MANAGER = { ...ADA, rules: ["ai.integration.manage"] };

function serve(items: Integration[], more: Parameters<typeof stubServer>[0] = {}) {
  return stubServer({
    [`GET ${ALL}`]: { body: { items } },
    "GET /api/integrations": { body: { items: [] } },
    [`POST ${ONE}/test`]: { body: { works: true, problem: null, models: ["large", "small"] } },
    ...more,
  });
}

const open = (me = MANAGER) => renderPage(<IntegrationsPage />, { me });
const dialog = () => screen.findByRole("dialog");

describe("integrations", () => {
  it("leads to the first one, filled in for a known provider, and tests it at once", async () => {
    const items: Integration[] = [];
    const asked = serve(items, {
      [`POST ${ALL}`]: ({ body }) => {
        items.push(makeIntegration({ ...(body as Integration), hasKey: true }));
        return { status: 201, body: items[0] };
      },
    });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Add integration" }));
    const form = within(await dialog());
    await userEvent.click(form.getByRole("button", { name: "OpenAI" }));
    expect(form.getByLabelText("Address")).toHaveValue("https://api.openai.com/v1");
    await userEvent.type(form.getByLabelText("Default model"), "large");
    await userEvent.type(form.getByLabelText(/^Key/u), "sk-1");
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    expect(await screen.findByText("large answers.")).toBeVisible();
    expect(await screen.findByRole("heading", { name: /OpenAI/u })).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      name: "OpenAI",
      key: "sk-1",
      family: "openai",
    });
  });

  it("fills in the address of a provider unless one was typed", async () => {
    const asked = serve([], { [`POST ${ALL}`]: { status: 201, body: makeIntegration() } });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Add integration" }));
    const form = within(await dialog());
    const address = form.getByLabelText("Address");
    const choose = async (name: string) => {
      await userEvent.click(form.getByRole("combobox", { name: "Provider" }));
      await userEvent.click(await screen.findByRole("option", { name }));
    };
    expect(form.queryByRole("checkbox", { name: /think before/u })).toBeNull();
    const images = form.getByRole("checkbox", { name: /see images/u });
    expect(images).not.toBeChecked();
    await choose("Anthropic");
    expect(images).toBeChecked();
    expect(address).toHaveValue("https://api.anthropic.com");
    await choose("Google");
    expect(address).toHaveValue("https://generativelanguage.googleapis.com");
    await userEvent.clear(address);
    await userEvent.type(address, "https://proxy.example.com");
    await choose("Anthropic");
    expect(address).toHaveValue("https://proxy.example.com");
    await userEvent.click(form.getByRole("checkbox", { name: /think before/u }));
    await userEvent.click(form.getByRole("checkbox", { name: /Let it judge/u }));
    await userEvent.click(images);
    await userEvent.type(form.getByLabelText("Name"), "Claude");
    await userEvent.type(form.getByLabelText("Default model"), "claude");
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    await waitFor(() => {
      expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
        provider: "anthropic",
        baseUrl: "https://proxy.example.com",
        classifier: false,
        thinking: true,
        images: false,
      });
    });
  });

  it("puts what the server says beside the field", async () => {
    const issue = { path: "baseUrl", message: "This is no address." };
    serve([], { [`POST ${ALL}`]: problem(422, { issues: [issue] }) });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Add integration" }));
    const form = within(await dialog());
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    expect(form.getAllByText("This is needed.")).toHaveLength(3);
    await userEvent.type(form.getByLabelText("Name"), "Cloud");
    await userEvent.type(form.getByLabelText("Address"), "nowhere");
    await userEvent.type(form.getByLabelText("Default model"), "large");
    await userEvent.click(form.getByRole("button", { name: "Add" }));
    expect(await form.findByText("This is no address.")).toBeVisible();
    expect(form.getByLabelText("Address")).toHaveAttribute("aria-invalid", "true");
    expect(form.getByLabelText("Default model")).toHaveValue("large");
  });

  it("keeps the stored key when none is typed, and takes a cap away", async () => {
    const cap = { tokens: 5_000, seconds: 86_400 };
    const asked = serve([makeIntegration({ cap })], {
      [`PATCH ${ONE}`]: { body: makeIntegration({ name: "Renamed" }) },
    });
    open();
    expect(await screen.findByText("5,000 tokens per person per day")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Edit Cloud" }));
    const form = within(await dialog());
    expect(form.getByLabelText(/^Key/u)).toHaveValue("");
    await userEvent.clear(form.getByLabelText(/^Spend cap/u));
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const sent = asked.find(({ method }) => method === "PATCH")?.body;
    expect(sent).toMatchObject({ cap: null, expectedVersion: 3 });
    expect(sent).not.toHaveProperty("key");
  });

  it("loses nothing when somebody else was faster", async () => {
    const items = [makeIntegration()];
    serve(items, { [`PATCH ${ONE}`]: problem(412, { code: "changed" }) });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Edit Cloud" }));
    const form = within(await dialog());
    await userEvent.clear(form.getByLabelText("Name"));
    await userEvent.type(form.getByLabelText("Name"), "Mine");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    items[0] = makeIntegration({ defaultModel: "theirs", version: 4 });
    await userEvent.click(await form.findByRole("button", { name: "Load the newest version" }));
    await waitFor(() => expect(form.getByLabelText("Default model")).toHaveValue("theirs"));
    expect(form.getByLabelText("Name")).toHaveValue("Mine");
  });

  it("says why it does not answer", async () => {
    serve([makeIntegration()], {
      [`POST ${ONE}/test`]: { body: { works: false, problem: "The key is wrong.", models: null } },
    });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Test Cloud" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("The key is wrong.");
  });

  it("switches off, and deletes after a question", async () => {
    const asked = serve([makeIntegration(), makeIntegration({ id: "other", name: "Other" })], {
      [`PATCH ${ONE}`]: { body: makeIntegration({ enabled: false }) },
      [`DELETE ${ONE}`]: { status: 204 },
    });
    open();
    expect(await screen.findByText("Serves first")).toBeVisible();
    await userEvent.click(screen.getByRole("switch", { name: "Offer Cloud in chats" }));
    await waitFor(() =>
      expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({
        enabled: false,
        expectedVersion: 3,
      }),
    );
    await userEvent.click(screen.getByRole("button", { name: "Delete Cloud" }));
    const question = await screen.findByRole("alertdialog");
    expect(asked.some(({ method }) => method === "DELETE")).toBe(false);
    await userEvent.click(within(question).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
  });

  it("shows what comes from the environment, and to others only how things are", async () => {
    const found = { id: "env", name: "From key", defaultModel: "large", models: ["large"] };
    serve([makeIntegration()], { "GET /api/integrations": { body: { items: [found] } } });
    open({ ...ADA, rules: ["ai.integration.read"] });
    expect(await screen.findByText("From the environment")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Cloud" })).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("switch")).toBeNull();
  });

  it("is not for those without the rule", () => {
    open(ADA);
    expect(screen.getByText("ai.integration.read")).toBeVisible();
  });
});
