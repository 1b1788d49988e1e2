import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { texts } from "../../../src/texts";
import { problem } from "../../server";
import { makeCheck } from "./make";
import { BASE, choose, MANAGER, open, PAGE, READER, serve } from "./stage";

const TOKEN = { id: "secret-1", workspaceId: "payments", name: "QUEUE_TOKEN" };
const HERE = { ...MANAGER, workspaces: MANAGER.workspaces.slice(0, 1) };

async function openDialog() {
  await userEvent.click(await screen.findByRole("button", { name: "Secrets" }));
  return within(await screen.findByRole("dialog", { name: "Secrets" }));
}

describe("secrets of scripts", () => {
  it("are listed by what scripts write", async () => {
    serve(makeCheck(), { [`GET ${BASE}/secrets`]: { body: { items: [TOKEN] } } });
    open(PAGE, HERE);
    const dialog = await openDialog();
    expect(await dialog.findByText("__SECRET_QUEUE_TOKEN__")).toBeVisible();
  });

  it("are kept, and what was typed is gone from the form", async () => {
    const asked = serve(makeCheck(), {
      [`GET ${BASE}/secrets`]: { body: { items: [] } },
      [`POST ${BASE}/secrets`]: { status: 201, body: TOKEN },
    });
    open(PAGE, HERE);
    const dialog = await openDialog();
    const value = await dialog.findByLabelText("Value");
    expect(value).toHaveAttribute("type", "password");
    await userEvent.type(dialog.getByLabelText("Name"), "QUEUE_TOKEN");
    await userEvent.type(value, "a long secret");
    await userEvent.click(dialog.getByRole("button", { name: "Keep" }));
    expect(await screen.findByText("QUEUE_TOKEN is kept.")).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      workspaceId: "payments",
      name: "QUEUE_TOKEN",
      value: "a long secret",
    });
    expect(dialog.getByLabelText("Value")).toHaveValue("");
    expect(dialog.getByLabelText("Name")).toHaveValue("");
  });

  it("say beside the field what is wrong", async () => {
    serve(makeCheck(), {
      [`GET ${BASE}/secrets`]: { body: { items: [] } },
      [`POST ${BASE}/secrets`]: problem(422, {
        issues: [{ path: "value", message: "At least 8 characters, please." }],
      }),
    });
    open(PAGE, HERE);
    const dialog = await openDialog();
    await userEvent.click(await dialog.findByRole("button", { name: "Keep" }));
    expect(dialog.getAllByText(texts.forms.required)).toHaveLength(2);
    await userEvent.type(dialog.getByLabelText("Name"), "A");
    await userEvent.type(dialog.getByLabelText("Value"), "short");
    await userEvent.click(dialog.getByRole("button", { name: "Keep" }));
    expect(await dialog.findByText("At least 8 characters, please.")).toBeVisible();
    expect(dialog.getByLabelText("Value")).toHaveValue("short");
  });

  it("are forgotten after asking", async () => {
    const asked = serve(makeCheck(), {
      [`GET ${BASE}/secrets`]: { body: { items: [TOKEN] } },
      [`DELETE ${BASE}/secrets/secret-1`]: { status: 204 },
    });
    open(PAGE, HERE);
    const dialog = await openDialog();
    await userEvent.click(await dialog.findByRole("button", { name: "Forget QUEUE_TOKEN" }));
    const question = within(await screen.findByRole("alertdialog"));
    expect(asked.some(({ method }) => method === "DELETE")).toBe(false);
    await userEvent.click(question.getByRole("button", { name: "Forget" }));
    await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
    expect(await screen.findByText("QUEUE_TOKEN is forgotten.")).toBeVisible();
  });

  it("belong to a workspace, which one chooses", async () => {
    const asked = serve(makeCheck(), { [`GET ${BASE}/secrets`]: { body: { items: [] } } });
    open();
    await openDialog();
    await choose("Workspace", new RegExp(MANAGER.workspaces[1]?.name ?? "", "u"));
    await waitFor(() =>
      expect(asked.at(-1)?.query.get("workspaceId")).toBe(MANAGER.workspaces[1]?.id),
    );
  });

  it("are nothing for those who may only look", async () => {
    serve();
    open(PAGE, READER);
    await screen.findByRole("table", { name: "Health checks" });
    expect(screen.queryByRole("button", { name: "Secrets" })).toBeNull();
  });
});
