import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { System } from "../../../src/api/types";
import { EditSystem } from "../../../src/plugins/catalog/system-dialogs";
import { texts } from "../../../src/texts";
import { ADA, renderPage } from "../../render";
import { type Asked, problem, stubServer } from "../../server";

const SYSTEM: System = {
  id: "system-1",
  workspaceId: "payments",
  name: "ledger",
  description: "Old",
  groupIds: [],
  environmentIds: [],
  version: 3,
  createdAt: "2026-03-10T12:00:00Z",
  updatedAt: "2026-03-10T12:00:00Z",
};
const PATCH = "PATCH /api/p/catalog/systems/system-1";
const GET = "GET /api/p/catalog/systems/system-1";

function openForm(onClose = vi.fn()) {
  renderPage(<EditSystem system={SYSTEM} onClose={onClose} />, { me: ADA });
  return onClose;
}

async function rename(name: string) {
  const field = screen.getByLabelText(texts.catalog.name);
  await userEvent.clear(field);
  await userEvent.type(field, name);
  await userEvent.click(screen.getByRole("button", { name: texts.actions.save }));
}

/** Refuses what was based on an older version than the newest. */
function changedServer(newest: System) {
  return stubServer({
    [GET]: { body: newest },
    [PATCH]: ({ body }: Asked) => {
      const { expectedVersion } = body as { expectedVersion: number };
      return expectedVersion === newest.version
        ? { body: newest }
        : problem(412, { code: "changed" });
    },
  });
}

describe("EditSystem", () => {
  it("saves on top of the version it was opened with", async () => {
    const asked = stubServer({ [PATCH]: { body: { ...SYSTEM, name: "ledger-2", version: 4 } } });
    const onClose = openForm();
    await rename(" ledger-2 ");
    expect(asked[0]?.body).toEqual({
      name: "ledger-2",
      description: "Old",
      groupIds: [],
      environmentIds: [],
      expectedVersion: 3,
    });
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(await screen.findByText(texts.catalog.saved("ledger-2"))).toBeVisible();
  });

  it("shows what the server finds wrong at the field and keeps the typing", async () => {
    const issues = [{ path: "name", message: "Another system has this name." }];
    stubServer({ [PATCH]: problem(409, { issues }) });
    const onClose = openForm();
    await rename("taken");
    expect(await screen.findByText("Another system has this name.")).toBeVisible();
    expect(screen.getByLabelText(texts.catalog.name)).toBeInvalid();
    expect(screen.getByLabelText(texts.catalog.name)).toHaveValue("taken");
    expect(onClose).not.toHaveBeenCalled();
  });

  it("loses nothing when somebody else was faster", async () => {
    const asked = changedServer({ ...SYSTEM, description: "Theirs", version: 7 });
    const onClose = openForm();
    await rename("mine");
    expect(await screen.findByText(texts.forms.changedTitle)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();

    await userEvent.click(screen.getByRole("button", { name: texts.forms.changedLoad }));
    expect(await screen.findByText(texts.forms.changedLoaded)).toBeVisible();
    expect(screen.getByLabelText(texts.catalog.name)).toHaveValue("mine");
    expect(screen.getByLabelText(/^Description/)).toHaveValue("Theirs");

    await userEvent.click(screen.getByRole("button", { name: texts.actions.save }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    const last = asked.findLast(({ method }) => method === "PATCH");
    expect(last?.body).toMatchObject({ name: "mine", description: "Theirs", expectedVersion: 7 });
  });

  it("says what the other side wrote into the same field", async () => {
    changedServer({ ...SYSTEM, name: "theirs", version: 7 });
    openForm();
    await rename("mine");
    await userEvent.click(await screen.findByRole("button", { name: texts.forms.changedLoad }));
    expect(await screen.findByText(texts.forms.changedTheirs("theirs"))).toBeVisible();
    expect(screen.getByLabelText(texts.catalog.name)).toHaveValue("mine");
  });

  it("keeps the typing when the session has ended", async () => {
    stubServer({ [PATCH]: problem(401) });
    openForm();
    await rename("mine");
    expect(await screen.findByText(texts.forms.sessionEnded, { exact: false })).toBeVisible();
    expect(screen.getByLabelText(texts.catalog.name)).toHaveValue("mine");
  });
});
