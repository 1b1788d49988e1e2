import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Application } from "../../src/api/types";
import { NewKey } from "../../src/settings/new-key";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { problem, stubServer } from "../server";

const APPLICATION: Application = {
  id: "app-1",
  name: "deploy",
  rules: [],
  owner: { id: "user-ada", name: "Ada" },
  createdAt: "2026-03-10T12:00:00Z",
  keys: [],
};
const CREATE = "POST /api/applications/app-1/keys";
const CREATED = { id: "key-1", key: "ask_secret", hint: "ask_s…et", expiresAt: null };

async function create() {
  await userEvent.click(screen.getByRole("button", { name: texts.keys.createKey }));
}

describe("NewKey", () => {
  it("shows the key once, to be copied, and forgets it when closed", async () => {
    const asked = stubServer({ [CREATE]: { status: 201, body: CREATED } });
    const onClose = vi.fn();
    vi.stubGlobal("isSecureContext", true);
    userEvent.setup();
    renderPage(<NewKey application={APPLICATION} onClose={onClose} />);
    await create();
    expect(await screen.findByLabelText(texts.keys.shownLabel)).toHaveValue("ask_secret");
    expect(asked[0]?.body).toEqual({ expiresInDays: 90 });

    await userEvent.click(screen.getByRole("button", { name: texts.actions.copy }));
    expect(await navigator.clipboard.readText()).toBe("ask_secret");
    expect(await screen.findByRole("button", { name: texts.actions.copied })).toBeVisible();

    await userEvent.click(screen.getByRole("button", { name: texts.keys.shownDone }));
    expect(onClose).toHaveBeenCalled();
  });

  it("stays open when somebody clicks beside it", async () => {
    stubServer({ [CREATE]: { status: 201, body: CREATED } });
    const onClose = vi.fn();
    renderPage(<NewKey application={APPLICATION} onClose={onClose} />);
    await create();
    await screen.findByLabelText(texts.keys.shownLabel);
    await userEvent.click(document.body);
    expect(onClose).not.toHaveBeenCalled();
  });

  it("shows a refusal and no key", async () => {
    stubServer({ [CREATE]: problem(403, { detail: "You may not do this." }) });
    renderPage(<NewKey application={APPLICATION} onClose={vi.fn()} />);
    await create();
    await waitFor(() => expect(screen.getByText("You may not do this.")).toBeVisible());
    expect(screen.queryByLabelText(texts.keys.shownLabel)).toBeNull();
  });
});
